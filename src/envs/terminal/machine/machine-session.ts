import type { Action } from '../../../core/action.ts';
import type { Session, Snapshot } from '../../../core/contracts.ts';
import type { StepOutcome, Task, Verdict } from '../../../core/records.ts';
import { createScreen } from '../../../core/ui.ts';
import { malformation } from '../../../worlds/resolve.ts';
import { hasEnded, sessionClosed } from '../../../worlds/session.ts';
import { userHome } from '../sandbox/skeleton.ts';
import type { InitialFile } from '../sandbox/sandbox.ts';
import type { TerminalTask } from '../world/definition.ts';
import { judge } from '../world/judge.ts';
import { candidatesIn, foreignSnapshot, noScreen, screenOf } from '../world/session.ts';
import { callTool } from '../world/tools.ts';
import type { WorldState } from '../world/state.ts';
import type { World } from '../world/world.ts';
import { writeInto, type LiveMachine, type MachineWorld, type Moment } from './machine-world.ts';
import type { MachineState } from './settled.ts';

/** What the sessions of one task in machines share. */
export interface OpenMachine {
  readonly task: Task;
  readonly definition: TerminalTask;
  readonly world: MachineWorld;
  readonly solution: readonly Action[];
}

interface MachineSnapshotOf extends Snapshot {
  readonly world: MachineWorld;
  readonly moment: Moment;
}

/** A session in a machine of its own: a snapshot has its memory, and a fork goes on with everything that lived there. */
export async function createMachineSession(open: OpenMachine, start: Moment): Promise<Session> {
  const { task, world, definition, solution } = open;
  let live = await world.open(start);
  let [ending, isClosed] = [start.state.ending, false];
  const state = (): MachineState => {
    if (isClosed) throw sessionClosed(task.id);
    return { ...live.state(), ending };
  };
  // Forks and snapshots of one state share one moment.
  let kept: Promise<Moment> | null = null;
  const moment = async (): Promise<Moment> => ({ ...(await (kept ??= live.moment())), state: state() });
  const rollback = {
    snapshot: async (): Promise<MachineSnapshotOf> => ({ owner: task.id, world, moment: await moment() }),
    async restore(snapshot: Snapshot): Promise<void> {
      state();
      const given = snapshot as Partial<MachineSnapshotOf> | null | undefined;
      if (given?.world !== world || given.moment === undefined) throw foreignSnapshot(task.id);
      const next = await world.open(given.moment);
      await kept;
      await live.close();
      [live, ending, kept] = [next, given.moment.state.ending, Promise.resolve(given.moment)];
    },
    fork: async (): Promise<Session> => createMachineSession(open, await moment()),
  };
  return {
    task,
    observe: () => ({ text: createScreen(screenOf({ home: userHome }, state())).text }),
    ended: () => (state().ending === null ? null : 'terminated'),
    candidates: () => (state().ending === null ? candidatesIn(state()) : []),
    async step(action): Promise<StepOutcome> {
      const problem = state().ending === null ? malformation(action) : hasEnded;
      if (problem !== null) return { applied: false, problem };
      if (action.kind === 'finish') {
        ending = { answer: action.answer ?? null, infeasible: action.infeasible === true };
        return { applied: true, end: 'terminated' };
      }
      if (action.kind !== 'call') return { applied: false, problem: noScreen };
      if (action.tool === 'keys' && live.type === undefined) return { applied: false, problem: noTerminal };
      await kept;
      kept = null;
      return (await callTool(facade(world, live), state(), action)).outcome;
    },
    digest: () => world.digest(state()),
    async verify(): Promise<Verdict> {
      const now = await moment();
      return judge(checking(world, now), definition, now.state);
    },
    ...(world.forks === false ? {} : rollback),
    solution: () => [...solution],
    async close() {
      if (isClosed) return;
      isClosed = true;
      await live.close();
    },
  };
}

const noTerminal = {
  code: 'unknown-command',
  message: 'There is no terminal at a server. Start programs with run: they live on.',
};

function worldLike(world: MachineWorld, rest: Pick<World, 'run' | 'withFiles'> & Partial<Pick<World, 'type'>>): World {
  const none = (): never => {
    throw new Error('A machine does not do that.');
  };
  return {
    type: none,
    ...rest,
    start: world.start.state,
    home: userHome,
    digest: world.digest,
    leave: none,
    apart: none,
    isWhole: none,
    close: none,
  };
}

/** Commands run in the machine itself: its newest state is the only one. */
function facade(world: MachineWorld, live: LiveMachine): World {
  return worldLike(world, {
    run: async (_, command, options) => ({ ran: await live.run(command, options), state: live.state() }),
    async type(_, keys) {
      if (live.type === undefined) throw new Error('It has no terminal.');
      return { ...(await live.type(keys)), state: live.state(), isFull: false };
    },
    withFiles: state => Promise.resolve(state),
  });
}

/** Every command of a check runs in a fork of its own, which ends with it. */
function checking(world: MachineWorld, moment: Moment): World {
  const laid = new WeakMap<WorldState, readonly InitialFile[]>();
  return worldLike(world, {
    async run(state, command, options) {
      const live = await world.open(moment);
      try {
        await writeInto(live, laid.get(state) ?? []);
        return { ran: await live.run(command, { ...options, place: state.place }), state };
      } finally {
        await live.close();
      }
    },
    withFiles(state, files) {
      const next = { ...state };
      laid.set(next, files);
      return Promise.resolve(next);
    },
  });
}
