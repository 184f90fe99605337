import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { EspalierError } from '../../core/errors.ts';

export interface PostgresServerOptions {
  /** Keeps the database; made where it is not there. */
  readonly folder: string;
  readonly host: string;
  readonly port: number;
  /** At once; enough for a fleet on one machine when left out. */
  readonly connections?: number;
  /** The folder of initdb and postgres; the newest of this machine when left out. */
  readonly programs?: string;
  /** What the server is started with beside its own. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface PostgresServer {
  /** With its password. */
  readonly address: string;
  readonly pid: number;
  /** Resolves with why it ended. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

const usualConnections = 800;

/** Starts a Postgres that stops with this program. Its password is made with its folder. */
export async function startPostgresServer(options: PostgresServerOptions): Promise<PostgresServer> {
  const { folder, host, port, connections = usualConnections } = options;
  const programs = options.programs ?? findPrograms();
  const place = resolve(folder);
  const user = unprivileged();
  mkdirSync(place, { recursive: true, mode: 0o700 });
  if (user !== null) chownSync(place, user.uid, user.gid);
  const data = join(place, 'data');
  const passwordFile = join(place, 'password');
  const as = user === null ? [] : ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  if (!existsSync(passwordFile)) {
    writeFileSync(passwordFile, randomBytes(18).toString('base64url'), { mode: 0o600 });
    if (user !== null) chownSync(passwordFile, user.uid, user.gid);
  }
  if (!existsSync(join(data, 'PG_VERSION'))) {
    const flags = ['-D', data, '-U', 'espalier', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'];
    runQuietly([...as, join(programs, 'initdb'), ...flags, '--locale=C', '-N']);
  }
  if (!isLoopback(host)) allowOthers(join(data, 'pg_hba.conf'));
  const own = { listen_addresses: host, max_connections: connections, unix_socket_directories: place };
  const settings = { ...options.settings, ...own };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Were this program killed, the server would go on without it.
  const [program = '', ...rest] = [
    ...(as.length === 0 ? ['setpriv'] : as),
    '--pdeathsig=INT',
    join(programs, 'postgres'),
    '-D',
    data,
    '-p',
    String(port),
    ...flags,
  ];
  const child = spawn(program, rest, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const said = await listening(child, port);
  const password = readFileSync(passwordFile, 'utf8');
  const ended = new Promise<string>(done => child.once('exit', (code, signal) => done(`${signal ?? code}. ${said()}`)));
  return {
    address: `postgres://espalier:${password}@${isLoopback(host) ? '127.0.0.1' : host}:${port}/postgres`,
    pid: child.pid ?? 0,
    ended,
    async stop() {
      child.kill('SIGINT');
      await ended;
    },
  };
}

function isLoopback(host: string): boolean {
  return host === '127.0.0.1' || host === 'localhost' || host === '::1';
}

function allowOthers(file: string): void {
  const line = 'host all all all scram-sha-256\n';
  const text = readFileSync(file, 'utf8');
  if (!text.includes(line)) writeFileSync(file, `${text}${line}`);
}

/** Postgres refuses to run as root: it gets the user that its package made, or nobody. */
function unprivileged(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const found = ['postgres', 'nobody'].map(name => users.find(line => line.startsWith(`${name}:`))).find(Boolean);
  const [, , uid, gid] = (found ?? '').split(':').map(Number);
  return { uid: uid ?? 65_534, gid: gid ?? 65_534 };
}

function findPrograms(): string {
  const folders = [...globSync('/usr/lib/postgresql/*/bin'), ...(process.env['PATH'] ?? '').split(delimiter)];
  const found = folders
    .toReversed()
    .find(folder => ['initdb', 'postgres'].every(name => existsSync(join(folder, name))));
  if (found !== undefined) return found;
  throw new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: 'There is no Postgres on this machine: neither in /usr/lib/postgresql nor on the PATH.',
    expected:
      'Install one, such as apt-get install postgresql, or give workers and runs the address of another Postgres.',
  });
}

function runQuietly([program = '', ...flags]: readonly string[]): void {
  try {
    execFileSync(program, flags, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  } catch (cause) {
    throw notStarted(String((cause as { stderr?: string }).stderr ?? cause));
  }
}

/** Waits until it takes connections; gives the last that it said. */
function listening(child: ChildProcess, port: number): Promise<() => string> {
  let said = '';
  return new Promise((done, fail) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-2000);
      if (said.includes('ready to accept connections')) done(() => said.trim().split('\n').at(-1) ?? '');
    });
    child.once('error', cause => fail(notStarted(cause.message)));
    child.once('exit', () =>
      fail(notStarted(said.includes('Address already in use') ? `port ${port} is taken` : said)),
    );
  });
}

function notStarted(why: string): EspalierError {
  return new EspalierError({
    boundary: 'store',
    code: 'unavailable',
    message: `Postgres does not start: ${why.trim()}.`,
    expected: 'Expected a free port (--port) and a folder that its user can reach (--data).',
  });
}
