import { join } from 'node:path';
import type { EpisodeSummary } from '../../src/core/episode/journal.ts';
import { defaultLimits } from '../../src/episode/cursor/budget.ts';
import { collectRun } from '../../src/runs/collect.ts';
import { readConfig } from '../../src/runs/config/config.ts';
import { studentNamed } from '../../src/runs/config/named-agents.ts';
import { closeAfter, openRun } from '../../src/runs/folder/folder.ts';
import type { Host } from '../../src/runs/host/host.ts';
import { schedules } from '../../src/runs/registry/schedules.ts';
import { compareArms, type ArmEpisodes, type ArmResult } from './run-arms.ts';
import { temperature, type StudyStudents } from './study-students.ts';

/** Strategies that see verdicts or ask a teacher: they make data, and are compared by what they collect. */
export const collecting: readonly string[] = ['agent-q', 'best-of-n', 'retry', 'cascade', 'speculative-rollback'];
/** Steps that a teacher may take in an episode, whatever the strategy. */
const { interventions } = defaultLimits;
/** Trials of a task at first, and of all tasks on average. */
const trials = { first: 2, all: 4 };

interface CollectedOptions {
  readonly folder: string;
  /** Beside the first, which every comparison has. */
  readonly arms: readonly string[];
  readonly environments: readonly string[];
  readonly students: StudyStudents;
  readonly seeds: number;
  /** Steps that an episode may take. */
  readonly most: number;
  readonly host: Host;
  readonly signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

interface CollectedArm {
  readonly name: string;
  readonly settings: object;
}

/** Strategies with a verifier or a teacher beside the student alone, on training tasks; null when it was stopped. */
export async function compareCollecting(options: CollectedOptions): Promise<ArmResult[] | null> {
  const arms = ['linear', ...options.arms].map(kind => ({ name: kind, settings: { strategy: { kind } } }));
  const ran = await collectArms(arms, options);
  return ran === null ? null : compareArms(ran, options.host);
}

/** In how many tasks trials differ, by schedules with equally many episodes; null when it was stopped. */
export async function compareSchedules(options: CollectedOptions): Promise<ArmResult[] | null> {
  const tasks = await collectArms([{ name: 'once', settings: { strategy: { kind: 'linear' } } }], options);
  if (tasks === null) return null;
  const episodes = trials.all * (tasks[0]?.seeds[0]?.length ?? 0);
  const first = schedules.names.find(kind => schedules.need(kind).create !== null) as string;
  const arms = [first, ...options.arms].map(kind => ({
    name: kind,
    settings: { strategy: { kind: 'linear' }, schedule: { kind, episodes, first: trials.first } },
  }));
  const ran = await collectArms(arms, options);
  return ran === null ? null : compareArms(ran, options.host, differ);
}

/** Whether some trials of a task passed and some did not: what a group needs to be learned from. */
function differ(episodes: readonly EpisodeSummary[]): number {
  const passed = episodes.filter(({ end }) => end.outcome === 'passed').length;
  return Number(passed > 0 && passed < episodes.length);
}

async function collectArms(arms: readonly CollectedArm[], options: CollectedOptions): Promise<ArmEpisodes[] | null> {
  const { folder, environments, students, seeds, most, host, signal, onProgress } = options;
  const ran: ArmEpisodes[] = [];
  for (const { name, settings } of arms) {
    const found: EpisodeSummary[][] = [];
    for (let seed = 1; seed <= seeds; seed++) {
      const run = join(folder, `${name}.${seed}`);
      // One after the other: what an episode takes is its own time.
      const fixed = { instances: 1, seed: 1, concurrency: 1, limits: { taken: most, interventions } };
      const draft = { run: name, environments: [...environments], ...fixed };
      const student = { ...studentNamed(students.nameOf(seed)), temperature };
      const config = readConfig({ ...draft, ...settings, student }, 'The study');
      if ((await collectRun({ config, folder: run, host, signal })).stopped) return null;
      found.push(summariesIn(run));
      onProgress(ran.length * seeds + seed, arms.length * seeds);
    }
    ran.push({ name, seeds: found });
  }
  return ran;
}

function summariesIn(folder: string): EpisodeSummary[] {
  const store = openRun(folder);
  try {
    return [...store.summaries({ phase: 'collect' })];
  } finally {
    closeAfter(store);
  }
}
