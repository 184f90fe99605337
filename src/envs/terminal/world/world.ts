import { createDigest, type Digest } from '../../../core/digest.ts';
import { EspalierError } from '../../../core/errors.ts';
import type { Command, InitialFile, Layer, Limits, Place, Pool, Ran, Sandboxes } from '../sandbox/sandbox.ts';
import { usualLimits } from '../sandbox/sandbox.ts';
import type { TerminalTask } from './definition.ts';
import { timesIn, type PinnedClock } from './clock.ts';
import type { WorldGround, WorldState } from './state.ts';
import { createTerminals, type Typed } from './terminals.ts';
import { createMatcher, emptyTree, withLayer, type IsIncidental } from './tree.ts';

/** What all sessions of a task share: the layers of its start, and where those of its sessions lie. */
export interface World {
  readonly start: WorldState;
  readonly home: string;
  run(
    state: WorldState,
    command: Command,
    options?: RunOptions,
  ): Promise<{ readonly ran: Ran; readonly state: WorldState }>;
  /** The state with files of ours over it. */
  withFiles(state: WorldState, files: readonly InitialFile[]): Promise<WorldState>;
  /** Types into the terminal of a state, where a shell begins. What lives there goes on until the state is left. */
  type(state: WorldState, keys: string): Promise<Typed>;
  /** Ends what lives in the terminal of a state: nobody goes on from there. */
  leave(state: WorldState): Promise<void>;
  /** The state without what lives in its terminal, for who goes on from its files elsewhere. */
  apart(state: WorldState): WorldState;
  /** Whether what lived in the terminal of a state is there, as it was. */
  isWhole(state: WorldState): boolean;
  digest(state: WorldState): string;
  close(): Promise<void>;
}

interface RunOptions {
  readonly limits?: Partial<Limits>;
}

/** What every shell begins with. Times and seeds are fixed, so that a command does the same when it is replayed. */
export function environmentOf(home: string): Readonly<Record<string, string>> {
  const date = '2026-01-01T00:00:00Z';
  return {
    HOME: home,
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    USER: 'user',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'dumb',
    PAGER: 'cat',
    EDITOR: 'false',
    SOURCE_DATE_EPOCH: '1767225600',
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONHASHSEED: '0',
    GIT_AUTHOR_NAME: 'user',
    GIT_AUTHOR_EMAIL: 'user@box',
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: 'user',
    GIT_COMMITTER_EMAIL: 'user@box',
    GIT_COMMITTER_DATE: date,
  };
}

/** The index of git holds times and numbers of files. */
export const alwaysIncidental = ['**/.git/index', '**/.git/COMMIT_EDITMSG', '**/.git/ORIG_HEAD'];

/** Makes the start of a task in a pool of its own. */
export async function createWorld(sandboxes: Sandboxes, task: TerminalTask, clock?: PinnedClock): Promise<World> {
  const pool = await sandboxes.openPool();
  try {
    const { home, root } = sandboxes;
    return await worldIn(pool, { home, root, clock }, task);
  } catch (cause) {
    await pool.close();
    throw cause;
  }
}

export async function worldIn(
  pool: Pool,
  { home, root, clock }: Pick<Sandboxes, 'home' | 'root'> & Pick<WorldGround, 'clock'>,
  task: TerminalTask,
): Promise<World> {
  const isIncidental = createMatcher([...alwaysIncidental, ...(task.incidental ?? [])]);
  const environment = { ...environmentOf(home), ...task.variables };
  const request = task.limits === undefined ? {} : { limits: { ...usualLimits, ...task.limits } };
  const world = worldOver({ pool, home, environment, isIncidental, clock, request });
  const place: Place = { folder: home, exports: '' };
  const tree = withLayer(emptyTree, root, isIncidental);
  let start = await world.withFiles({ layers: [], tree, place, ending: null }, underHome(home, task.files));
  for (const command of task.setup ?? []) {
    const { ran, state } = await world.run(start, { kind: 'run', command });
    if (ran.exitCode !== 0) throw brokenSetup(command, ran);
    start = { ...state, place };
  }
  const withFiles: World['withFiles'] = (state, files) => world.withFiles(state, underHome(home, files));
  return { ...world, start, withFiles };
}

/** What worlds of every kind can do with their states. */
export function worldOver(ground: WorldGround): Omit<World, 'start'> {
  const { pool, home, isIncidental, request: usual, clock } = ground;
  const digest = createDigest();
  const terminals = createTerminals(ground);
  return {
    home,
    type: (state, keys) => terminals.type(state, keys),
    leave: state => terminals.leave(state),
    apart: state => terminals.apart(state),
    isWhole: state => terminals.isWhole(state),
    async run(state, command, { limits } = {}) {
      const all = { ...usualLimits, ...usual?.limits, ...limits };
      const timed = clock === undefined ? null : timesIn(clock, state);
      const environment = { ...ground.environment, ...timed?.environment };
      const request = { ...usual, ...timed, command, place: state.place, environment, limits: all };
      const live = await terminals.run(state, request);
      if (live !== null) return { ran: live.ran, state: placed(live.state, live.ran, environment) };
      const ran = await pool.run(state.layers, request);
      return { ran, state: withWritten(placed(state, ran, environment), ran.layer, isIncidental) };
    },
    async withFiles(state, files) {
      const layer = await pool.lay(files);
      const tree = withLayer(state.tree, layer.entries, isIncidental);
      return { ...state, layers: [layer.id, ...state.layers], tree };
    },
    digest: state => digestOf(state, digest),
    close: () => pool.close(),
  };
}

export function placed(state: WorldState, { place, ended }: Ran, given: Readonly<Record<string, string>>): WorldState {
  if (place === null || ended !== 'itself') return state;
  const stood = { ...place, exports: ownExports(place.exports, given) };
  return isSamePlace(stood, state.place) ? state : { ...state, place: stood };
}

function withWritten(state: WorldState, layer: Layer | null, isIncidental: IsIncidental): WorldState {
  if (layer === null) return state;
  const tree = withLayer(state.tree, layer.entries, isIncidental);
  // A layer of folders alone that changes nothing is left out; one with files may have new times in it.
  if (tree === state.tree && layer.entries.every(({ kind }) => kind === 'folder')) return state;
  return { ...state, tree, layers: [layer.id, ...state.layers] };
}

const exported = /^(?:declare -(\w*x\w*)|export) (\w+)(?:=["']?(.*?)["']?)?$/;

/** What a shell exports beside what it was given, and what it has not any more. */
function ownExports(text: string, given: Readonly<Record<string, string>>): string {
  const left = new Set(Object.keys(given));
  const kept = text.split('\n').filter(line => {
    const [, flags = 'x', name = '', value] = exported.exec(line) ?? [];
    left.delete(name);
    // One that nobody may change any more is not what it was.
    return line !== '' && (flags !== 'x' || given[name] !== value);
  });
  return [...kept, ...[...left].map(name => `unset ${name}`)].join('\n');
}

function isSamePlace(one: Place, other: Place): boolean {
  return one.folder === other.folder && one.exports === other.exports;
}

function digestOf({ tree, place, ending, terminal }: WorldState, digest: Digest): string {
  return digest({
    tree,
    place: { ...place },
    ...(ending === null ? {} : { ending: { ...ending } }),
    ...(terminal === undefined ? {} : { screen: terminal.screen }),
  });
}

/** Files below the home of the user, with the folders that they lie in. */
export function underHome(home: string, files: readonly InitialFile[]): InitialFile[] {
  const root = home.slice(1);
  const folders = new Map<string, InitialFile>();
  const given = new Map(files.map(file => [`${root}/${file.path}`, { ...file, path: `${root}/${file.path}` }]));
  for (const path of [`${root}/x`, ...given.keys()]) {
    const parts = path.split('/').slice(0, -1);
    for (let count = 1; count <= parts.length; count++) {
      const folder = parts.slice(0, count).join('/');
      // The home lies in a folder that nobody may write to.
      if (!given.has(folder))
        folders.set(folder, { path: folder, mode: count === 1 && root.includes('/') ? 0o555 : 0o755 });
    }
  }
  const all = [...folders.values(), ...given.values()];
  return all.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

export function brokenSetup(command: string, { output, exitCode }: Ran): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'template-failed',
    message: `The start of a terminal task could not be made: \`${command.slice(0, 200)}\` ended with ${exitCode ?? 'a limit'}: ${output.toString().trim().slice(-300)}`,
    expected: 'Expected a machine with the programs that the task uses.',
  });
}
