import { causeText } from '../../core/errors.ts';
import type { Verdict } from '../../core/records.ts';
import type { Admission } from '../../worlds/admission.ts';
import type { TerminalTemplate } from './domains/template.ts';
import { drawTask } from './environment.ts';
import type { Sandboxes } from './sandbox/sandbox.ts';
import type { PinnedClock } from './world/clock.ts';
import type { TerminalTask } from './world/definition.ts';
import { judge } from './world/judge.ts';
import type { WorldState } from './world/state.ts';
import { createWorld, type World } from './world/world.ts';

interface Climb {
  readonly seeds: number;
  readonly clock?: PinnedClock | undefined;
}

interface Rung {
  readonly template: TerminalTemplate;
  readonly seed: number;
  readonly clock: PinnedClock | undefined;
}

/** Sends templates up the ladder, one after the other. */
export async function* admitTerminals(
  open: () => Promise<Sandboxes>,
  templates: readonly TerminalTemplate[],
  climb: Climb,
): AsyncGenerator<Admission> {
  const sandboxes = await open();
  try {
    for (const template of templates) yield await admitTerminal(sandboxes, template, climb);
  } finally {
    await sandboxes.close();
  }
}

/**
 * Climbs the ladder with some seeds of a template: the start is made and is the same twice, it fails, the solution passes, the solution
 * without any one of its commands fails, the solution of another seed fails, and so does every solution that is almost right.
 */
export async function admitTerminal(
  sandboxes: Sandboxes,
  template: TerminalTemplate,
  { seeds, clock }: Climb,
): Promise<Admission> {
  let tried = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const fault = await faultOf(sandboxes, { template, seed, clock }).catch(
      (cause: unknown) => ['build', causeText(cause)] as const,
    );
    if (typeof fault !== 'number') {
      const [rung, detail] = fault;
      return { template: template.id, admitted: false, rung, law: ladderLaw, detail: `seed ${seed}: ${detail}` };
    }
    tried += fault;
  }
  const detail = `${seeds} seeds, ${tried} wrong solutions rejected`;
  return { template: template.id, admitted: true, rung: null, law: null, detail };
}

const ladderLaw = 'TERM-9';

/** The rung at which a task falls and why, or how many wrong solutions it rejected. */
async function faultOf(
  sandboxes: Sandboxes,
  { template, seed, clock }: Rung,
): Promise<readonly [rung: string, detail: string] | number> {
  const task = drawTask(template, seed);
  const [world, again] = [await createWorld(sandboxes, task, clock), await createWorld(sandboxes, task, clock)];
  try {
    if (world.digest(world.start) !== again.digest(again.start)) return ['same start', 'two starts differ'];
    if ((await verdictOf(world, task, [])).pass) return ['start fails', 'nothing has to be done'];
    const solved = await verdictOf(world, task, task.oracle);
    if (!solved.pass) return ['solution passes', failureText(solved)];
    const wrong = [
      ...task.oracle.map(
        (line, at) => ['without a command', `without \`${line}\``, task.oracle.toSpliced(at, 1)] as const,
      ),
      ...(template.tasks === 1
        ? []
        : [['blind replay', 'the solution of another seed', drawTask(template, seed + 1000).oracle] as const]),
      ...task.mutants.map((mutant, at) => ['mutants', `mutant ${at + 1}`, mutant] as const),
    ];
    for (const [rung, what, commands] of wrong)
      if ((await verdictOf(world, task, commands)).pass) return [rung, `${what} passes`];
    return wrong.length;
  } finally {
    for (const each of [world, again]) await each.close();
  }
}

async function verdictOf(world: World, task: TerminalTask, commands: readonly string[]): Promise<Verdict> {
  let state: WorldState = world.start;
  for (const command of commands) ({ state } = await world.run(state, { kind: 'run', command }));
  const ending = { answer: task.answer ?? null, infeasible: false };
  return judge(world, task, { ...state, ending });
}

function failureText({ checks, evidence }: Verdict): string {
  const failed = checks.filter(({ pass }) => !pass).map(({ name }) => name);
  return [...failed, ...evidence.sideEffects.map(path => `${path} was changed`)].join('; ');
}
