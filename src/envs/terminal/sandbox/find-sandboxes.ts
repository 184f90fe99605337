import { platform } from 'node:os';
import { causeText, EspalierError } from '../../../core/errors.ts';
import { createLayeredSandboxes, type LayeredOptions } from './layered-sandboxes.ts';
import type { Sandboxes } from './sandbox.ts';

/** The sandboxes of this machine; where it can have none, says what to do about it. */
export async function findSandboxes(options: LayeredOptions = {}): Promise<Sandboxes> {
  if (platform() !== 'linux') throw noSandbox(`it runs ${platform()}, not Linux`);
  try {
    return await createLayeredSandboxes(options);
  } catch (cause) {
    throw noSandbox(cause instanceof EspalierError ? cause.message : causeText(cause));
  }
}

function noSandbox(reason: string): EspalierError {
  const advice = [perl, namespaces, kernel];
  const known = advice.find(({ when }) => when.test(reason));
  return new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: `This machine cannot have terminal sandboxes: ${reason.replace(/\.$/, '')}.`,
    expected: (known === undefined ? advice : [known]).map(({ text }) => text).join(' '),
  });
}

const perl = { when: /spawn perl/, text: 'Install Perl: apt-get install perl-base.' };
const namespaces = {
  when: /unshare|clone|uid_map|gid_map|setgroups|ids could not be mapped/,
  text: 'Allow user namespaces: `sysctl user.max_user_namespaces=10000 kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0`, those of them that are there. In a container, whoever starts it must allow them (`docker run --privileged`).',
};
const kernel = { when: /mount|not Linux/, text: 'Use Linux 6.6 or newer; in a container, mounts must be allowed.' };
