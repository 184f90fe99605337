import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { closeSync, existsSync } from 'node:fs';
import { arch } from 'node:os';
import { getuid } from 'node:process';
import { EspalierError } from '../../../core/errors.ts';
import { nodeProgram, shownNode, workFolder } from './languages.ts';
import { findMemoryGroups, type MemoryGroups } from './memory-group.ts';
import { openNameless } from './nameless-file.ts';
import { systemCallFilter } from './system-call-filter.ts';

/** What one program may use. */
export interface ProcessLimits {
  /** Address space of a process in MB. */
  readonly memory: number;
  /** Processes and threads at a time. */
  readonly processes: number;
  readonly cpuSeconds: number;
  /** What it may write to its folder, in MB. */
  readonly disk: number;
  /** Files and folders that it may have there. */
  readonly files: number;
}

/** A file that appears in the folder of the program. Its content is read from an open file descriptor. */
interface SandboxFile {
  readonly path: string;
  readonly descriptor: number;
  readonly executable: boolean;
}

interface WrapOptions {
  readonly limits: ProcessLimits;
  readonly files: readonly SandboxFile[];
  /** An open file descriptor of the filter of system calls. */
  readonly filter: number;
  /** An open file descriptor that is told the processor time and the room in the folder when the command has ended. */
  readonly times: number;
}

export interface CodeSandbox {
  /** The system calls that a program may make, as bubblewrap reads it. */
  readonly filter: Buffer;
  /** Whether the memory of all processes of a program together is limited. */
  readonly limitsTotalMemory: boolean;
  /** Whether the number of files is limited while a program runs. Elsewhere too many are noticed when it has ended. */
  readonly limitsFiles: boolean;
  /** The command that runs a command inside. */
  wrap(command: readonly string[], options: WrapOptions): string[];
}

const bubblewraps = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'];
const limiters = { limit: '/usr/bin/prlimit', user: '/usr/bin/setpriv' };
const mounters = ['/usr/bin/unshare', '/usr/bin/mount'];
/** Folders that are there on most machines and that no sandbox shows: one of them is where the folder of a program is mounted. */
const mountPoints = ['/mnt', '/media', '/srv', '/dev/shm'];

/** Programs and libraries of the system, read-only. /etc, /home, /root, /var and /tmp are not among them. */
const shown = ['/usr', '/bin', '/lib', '/lib32', '/lib64', '/nix/store', '/etc/ld.so.cache', '/etc/alternatives'];
const devices = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'];
const links = { stdin: '0', stdout: '1', stderr: '2' };

const walls =
  '--unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try --die-with-parent --new-session --clearenv --cap-drop ALL'.split(
    ' ',
  );

const environment = { PATH: '/usr/bin:/bin', HOME: workFolder, TMPDIR: workFolder, LANG: 'C.UTF-8', TZ: 'UTC' };

/** Users that nobody has. As root, each program becomes another one, so that its processes are counted apart. */
const strangers = { from: 20_000, count: 40_000 };

interface Mode {
  readonly isRoot: boolean;
  /** Some containers do not allow a new /proc. */
  readonly hasProc: boolean;
  /** Null where the memory of all processes together cannot be limited. */
  readonly groups: MemoryGroups | null;
  /** Where the folder of a program is mounted outside; null where the number of its files cannot be limited. */
  readonly mountPoint: string | null;
}

export interface FindSandboxOptions {
  /** Places to look for bubblewrap; the usual ones unless told. */
  readonly bubblewraps?: readonly string[];
  /** Limits for the memory of all processes of a program; looked for unless told. */
  readonly memoryGroups?: MemoryGroups | null;
  /** Places to mount the folder of a program; the usual ones unless told. */
  readonly mountPoints?: readonly string[];
}

/** A bubblewrap that works here. Code of agents never runs without one. */
export function findCodeSandbox(options: FindSandboxOptions = {}): CodeSandbox {
  const program = (options.bubblewraps ?? bubblewraps).find(path => existsSync(path));
  if (program === undefined) throw noSandbox('bubblewrap is not installed');
  const missing = Object.values(limiters).find(path => !existsSync(path));
  if (missing !== undefined) throw noSandbox(`${missing} is not there (package util-linux)`);
  const filter = systemCallFilter();
  if (filter === null) throw noSandbox(`there is no filter of system calls for the processor ${arch()}`);
  const reasons: string[] = [];
  for (const mode of modesHere(options)) {
    const wrap: CodeSandbox['wrap'] = (command, given) => {
      const inside = [...timed(given.times), ...limited(mode, given.limits), ...command];
      const wrapped = [...mounted(mode, given.limits), program, ...wallsOf(mode, given), ...inside];
      return mode.groups === null ? wrapped : mode.groups.wrap(wrapped, totalMemory(given.limits));
    };
    const reason = tryCommand(wrap(['/bin/true'], { limits: trial, files: [], filter: 3, times: 1 }), filter);
    if (reason === null)
      return { filter, limitsTotalMemory: mode.groups !== null, limitsFiles: mode.mountPoint !== null, wrap };
    reasons.push(reason);
  }
  throw noSandbox([...new Set(reasons)].join('; '));
}

function wallsOf(mode: Mode, { limits, files, filter }: WrapOptions): string[] {
  const rights = mode.isRoot
    ? ['--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID']
    : ['--unshare-user', '--uid', '65534', '--gid', '65534'];
  return [...walls, ...rights, ...viewOf(mode, limits, files), '--seccomp', String(filter), '--'];
}

/** MB for all processes of a program together, and what it writes to its folder. */
function totalMemory({ memory, disk }: ProcessLimits): number {
  return Math.min(memory, mostMemory) + disk;
}

/** V8 reserves more address space than it uses. */
const mostMemory = 1024;

/** Why a command does not run; null when it does. */
function tryCommand([program = '', ...args]: readonly string[], filter: Buffer): string | null {
  const descriptor = openNameless(filter);
  const stdio = ['ignore' as const, 'ignore' as const, 'pipe' as const, descriptor];
  const { status, stderr, error } = spawnSync(program, args, { stdio, timeout: 20_000, encoding: 'utf8' });
  closeSync(descriptor);
  if (status === 0) return null;
  return stderr?.trim().split('\n').at(-1) || error?.message || `it ended with ${status}`;
}

const trial: ProcessLimits = { memory: 256, processes: 16, cpuSeconds: 5, disk: 1, files: 100 };

/** The strictest first. */
function modesHere({ memoryGroups, mountPoints: points = mountPoints }: FindSandboxOptions): Mode[] {
  const users = getuid?.() === 0 ? [true, false] : [false];
  // What lies below a mount is hidden: Node.js must not.
  const isFree = (path: string): boolean => existsSync(path) && !nodeProgram.startsWith(`${path}/`);
  const found = mounters.every(path => existsSync(path)) ? points.find(isFree) : undefined;
  const places = [...new Set([found ?? null, null])];
  return [...new Set([memoryGroups === undefined ? findMemoryGroups() : memoryGroups, null])].flatMap(groups =>
    users.flatMap(isRoot =>
      places.flatMap(mountPoint => [true, false].map(hasProc => ({ isRoot, hasProc, groups, mountPoint }))),
    ),
  );
}

/**
 * bubblewrap cannot limit the number of files. So the folder is mounted before it starts, in a mount namespace that ends with the
 * program: nothing is mounted outside, and nothing is left.
 */
function mounted({ isRoot, mountPoint }: Mode, { disk, files }: ProcessLimits): string[] {
  if (mountPoint === null) return [];
  const [unshare = '', mount = ''] = mounters;
  const user = isRoot ? [] : ['--user', '--map-root-user'];
  const options = `size=${disk * megabyte},nr_inodes=${files},mode=1777,nosuid,nodev`;
  const script = `${mount} -t tmpfs -o ${options} none ${mountPoint} && exec "$@"`;
  return [unshare, '--mount', '--propagation', 'private', ...user, '--', '/bin/sh', '-c', script, 'mounted'];
}

function viewOf({ hasProc, mountPoint }: Mode, { disk }: ProcessLimits, files: readonly SandboxFile[]): string[] {
  const memory = ['--perms', '1777', '--size', String(disk * megabyte), '--tmpfs', workFolder];
  return [
    ...['/etc', '/dev', '/opt', '/opt/espalier'].flatMap(folder => ['--perms', '0755', '--dir', folder]),
    ...shown.flatMap(path => ['--ro-bind-try', path, path]),
    '--ro-bind',
    nodeProgram,
    shownNode,
    ...devices.flatMap(path => ['--dev-bind', path, path]),
    ...Object.entries(links).flatMap(([name, number]) => ['--symlink', `/proc/self/fd/${number}`, `/dev/${name}`]),
    '--symlink',
    '/proc/self/fd',
    '/dev/fd',
    ...(hasProc ? ['--proc', '/proc'] : []),
    ...(mountPoint === null ? memory : ['--bind', mountPoint, workFolder]),
    '--symlink',
    workFolder,
    '/tmp',
    ...files.flatMap(({ path, descriptor, executable }) => [
      '--perms',
      executable ? '0755' : '0644',
      '--file',
      String(descriptor),
      path,
    ]),
    '--remount-ro',
    '/',
    '--chdir',
    workFolder,
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}

const megabyte = 1024 * 1024;

/** Free blocks of the folder, all of its files and the free ones. */
const roomLeft = `/usr/bin/stat -f -c 'room %a %c %d' ${workFolder}`;

/**
 * A shell around the limits tells what its children took: bubblewrap does not wait for them. The program does not have the
 * descriptor, and the shell's own words about signals are not the program's errors.
 */
function timed(descriptor: number): string[] {
  const script = `exec 9>&2 2>/dev/null; (unset SHLVL OLDPWD _; exec "$@" 2>&9 9>&- ${descriptor}>&-); c=$?; times >&${descriptor}; ${roomLeft} >&${descriptor}; exit $c`;
  return ['/bin/sh', '-c', script, 'timed'];
}

/** Set inside the sandbox: there only its own processes count. */
function limited({ isRoot }: Mode, { memory, processes, cpuSeconds, disk }: ProcessLimits): string[] {
  const stranger = String(strangers.from + randomInt(strangers.count));
  const user = ['--reuid', stranger, '--regid', stranger, '--clear-groups', '--inh-caps=-all', '--no-new-privs'];
  const limits = [
    `--as=${memory * megabyte}`,
    `--nproc=${processes}`,
    // A signal first, then an end that cannot be ignored.
    `--cpu=${cpuSeconds}:${cpuSeconds + 1}`,
    `--fsize=${disk * megabyte}`,
    '--nofile=256',
    '--core=0',
  ];
  return [...(isRoot ? [limiters.user, ...user] : []), limiters.limit, ...limits, '--'];
}

function noSandbox(reason: string): EspalierError {
  return new EspalierError({
    boundary: 'verifier',
    code: 'unavailable',
    message: `Programs of agents run only in a sandbox, and there is none: ${reason}.`,
    expected: 'Install bubblewrap (Debian: apt install bubblewrap) where user namespaces are allowed.',
  });
}
