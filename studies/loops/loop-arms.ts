import { join } from 'node:path';
import type { ConfigDraft } from '../../src/runs/config/config.ts';
import { runLoop } from '../../src/runs/loop.ts';
import {
  gather,
  spentIn,
  stepsOf,
  StudyStopped,
  teachAll,
  within,
  writeRows,
  type Lessons,
  type StudySetting,
} from './equal-steps.ts';

/** Made-up apps: rows come from the first, figures from the others. */
const trained = ['synth:101', 'synth:102', 'synth:103'];
const heldOut = ['synth:201', 'synth:202', 'synth:203', 'synth:204'];

/** Students that were made with a loop, or without it, and the steps that they learned from. */
interface Side {
  readonly students: readonly string[];
  readonly steps: number;
}

interface Sides {
  readonly with: Side;
  readonly without: Side;
}

/** A loop, what the paper compares it with, and the tasks that both are evaluated on. */
export interface LoopArm {
  readonly name: string;
  readonly loop: string;
  readonly beside: string;
  readonly environments: readonly string[];
  /** Tasks of each template for each of those of other arms: where there are few templates. */
  readonly times?: number;
  make(setting: StudySetting): Promise<Sides>;
}

/** Forged tasks of these kinds. No command is kept for held-out templates: whole apps are held out here. */
function forged(apps: readonly string[], kinds: string): readonly string[] {
  return apps.map(app => `forge:${app},kinds=${kinds},held-out=yes`);
}

type Collecting = Omit<ConfigDraft, 'run' | 'round' | 'instances'>;

const shown = { student: { kind: 'planner' }, strategy: { kind: 'linear' } } as const;

/** Demonstrations of the planner, one of each template: what students learn from before a loop. */
async function startLessons(setting: StudySetting): Promise<Lessons> {
  const spent = await gather({ ...setting, steps: 1 }, 'start', { environments: trained, ...shown });
  const rows = [await writeRows(setting, { from: 'start', to: 'start-rows', keep: 'all' })];
  return { rows, tasks: spent.map(({ task }) => task), steps: stepsOf(spent) };
}

/** Collects as told, and teaches from the tasks that the steps cover. */
async function side(
  setting: StudySetting,
  { name, collecting, base }: { name: string; collecting: Collecting; base: readonly Lessons[] },
): Promise<Side> {
  const lessons = within(await gather(setting, name, collecting), setting.steps);
  const rows = [await writeRows(setting, { from: name, to: `${name}-rows`, keep: 'all' })];
  return { students: teachAll(setting, `${name}-student`, [{ ...lessons, rows }, ...base]), steps: lessons.steps };
}

/** The student that acts in a loop: it has learned from the demonstrations alone. */
function beginner(setting: StudySetting, start: Lessons): ConfigDraft['student'] {
  const [file] = teachAll({ ...setting, seeds: 1 }, 'start', [start]);
  return { kind: 'learned', file: file as string };
}

const retry: LoopArm = {
  name: 'retry',
  loop: 'retry from the step that the teacher rejects, twice',
  beside: 'three attempts from the start',
  environments: heldOut,
  async make(setting) {
    const start = await startLessons(setting);
    const student = beginner(setting, start);
    const collecting = (strategy: ConfigDraft['strategy']): Collecting => ({
      environments: trained,
      student,
      strategy,
    });
    return {
      with: await side(setting, {
        name: 'retry',
        collecting: collecting({ kind: 'retry', hint: false }),
        base: [start],
      }),
      without: await side(setting, {
        name: 'attempts',
        collecting: collecting({ kind: 'best-of-n', attempts: 3 }),
        base: [start],
      }),
    };
  },
};

const alternatives: LoopArm = {
  name: 'alternatives',
  loop: 'two other actions in each state of the planner, and the step back',
  beside: 'more paths of the planner',
  environments: heldOut,
  async make(setting) {
    const student = beginner(setting, await startLessons(setting));
    const strategy = { kind: 'alternatives', width: 2, recover: true };
    return {
      with: await side(setting, {
        name: 'alternatives',
        collecting: { environments: trained, student, strategy },
        base: [],
      }),
      without: await side(setting, { name: 'shown', collecting: { environments: trained, ...shown }, base: [] }),
    };
  },
};

const mask: LoopArm = {
  name: 'mask',
  loop: 'steps below the grade are masked',
  beside: 'all steps of the same attempts',
  environments: heldOut,
  async make(setting) {
    const start = await startLessons(setting);
    const strategy = { kind: 'linear' };
    const collecting = { environments: trained, student: beginner(setting, start), strategy, trials: 4 };
    const lessons = within(await gather(setting, 'graded', collecting), setting.steps);
    const taught = async (to: string, rules: readonly string[]): Promise<Side> => {
      const rows = [await writeRows(setting, { from: 'graded', to, keep: 'verified', mask: rules })];
      return { students: teachAll(setting, `${to}-student`, [{ ...lessons, rows }, start]), steps: lessons.steps };
    };
    return { with: await taught('masked', ['grades.mask']), without: await taught('unmasked', []) };
  },
};

const forge: LoopArm = {
  name: 'forge',
  loop: 'forge, train, forge: tasks where the student failed',
  beside: 'as many tasks of every template',
  environments: forged(heldOut, 'commands'),
  async make(setting) {
    const start = await startLessons(setting);
    await runForging(setting, 'none');
    await runForging(setting, 'failures');
    // Both learn from as many steps as the shorter loop took.
    const spent = {
      none: spentIn(join(setting.folder, 'forge-none')),
      failures: spentIn(join(setting.folder, 'forge-failures')),
    };
    const steps = Math.min(stepsOf(spent.none), stepsOf(spent.failures));
    const taught = (focus: keyof typeof spent): Side => {
      const lessons = within(spent[focus], steps);
      const rows = [join(setting.folder, `forge-${focus}`)];
      return {
        students: teachAll(setting, `forge-${focus}-student`, [{ ...lessons, rows }, start]),
        steps: lessons.steps,
      };
    };
    return { with: taught('failures'), without: taught('none') };
  },
};

/** Three rounds of the loop itself, in as many tasks. */
async function runForging({ folder, host, signal }: StudySetting, focus: 'none' | 'failures'): Promise<void> {
  const rounds = runLoop({
    folder: join(folder, `forge-${focus}`),
    draft: {
      run: `forge-${focus}`,
      environments: forged(trained, 'commands'),
      strategy: { kind: 'speculative-rollback' },
    },
    rounds: 3,
    instances: [1],
    imitate: false,
    start: join(folder, 'start-rows'),
    focus,
    evaluationInstances: 1,
    baselines: false,
    host,
    signal,
  });
  let last = 0;
  for await (const { round } of rounds) last = round;
  if (last < 3) throw new StudyStopped();
}

const roles: LoopArm = {
  name: 'roles',
  loop: 'a policy for each role',
  beside: 'one policy for both roles',
  environments: heldOut.map(app => `team:${app}`),
  async make(setting) {
    const collecting: Collecting = {
      environments: trained.map(app => `team:${app}`),
      student: { kind: 'team', members: { planner: { student: 'planner' }, executor: { student: 'planner' } } },
      strategy: { kind: 'linear' },
    };
    const lessons = within(await gather(setting, 'team', collecting), setting.steps);
    const taught = async (to: string, rules: readonly string[]): Promise<readonly string[]> => {
      const rows = [await writeRows(setting, { from: 'team', to, keep: 'all', mask: rules })];
      return teachAll(setting, `${to}-student`, [{ ...lessons, rows }]);
    };
    const planners = await taught('planner-role', ['agents.executor']);
    const executors = await taught('executor-role', ['agents.planner']);
    const teams = planners.map((planner, at) => `team:planner=${planner},executor=${executors[at] as string}`);
    return {
      with: { students: teams, steps: lessons.steps },
      without: { students: await taught('shared-role', []), steps: lessons.steps },
    };
  },
};

const events: LoopArm = {
  name: 'events',
  loop: 'tasks of two days, with a change overnight, among the others',
  beside: 'the same commands without days',
  environments: forged(heldOut, 'days'),
  times: 6,
  async make(setting) {
    const collecting = (kinds: string): Collecting => ({ environments: forged(trained, kinds), ...shown });
    return {
      with: await side(setting, { name: 'days', collecting: collecting('commands+days'), base: [] }),
      without: await side(setting, { name: 'quiet', collecting: collecting('commands'), base: [] }),
    };
  },
};

export const loopArms: readonly LoopArm[] = [retry, alternatives, mask, forge, roles, events];
