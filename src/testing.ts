import { createRandomPolicy } from './agents/random.ts';
import { checkStrategyLaws, type StrategyLawOptions, type StrategyLawResult } from './episode/laws/strategy-laws.ts';
import { createManualClock } from './core/clock.ts';
import type { EpisodeHead } from './core/episode/events.ts';
import { foldEpisode } from './core/episode/record.ts';
import { runEpisodes } from './episode/engine.ts';
import { createLawJournal } from './episode/laws/memory-journal.ts';
import { createLinear } from './episode/strategies/linear.ts';
import { checkMemoryLaws, type MemoryLawResult } from './memory/laws/memory-laws.ts';
import { experienceOf, type MemoryMethod } from './memory/writers/writer.ts';
import { createTrail } from './worlds/trail.ts';

export { admitTemplates, type AdmissionOptions } from './forge/admission/admission.ts';
export type { Admission } from './worlds/admission.ts';
export { checkLaws, type LawOptions, type LawResult } from './worlds/laws.ts';
export type { MemoryLawResult, StrategyLawResult };

export type StrategyCheck = Pick<
  StrategyLawOptions,
  'strategy' | 'environment' | 'tasks' | 'teacher' | 'evaluates' | 'stops'
> &
  Partial<Pick<StrategyLawOptions, 'student'>>;

/** Holds a strategy against the laws of every strategy: budgets, the same again, replays, verdicts, stops. */
export function checkStrategy(check: StrategyCheck): Promise<StrategyLawResult[]> {
  return checkStrategyLaws({ student: createRandomPolicy, ...check, createTrail });
}

export interface MemoryCheck
  extends Pick<StrategyLawOptions, 'environment' | 'tasks'>,
    Partial<Pick<StrategyLawOptions, 'student'>> {
  readonly memory: MemoryMethod;
}

/** Holds a memory against the laws of every memory, with episodes of a student: at random when none is given. */
export async function checkMemory(check: MemoryCheck): Promise<MemoryLawResult[]> {
  const { memory, environment, tasks, student = createRandomPolicy } = check;
  const journal = createLawJournal();
  const strategy = createLinear();
  await runEpisodes({
    plan: tasks.map((task, index): EpisodeHead => {
      const place = { run: 'law', key: `collect/0/${task.id}/${index}`, index, phase: 'collect' } as const;
      return { ...place, round: 0, trial: 0, task, student: 'law', teacher: null, strategy: strategy.name };
    }),
    seed: 'law',
    concurrency: 1,
    journal,
    clock: createManualClock(),
    timers: { after: () => () => undefined },
    createTrail,
    certifies: false,
    start: () => ({ environment, student: student(), strategy }),
  });
  return checkMemoryLaws(
    memory,
    [...journal.ended.values()].map(stored => experienceOf(foldEpisode(stored))),
  );
}
