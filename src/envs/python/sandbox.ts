import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { EspalierError } from '../../core/errors.ts';
import { tryProgram, type Python } from './find-python.ts';

/** How verifiers are kept apart from the machine. */
export interface Sandbox {
  /** Null when there is one; else why there is none. */
  readonly missing: string | null;
  /** What to run instead of the program itself, so that it sees its own parts and this folder, and nothing else. */
  wrap(program: readonly string[], folder: string): readonly string[];
}

/** Whether verifiers run without a sandbox where there is none. */
export type SandboxRule = 'prefer' | 'require' | 'never';

const bubblewraps = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'];

/** Libraries of the system; no program is among them, not even a shell. */
const libraries = ['/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/local/lib', '/lib', '/lib32', '/lib64', '/nix/store'];

/** Too much to give away, though some Pythons call it their home. */
const tooWide: ReadonlySet<string> = new Set(['/', '/usr', '/usr/local', '/home', '/root', '/tmp', '/etc', '/opt']);

/** No network, no processes of others, nothing to write to, no privileges; gone when we are. */
const walls =
  '--unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try --die-with-parent --new-session --cap-drop ALL'.split(
    ' ',
  );

/** As root, the warm process stays so and each verifier becomes a user of its own; else all are one unnamed user. */
const modes = {
  root: ['--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID', '--cap-add', 'CAP_KILL'],
  user: ['--unshare-user', '--uid', '65534', '--gid', '65534'],
};

/** Looks once for a bubblewrap that works here. */
export async function findSandbox(python: Python, rule: SandboxRule): Promise<Sandbox> {
  if (rule === 'never') return none('it was switched off');
  const bubblewrap = bubblewraps.find(path => existsSync(path));
  const reasons: string[] = bubblewrap === undefined ? ['bubblewrap is not installed'] : [];
  for (const mode of bubblewrap === undefined ? [] : modesHere()) {
    const wrap: Sandbox['wrap'] = (program, folder) => [
      bubblewrap as string,
      ...walls,
      ...modes[mode],
      ...view([...python.places, folder]),
      '--',
      ...program,
    ];
    const [program = '', ...args] = wrap([python.executable, '-c', 'import requests'], dirname(python.executable));
    const tried = await tryProgram(program, args);
    if ('output' in tried) return { missing: null, wrap };
    reasons.push(tried.reason);
  }
  if (rule === 'require') throw noSandbox(reasons.join('; '));
  return none(reasons.join('; '));
}

function modesHere(): readonly (keyof typeof modes)[] {
  return userInfo().uid === 0 ? ['root', 'user'] : ['user'];
}

/** Shows places at their own paths, read-only; the folders around them are empty but for these. */
function view(places: readonly string[]): string[] {
  const wanted = [...new Set([...libraries, '/etc/ld.so.cache', ...places])].filter(place => !tooWide.has(place));
  const shown = wanted.filter(place => !wanted.some(other => place.startsWith(`${other}/`)));
  const around = [...new Set([...shown, ...devices].flatMap(ancestors))].toSorted();
  return [
    // Made here, as bubblewrap would close those that it makes itself to everybody but root.
    ...around.flatMap(folder => ['--perms', '0755', '--dir', folder]),
    ...shown.flatMap(place => ['--ro-bind-try', place, place]),
    ...devices.flatMap(device => ['--dev-bind', device, device]),
    '--remount-ro',
    '/',
  ];
}

const devices = ['/dev/null', '/dev/urandom'];

function ancestors(path: string): string[] {
  const above = dirname(path);
  return above === '/' || above === '.' ? [] : [...ancestors(above), above];
}

function none(missing: string): Sandbox {
  return { missing, wrap: program => program };
}

/** What people are told when there is no sandbox. */
export function withoutSandbox(missing: string): string {
  return (
    `Verifiers run without a sandbox: ${missing}. Each still has a process of its own with limits, but one that means harm ` +
    'could read your files and reach the network. Install bubblewrap (Debian: apt install bubblewrap), or use only apps that you trust.'
  );
}

function noSandbox(reason: string): EspalierError {
  return new EspalierError({
    boundary: 'verifier',
    code: 'unavailable',
    message: `Verifiers need a sandbox, and there is none: ${reason}.`,
    expected:
      'Install bubblewrap (Debian: apt install bubblewrap) where user namespaces are allowed, or do not require it.',
  });
}
