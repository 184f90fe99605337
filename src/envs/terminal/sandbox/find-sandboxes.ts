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
    throw noSandbox(causeText(cause));
  }
}

function noSandbox(reason: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: `This machine cannot have terminal sandboxes: ${reason}.`,
    expected:
      'Install perl (apt-get install perl-base), use Linux 6.6 or newer, and allow user namespaces: as root, or with `sysctl kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0` where these settings are there.',
  });
}
