import { hash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import thisProcess from 'node:process';
import type { Sandbox, SandboxOpts } from 'e2b';
import { causeText, EspalierError } from '../../../core/errors.ts';
import { isAlive } from '../../code/sandbox/memory-group.ts';
import type { RemoteSandbox, RemoteServer } from './remote-server.ts';

export interface E2bOptions {
  /** The template that sandboxes are made of; the usual one of the server when left out. */
  readonly template?: string | undefined;
  /** Where the server is and the key; by the environment when left out: `E2B_API_KEY`, `E2B_DOMAIN`, `E2B_API_URL`, `E2B_SANDBOX_URL`. */
  readonly connection?: { readonly apiUrl: string; readonly sandboxUrl: string; readonly apiKey: string };
}

type SandboxClass = typeof Sandbox;

/** A sandbox that nobody uses for so long is paused by the server. */
const timeoutMs = 600_000;
const label = 'espalier';
/** An argument of a command may have 128 KiB. */
const longestArgument = 60_000;
const ids = { machine: 12 } as const;

/** Sandboxes of a server that speaks the API of E2B, by its own client. */
export async function openE2b({ template, connection }: E2bOptions = {}): Promise<RemoteServer> {
  const { Sandbox: client } = await import('e2b').catch((cause: unknown) => {
    throw noClient(cause);
  });
  const given = { ...connection, validateApiKey: false } as const;
  const machine = thisMachine();
  const made = { sandboxes: new Set<string>(), snapshots: new Set<string>(), count: 0, hasSnapshots: true };
  await guarded('list sandboxes', () => sweep(client, given, machine));
  const metadata = { [label]: 'terminal', machine, process: String(thisProcess.pid) };
  const options: SandboxOpts = { ...given, timeoutMs, metadata, lifecycle: { onTimeout: 'pause' } };
  return {
    create: snapshot =>
      guarded('make a sandbox', async () => {
        const from = snapshot ?? template;
        const sandbox = await (from === undefined ? client.create(options) : client.create(from, options));
        made.sandboxes.add(sandbox.sandboxId);
        return remoteSandbox(sandbox, {
          client,
          given,
          snapshotName: () => `${label}-${machine}-${thisProcess.pid}-${++made.count}`,
          hasSnapshots: () => made.hasSnapshots,
          isFirst: () => made.snapshots.size === 0,
          onSnapshot: id => (id === null ? (made.hasSnapshots = false) : made.snapshots.add(id)),
          onKilled: () => made.sandboxes.delete(sandbox.sandboxId),
        });
      }),
    async close() {
      await Promise.all([...made.sandboxes].map(id => client.kill(id, given)));
      await Promise.all([...made.snapshots].map(id => client.deleteSnapshot(id, given)));
    },
  };
}

type Given = Pick<SandboxOpts, 'apiUrl' | 'sandboxUrl' | 'apiKey' | 'validateApiKey'>;

interface SandboxHost {
  readonly client: SandboxClass;
  readonly given: Given;
  snapshotName(): string;
  hasSnapshots(): boolean;
  /** Whether nobody has made a snapshot yet: later ones that fail say nothing of the server. */
  isFirst(): boolean;
  /** Null says that the server makes none. */
  onSnapshot(id: string | null): void;
  onKilled(): void;
}

function remoteSandbox(sandbox: Sandbox, host: SandboxHost): RemoteSandbox {
  const { client, given } = host;
  let using = sandbox;
  return {
    exec: ({ program, input, seconds }) =>
      guarded('run a command', async () => {
        let argument = input;
        if (input.length > longestArgument) {
          argument = `@/tmp/${label}-${randomUUID()}`;
          await using.files.write(argument.slice(1), input, { user: 'root' });
        }
        const command = `exec perl -e ${quoted(program)} ${quoted(argument)}`;
        const { stdout } = await using.commands.run(command, { user: 'root', cwd: '/', timeoutMs: seconds * 1000 });
        return stdout;
      }),
    keep: () =>
      guarded('keep a sandbox', async () => {
        try {
          await using.setTimeout(timeoutMs);
          return false;
        } catch {
          using = await client.connect(using.sandboxId, { ...given, timeoutMs });
          return true;
        }
      }),
    async snapshot() {
      if (!host.hasSnapshots()) return null;
      try {
        const { snapshotId } = await using.createSnapshot({ name: host.snapshotName() });
        host.onSnapshot(snapshotId);
        return snapshotId;
      } catch (cause) {
        if (isMissing(cause) && host.isFirst()) {
          host.onSnapshot(null);
          return null;
        }
        throw lost('make a snapshot', cause);
      }
    },
    kill: () =>
      guarded('end a sandbox', async () => {
        host.onKilled();
        await using.kill();
      }),
  };
}

/** Whether a server says that it has no such thing as snapshots. */
function isMissing(cause: unknown): boolean {
  return /\b(?:404|405|501)\b|not found|not implemented/i.test(causeText(cause));
}

/** Ends what processes of this machine left that are gone. */
async function sweep(client: SandboxClass, given: Given, machine: string): Promise<void> {
  const sandboxes = client.list({ ...given, query: { metadata: { [label]: 'terminal', machine } } });
  while (sandboxes.hasNext)
    for (const { sandboxId, metadata } of await sandboxes.nextItems())
      if (metadata['machine'] === machine && !isAlive(Number(metadata['process']))) await client.kill(sandboxId, given);
  try {
    const snapshots = client.listSnapshots(given);
    const ours = new RegExp(`${label}-${machine}-(\\d+)-`);
    while (snapshots.hasNext)
      for (const { snapshotId, names } of await snapshots.nextItems()) {
        const [, owner] = ours.exec([snapshotId, ...names].join(' ')) ?? [];
        if (owner !== undefined && !isAlive(Number(owner))) await client.deleteSnapshot(snapshotId, given);
      }
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
  }
}

function thisMachine(): string {
  const file = '/etc/machine-id';
  const id = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return hash('sha256', `${hostname()} ${id}`).slice(0, ids.machine);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

async function guarded<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw lost(what, cause);
  }
}

function lost(what: string, cause: unknown): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: `The server of sandboxes could not ${what}: ${causeText(cause)}`,
    expected:
      'Expected a server that speaks the API of E2B: its key in E2B_API_KEY, and where it is not e2b.app, its domain in E2B_DOMAIN, or its addresses in E2B_API_URL and E2B_SANDBOX_URL.',
    cause,
  });
}

function noClient(cause: unknown): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: 'Terminals at a server of sandboxes need the package e2b, which is not installed.',
    expected: 'Install it: npm install e2b.',
    cause,
  });
}
