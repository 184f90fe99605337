import { EspalierError } from '../../../core/errors.ts';
import { packFields, unpackFields, type Field } from '../sandbox/frames.ts';
import { fieldsOf, orderOf, ranAs } from '../sandbox/orders.ts';
import type { Command, Ran } from '../sandbox/sandbox.ts';
import { usualLimits } from '../sandbox/sandbox.ts';
import { userHome } from '../sandbox/skeleton.ts';
import type { WorldHost } from '../machine/machine-environment.ts';
import { settled, type MachineState, type Seen } from '../machine/settled.ts';
import {
  differs,
  digestOfMachines,
  type LiveMachine,
  type MachineWorld,
  type Moment,
} from '../machine/machine-world.ts';
import type { TerminalTask } from '../world/definition.ts';
import { createMatcher, incidentalFile, shortHash, treeOf, type FileNode, type IsIncidental } from '../world/tree.ts';
import { alwaysIncidental, brokenSetup, environmentOf, placed, underHome } from '../world/world.ts';
import type { RemoteSandbox, RemoteServer } from './remote-server.ts';
import { runnerSource } from './runner-source.ts';

/** A snapshot of the server. Where it makes none, the commands since the start: they run again in a fresh sandbox. */
type RemoteSnapshot = { readonly id: string } | { readonly commands: readonly Ordered[] };
type RemoteMoment = Moment<RemoteSnapshot>;

interface Ordered {
  readonly command: Command;
  readonly options: Parameters<LiveMachine['run']>[1];
}

const environment = environmentOf(userHome);
const user = 1000;
/** The answer may take longer than the command. */
const patience = 30;
const emptyPlace = { folder: userHome, exports: '' };

/** Worlds at a server. */
export function hostOf(server: RemoteServer): WorldHost {
  return { world: task => createRemoteWorld(server, task), close: () => server.close() };
}

/** The world of a task in sandboxes of a server. A sandbox that goes on from a snapshot must have its files and processes. */
async function createRemoteWorld(server: RemoteServer, task: TerminalTask): Promise<MachineWorld<RemoteSnapshot>> {
  const isIncidental = createMatcher([...alwaysIncidental, ...(task.incidental ?? [])]);
  const digest = digestOfMachines();
  const make = async (): Promise<LiveRemote> => {
    const live = liveRemote(await server.create(null), { isIncidental, digest });
    try {
      await live.lay(fieldsOf(underHome(userHome, task.files)));
      for (const command of task.setup ?? []) {
        const ran = await live.run({ kind: 'run', command }, { place: emptyPlace });
        if (ran.exitCode !== 0) throw brokenSetup(command, ran);
      }
      live.begin();
      return live;
    } catch (cause) {
      await live.close();
      throw cause;
    }
  };
  const first = await make();
  const start = await first.moment();
  await first.close();
  return {
    start,
    digest,
    ...('id' in start.snapshot ? {} : { forks: false as const }),
    async open({ snapshot, state }) {
      const isThere = 'id' in snapshot;
      const live = isThere
        ? liveRemote(await server.create(snapshot.id), { isIncidental, digest, state })
        : await make();
      for (const { command, options } of isThere ? [] : snapshot.commands) await live.run(command, options);
      const found = await live.look();
      if (digest({ ...state, ...found }) === digest(state)) return live;
      await live.close();
      throw differs(state);
    },
  };
}

interface LiveRemote extends LiveMachine<RemoteSnapshot> {
  lay(files: readonly Field[]): Promise<void>;
  look(): Promise<Seen>;
  /** What was done until now made the start: everybody stands in the home. */
  begin(): void;
}

interface LiveOptions {
  readonly isIncidental: IsIncidental;
  readonly state?: MachineState;
  digest(state: MachineState): string;
}

function liveRemote(sandbox: RemoteSandbox, { isIncidental, digest, state: first }: LiveOptions): LiveRemote {
  let state: MachineState = first ?? { layers: [], tree: treeOf([]), place: emptyPlace, ending: null, processes: [] };
  let commands: readonly Ordered[] = [];
  const ask = async (fields: readonly Field[], seconds: number): Promise<{ said: Buffer[]; seen: Seen }> => {
    const input = packFields(fields).toString('base64');
    const printed = await sandbox.exec({ program: runnerSource, input, seconds: seconds + patience });
    const [how = '', said, files, processes] = unpackFields(Buffer.from(printed, 'base64'));
    if (String(how) !== 'ok' || files === undefined || processes === undefined)
      throw lost(String(said ?? 'it did not answer').trim());
    const [busy, ...lines] = unpackFields(processes).map(String);
    const tree = treeOf(nodesOf(unpackFields(files), isIncidental));
    return {
      said: unpackFields(said ?? Buffer.alloc(0)),
      seen: { tree, processes: lines, isRunning: busy !== '0' },
    };
  };
  const look = async (): Promise<Seen> => (await ask(['look'], 0)).seen;
  return {
    look,
    state: () => state,
    begin() {
      state = { ...state, place: emptyPlace };
      commands = [];
    },
    async lay(files) {
      state = { ...state, ...(await ask(['lay', ...files], patience)).seen };
    },
    async run(command: Command, options: Ordered['options'] = {}): Promise<Ran> {
      const { limits, place = state.place } = options;
      commands = [...commands, { command, options }];
      // A sandbox that was paused is as it was, or is not used.
      if ((await sandbox.keep()) && digest({ ...state, ...(await look()) }) !== digest(state)) throw differs(state);
      const all = { ...usualLimits, ...limits };
      const order = orderOf({ command, place, environment, limits: all, user });
      const { said, seen } = await ask(['do', ...order], all.wallSeconds);
      const ran = ranAs('', said);
      const next = placed(state, ran, environment);
      state = { ...next, ...(await settled(seen, { look, digest: found => digest({ ...next, ...found }) })) };
      return ran;
    },
    async moment(): Promise<RemoteMoment> {
      const id = await sandbox.snapshot();
      return { state, snapshot: id === null ? { commands } : { id } };
    },
    close: () => sandbox.kill(),
  };
}

const fieldsOfFile = 4;

function nodesOf(fields: readonly Buffer[], isIncidental: IsIncidental): [string, FileNode][] {
  const nodes: [string, FileNode][] = [];
  for (let at = 0; at < fields.length; at += fieldsOfFile) {
    const [kind = '', path = '', bits = '', said = ''] = fields.slice(at, at + fieldsOfFile).map(String);
    nodes.push([path, nodeOf({ kind, mode: Number(bits), said, isIncidental: isIncidental(path) })]);
  }
  return nodes;
}

interface Listed {
  readonly kind: string;
  readonly mode: number;
  readonly said: string;
  readonly isIncidental: boolean;
}

function nodeOf({ kind, mode, said, isIncidental }: Listed): FileNode {
  if (kind === 'd') return { kind: 'folder', mode, names: {} };
  if (kind === 'l') return { kind: 'link', target: said };
  if (kind !== 'f') return { kind: 'special', mode, what: '' };
  if (isIncidental) return incidentalFile(mode);
  const [size = '', hash = ''] = said.split(' ');
  return { kind: 'file', mode, size: Number(size), hash: shortHash(hash) };
}

function lost(reason: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: `A sandbox of the server cannot be used: ${reason}`,
    expected: 'Expected a template with bash, perl and coreutils, as Debian and Ubuntu have them.',
  });
}
