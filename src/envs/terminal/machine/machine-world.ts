import { createDigest } from '../../../core/digest.ts';
import { EspalierError } from '../../../core/errors.ts';
import { createLive, createPool, lowerOf } from '../sandbox/layered-sandboxes.ts';
import { entryOf, orderOf } from '../sandbox/orders.ts';
import type { Command, InitialFile, Limits, LiveSandbox, Ran } from '../sandbox/sandbox.ts';
import { usualLimits } from '../sandbox/sandbox.ts';
import { skeletonFiles, userHome } from '../sandbox/skeleton.ts';
import type { TerminalTask } from '../world/definition.ts';
import { createScreen, type Screen } from '../world/screen.ts';
import { interactively, terminalSize, typeInto, type Typed } from '../world/terminals.ts';
import { createMatcher, withLayer } from '../world/tree.ts';
import type { WorldState } from '../world/state.ts';
import { alwaysIncidental, environmentOf, placed, worldIn } from '../world/world.ts';
import type { Machine, Machines, MachineSnapshot } from './machines.ts';
import { settled, type MachineState, type Seen } from './settled.ts';

/** A moment of a machine that one can go back to. */
export interface Moment<S = unknown> {
  readonly snapshot: S;
  readonly state: MachineState;
  /** What its terminal printed since a shell began there. */
  readonly printed?: readonly Buffer[];
}

/** A running machine and its state, which commands change. */
export interface LiveMachine<S = unknown> {
  state(): MachineState;
  run(
    command: Command,
    options?: { readonly limits?: Partial<Limits>; readonly place?: WorldState['place'] },
  ): Promise<Ran>;
  /** Types into the terminal of the machine, where a shell begins; left out where there is none. */
  type?(keys: string): Promise<Pick<Typed, 'screen' | 'cursor' | 'isOpen'>>;
  moment(): Promise<Moment<S>>;
  close(): Promise<void>;
}

/** What the machines of one task share. */
export interface MachineWorld<S = unknown> {
  readonly start: Moment<S>;
  /** False where there are no snapshots: whoever goes back replays. Left out where there are. */
  readonly forks?: false;
  /** A machine that goes on from a moment, with everything that lived there. Fails unless its digest is that of the moment. */
  open(moment: Moment<S>): Promise<LiveMachine<S>>;
  digest(state: WorldState): string;
}

const disk = { bytes: 64 * 2 ** 20, files: 20_000 } as const;
const poolName = '1';
/** The one sandbox that lives in a machine, by the layer that it writes to. */
const liveName = `${poolName}/live`;
const user = 1000;
const environment = environmentOf(userHome);

export async function createMachineWorld(
  machines: Machines,
  task: TerminalTask,
): Promise<MachineWorld<MachineSnapshot>> {
  const isIncidental = createMatcher([...alwaysIncidental, ...(task.incidental ?? [])]);
  const digest = digestOfMachines();
  const machine = await machines.fork(machines.base);
  try {
    await machine.ask(['pool', poolName, disk.bytes, disk.files]);
    const inTurn = <T>(work: () => Promise<T>): Promise<T> => work();
    const pool = createPool(poolName, { supervisor: machine, inTurn, user });
    const { start } = await worldIn(pool, { home: userHome, root: skeletonFiles().map(entryOf) }, task);
    const request = {
      command: { kind: 'run', command: '' },
      place: start.place,
      environment,
      limits: usualLimits,
      user,
    } as const;
    await machine.ask(['live', liveName, lowerOf(start.layers), liveName, ...orderOf(request)]);
    const treeOf: TreeOf = entries => withLayer(start.tree, entries, isIncidental);
    const first = { state: { ...start, processes: [] as string[] }, snapshot: await machine.snapshot() };
    return {
      start: first,
      digest,
      async open(moment) {
        const forked = await machines.fork(moment.snapshot);
        const live = liveMachine(forked, { ...moment, treeOf, digest });
        const found = { ...moment.state, ...(await live.look()) };
        if (digest(found) === digest(moment.state)) return live;
        await forked.close();
        throw differs(moment.state);
      },
    };
  } finally {
    await machine.close();
  }
}

export function digestOfMachines(): MachineWorld['digest'] {
  const digest = createDigest();
  return state => {
    const { tree, place, ending, processes, terminal } = state as MachineState;
    return digest({
      tree,
      place: { ...place },
      processes: [...processes],
      ...(ending === null ? {} : { ending: { ...ending } }),
      ...(terminal === undefined ? {} : { screen: terminal.screen }),
    });
  };
}

type TreeOf = (entries: Parameters<typeof withLayer>[1]) => WorldState['tree'];

interface LiveOptions extends Pick<Moment, 'state' | 'printed'> {
  readonly treeOf: TreeOf;
  readonly digest: MachineWorld['digest'];
}

function liveMachine(machine: Machine, { state: first, printed: before = [], treeOf, digest }: LiveOptions) {
  let [state, printed] = [first, before];
  const sandbox: LiveSandbox = createLive(liveName, { supervisor: machine, user, nextLayer: () => liveName });
  const look = async (): Promise<Seen> => {
    const { entries, ...seen } = await sandbox.look();
    return { ...seen, tree: treeOf(entries) };
  };
  const settle = async (next: WorldState): Promise<MachineState> => ({
    ...next,
    ...(await settled(await look(), { look, digest: seen => digest({ ...next, ...seen }) })),
  });
  return {
    look,
    state: () => state,
    async run(command: Command, { limits, place = state.place }: Parameters<LiveMachine['run']>[1] = {}) {
      const request = { command, place, environment, limits: { ...usualLimits, ...limits } };
      const ran = await sandbox.run(request);
      if (ran === null) throw differs(state);
      state = await settle(placed(state, ran, environment));
      return ran;
    },
    async type(keys: string) {
      const screen = await screenOf(printed, piece => (printed = [...printed, piece]));
      const request = interactively({ place: state.place, environment, limits: usualLimits });
      const isOpen = await typeInto({ sandbox, screen }, keys, request);
      const shown = { screen: screen.text(), cursor: screen.cursor(), isOpen };
      screen.close();
      const { terminal: _, ...rest } = state;
      // A shell that ended leaves no screen: the next keys begin another.
      if (!isOpen) printed = [];
      state = await settle(isOpen ? { ...rest, terminal: { id: 1, version: 0, screen: shown.screen } } : rest);
      return shown;
    },
    moment: async () => ({ state, printed, snapshot: await machine.snapshot() }),
    close: () => machine.close(),
  };
}

/** The screen of a terminal that has printed this; what it prints from now on is told. */
async function screenOf(printed: readonly Buffer[], onPrinted: (piece: Buffer) => void): Promise<Screen> {
  const screen = createScreen(terminalSize);
  for (const piece of printed) await screen.write(piece);
  // Programs have had their answers.
  screen.replies();
  return {
    ...screen,
    async write(piece) {
      onPrinted(piece);
      await screen.write(piece);
    },
  };
}

/** Writes files of a check into a machine that nobody uses afterwards. */
export async function writeInto(live: LiveMachine, files: readonly InitialFile[]): Promise<void> {
  for (const { path, content, mode, link } of files) {
    const place = `${userHome}/${path}`;
    const quoted = `'${place.replaceAll("'", String.raw`'\''`)}'`;
    if (link !== undefined)
      await live.run({ kind: 'run', command: `ln -sfn -- '${link.replaceAll("'", String.raw`'\''`)}' ${quoted}` });
    else if (content === undefined) await live.run({ kind: 'run', command: `mkdir -p -- ${quoted}` });
    else await live.run({ kind: 'write', path: place, content: Buffer.from(content as string).toString() });
    if (mode !== undefined && link === undefined)
      await live.run({ kind: 'run', command: `chmod ${mode.toString(8)} ${quoted}` });
  }
}

export function differs({ movesStill = false }: MachineState): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'diverged',
    message: `A machine that was forked does not have the files and processes of its snapshot${movesStill ? ': before it was taken, a process still ran or changed them by itself' : ''}.`,
    expected: 'Expected the same digest. Let commands wait until what they leave behind waits itself.',
  });
}
