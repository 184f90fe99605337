import type { OrdinaryPolicy } from '../core/episode/agents.ts';
import type { EpisodeHead } from '../core/episode/events.ts';
import { hash32 } from '../core/random.ts';
import { createLawJournal } from '../episode/laws/memory-journal.ts';
import { runEpisodes } from '../episode/engine.ts';
import { createLinear } from '../episode/strategies/linear.ts';
import type { Memory } from '../memory/memory.ts';
import type { Practice } from '../memory/practice.ts';
import { createTrail } from '../worlds/trail.ts';
import { allTemplates, worldOf, type Worlds } from './environments/worlds.ts';
import type { Host } from './host/host.ts';
import { createPlan } from './plan/plan.ts';
import { collectSeed } from './settings/seeds.ts';

interface PracticeSetting {
  readonly worlds: Worlds;
  /** Templates whose tasks are practised, as `mail/star-message`. */
  readonly templates: ReadonlySet<string>;
  /** Ids of tasks that memory was written from: none of them is practised on. */
  readonly written: ReadonlySet<string>;
  /** Tasks in all. */
  readonly tasks: number;
  readonly host: Host;
  studentWith(memory: Memory): OrdinaryPolicy;
}

/** Seeds of practice, away from those of runs. */
const practiceSeed = hash32('practice');

/** Practice on training templates: new tasks of them, spread over all, the same ones each time. */
export async function createPractice(setting: PracticeSetting): Promise<Practice> {
  const { worlds, templates, written, tasks, host, studentWith } = setting;
  const choices = allTemplates(worlds).filter(({ environment, template }) =>
    templates.has(`${environment.id}/${template.id}`),
  );
  const agents = { student: 'practice', teacher: null, strategy: 'linear' };
  const { heads } = await createPlan({
    choices,
    instances: Math.ceil((2 * tasks) / Math.max(1, choices.length)),
    trials: 1,
    seedOf: instance => collectSeed(practiceSeed, 0, instance),
    headOf: (task, { index, trial }): EpisodeHead => {
      const place = { run: 'practice', index, phase: 'collect', round: 0, trial, task } as const;
      return { ...place, key: `collect/0/${task.id}/${trial}`, ...agents };
    },
  });
  const open = [...heads].filter(({ task }) => task.split === 'train' && !written.has(task.id));
  // Spread over all templates: the first ones are those of the first app.
  const placeOf = (at: number): number => Math.floor((at * tasks) / open.length);
  const plan = open.filter((_, at) => placeOf(at + 1) > placeOf(at));
  return async memory => {
    const student = studentWith(memory);
    const journal = createLawJournal();
    const { clock, timers } = host;
    await runEpisodes({
      plan,
      seed: 'practice',
      concurrency: 1,
      journal,
      clock,
      timers,
      createTrail,
      start: head => ({ environment: worldOf(worlds, head.task.environment), student, strategy: createLinear() }),
    });
    return plan.flatMap(({ key, task }) => {
      const end = journal.ended.get(key)?.end;
      return end === undefined ? [] : [{ task: task.id, passed: end.outcome === 'passed', steps: end.counts.taken }];
    });
  };
}
