import { EspalierError } from '../../../core/errors.ts';
import type { LiveSandbox, Ran, RunRequest } from '../sandbox/sandbox.ts';
import { usualLimits } from '../sandbox/sandbox.ts';
import { timesIn } from './clock.ts';
import { createScreen, type Screen } from './screen.ts';
import type { WorldGround, WorldState } from './state.ts';
import { withLayer, type FileTree } from './tree.ts';

export interface Typed {
  readonly state: WorldState;
  readonly screen: string;
  readonly cursor: { readonly row: number; readonly column: number };
  /** Whether the shell is still there. */
  readonly isOpen: boolean;
  /** What filled the disk is undone. */
  readonly isFull: boolean;
}

/** The live terminals of a world. */
interface Terminals {
  type(state: WorldState, keys: string): Promise<Typed>;
  /** Runs a command beside the live terminal of a state; null when it has none. */
  run(state: WorldState, request: RunRequest): Promise<{ readonly ran: Ran; readonly state: WorldState } | null>;
  leave(state: WorldState): Promise<void>;
  /** The state without its live terminal, for who goes on from its files elsewhere. */
  apart(state: WorldState): WorldState;
  /** Whether what lived in the terminal of a state is there, as it was. */
  isWhole(state: WorldState): boolean;
}

interface LiveTerminal {
  readonly id: number;
  readonly sandbox: LiveSandbox;
  readonly screen: Screen;
  /** Layers and files that it began over. */
  readonly below: Pick<WorldState, 'layers' | 'tree'>;
  version: number;
  /** The layer of its newest state. Nobody goes back to an older one, unless its files were wanted apart. */
  newest: string | null;
}

export const terminalSize = { rows: 24, columns: 80 } as const;
const mostSeconds = 5;
/** Of what is printed between two looks the last part counts: drawing it can take the emulator long. */
const mostPrinted = 2 ** 18;
/** A program may ask the terminal what it can do, and then ask again. */
const mostReplies = 4;
const notice = '[What lived in the terminal has ended, and a new shell began.]\r\n';

/** What programs need on a terminal, and histories that they would leave in the home. */
const interactive = {
  TERM: 'xterm-256color',
  HISTFILE: '/dev/null',
  LESSHISTFILE: '-',
  PYTHON_HISTORY: '/dev/null',
  SQLITE_HISTORY: '/dev/null',
  VIMINIT: 'set viminfo=',
};

/** The state without its live terminal: the screen is there, but what lived goes on elsewhere. */
function withoutLife(state: WorldState): WorldState {
  return state.terminal === undefined ? state : { ...state, terminal: { ...state.terminal, id: 0 } };
}

/** Processes of a terminal have no snapshot: whoever goes back replays what was typed. */
export function lifeEnded(task: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'diverged',
    message: `What lived in the terminal of task ${task} cannot be forked, and has changed or ended since its snapshot.`,
    expected: 'Replay the path in a fresh session, as trails do by themselves.',
  });
}

export function createTerminals(ground: WorldGround): Terminals {
  const { pool } = ground;
  const lives = new Map<number, LiveTerminal>();
  const wanted = new Set<string>();
  let ids = 0;
  const liveOf = ({ terminal }: WorldState): LiveTerminal | null => {
    const live = lives.get(terminal?.id ?? 0);
    return live !== undefined && live.version === terminal?.version ? live : null;
  };
  const end = async (live: LiveTerminal): Promise<void> => {
    lives.delete(live.id);
    await live.sandbox.close();
    live.screen.close();
  };
  const begin = async (state: WorldState): Promise<LiveTerminal> => {
    const sandbox = await pool.openLive(state.layers, requestIn(ground, state));
    const live = { id: ++ids, sandbox, screen: createScreen(terminalSize), below: state, version: 0, newest: null };
    if (state.terminal !== undefined) await live.screen.write(Buffer.from(notice));
    lives.set(live.id, live);
    return live;
  };
  // Else a terminal would fill the disk by being looked at.
  const next = async (live: LiveTerminal, state: WorldState): Promise<WorldState | null> => {
    const old = live.newest;
    const made = await frozen(ground, live, state);
    if (made !== null && old !== null && !wanted.has(old)) await pool.remove(old);
    return made;
  };
  return {
    async type(state, keys) {
      const live = liveOf(state) ?? (await begin(state));
      const isOpen = await typeInto(live, keys, requestIn(ground, state));
      const after = await next(live, state);
      const shown = { screen: live.screen.text(), cursor: live.screen.cursor() };
      if (!isOpen || after === null) await end(live);
      if (after === null) return { ...shown, state, isOpen: false, isFull: true };
      return { ...shown, state: isOpen ? after : withoutTerminal(after), isOpen, isFull: false };
    },
    async run(state, request) {
      const live = liveOf(state);
      const ran = live === null ? null : await live.sandbox.run(request);
      if (live === null || ran === null) return null;
      const after = await next(live, state);
      if (after !== null) return { ran, state: after };
      await end(live);
      return { ran: { ...ran, ended: 'disk', exitCode: null }, state: withoutLife(state) };
    },
    apart(state) {
      const [newest] = state.layers;
      if (newest !== undefined) wanted.add(newest);
      return withoutLife(state);
    },
    isWhole: state => (state.terminal?.id ?? 0) === 0 || liveOf(state) !== null,
    async leave(state) {
      const live = liveOf(state);
      if (live !== null) await end(live);
    },
  };
}

/** A request for a terminal, which is open longer than a command. */
export function interactively<T extends Pick<RunRequest, 'environment' | 'limits'>>(request: T): T {
  const { environment, limits } = request;
  return {
    ...request,
    environment: { ...environment, ...interactive },
    limits: { ...limits, cpuSeconds: longestCpuSeconds, outputBytes: mostPrinted },
  };
}

function requestIn({ environment, request, clock }: WorldGround, state: WorldState): Omit<RunRequest, 'command'> {
  const limits = { ...usualLimits, ...request?.limits };
  const timed = clock === undefined ? null : timesIn(clock, state);
  const all = { ...environment, ...timed?.environment };
  return interactively({ ...request, ...timed, place: state.place, environment: all, limits });
}

/** The state after something was done in a live terminal; null when the disk is full. */
async function frozen(
  { pool, isIncidental }: WorldGround,
  live: LiveTerminal,
  state: WorldState,
): Promise<WorldState | null> {
  const layer = await live.sandbox.freeze();
  if (layer === null) return null;
  const tree: FileTree = withLayer(live.below.tree, layer.entries, isIncidental);
  const terminal = { id: live.id, version: ++live.version, screen: live.screen.text() };
  live.newest = layer.entries.length > 0 ? layer.id : null;
  if (layer.entries.length > 0) return { ...state, tree, layers: [layer.id, ...live.below.layers], terminal };
  await pool.remove(layer.id);
  return { ...state, tree, layers: live.below.layers, terminal };
}

/** A terminal is open longer than a command: only the time that passes ends what it runs. */
const longestCpuSeconds = 600;

/** A shell that ended leaves no screen: the next keys begin another. */
function withoutTerminal({ layers, tree, place, ending }: WorldState): WorldState {
  return { layers, tree, place, ending };
}

/** Types, and answers what programs ask the terminal. Whether the shell is still there. */
export async function typeInto(
  { sandbox, screen }: Pick<LiveTerminal, 'screen'> & { readonly sandbox: Pick<LiveSandbox, 'type'> },
  keys: string,
  request: Omit<RunRequest, 'command'>,
): Promise<boolean> {
  let said = screen.keys(keys);
  for (let round = 0; round < mostReplies; round++) {
    const typed = await sandbox.type({ ...request, ...terminalSize, seconds: mostSeconds, keys: said });
    if (typed === null) return false;
    await screen.write(typed.output);
    if (!typed.isOpen) return false;
    said = screen.replies();
    if (said === '') break;
  }
  return true;
}
