import { existsSync } from 'node:fs';
import { count } from '../../src/core/text.ts';
import { invalidOption, type EspalierError } from '../../src/core/errors.ts';
import { readJson } from '../../src/modules/read-file.ts';
import { writeWhole } from '../../src/runs/folder/folder.ts';
import { optionsFile, type SearchStudyChoices, type StudyStage } from './study-choices.ts';
import type { TaskResult } from './search-run.ts';
import { kindOrder } from './study-apps.ts';
import { endedPhases } from './study-budget.ts';
import { secondsBefore } from './study-progress.ts';

export interface PlannedRound {
  /** From 1. */
  readonly round: number;
  readonly stage: StudyStage;
  /** Of all rounds that were planned with it. */
  readonly share: number;
  /** What its episodes call their round in the runs of apps. */
  readonly number: number;
  /** What the episodes of the second, third, … solutions call theirs. */
  readonly others: readonly number[];
}

export function stagesOf({ earlier = [], ...choices }: SearchStudyChoices): readonly StudyStage[] {
  return [...earlier, stageOf(choices)];
}

function stageOf({ rounds, solutions, kinds, deepen }: SearchStudyChoices): StudyStage {
  return { rounds, solutions, kinds, ...(deepen === undefined ? {} : { deepen }) };
}

/** All rounds of a study. Each stage numbers its rounds, then their other solutions, after all numbers of the stage before. */
export function plannedRounds(choices: SearchStudyChoices): readonly PlannedRound[] {
  const planned: PlannedRound[] = [];
  let used = 0;
  for (const stage of stagesOf(choices)) {
    const first = planned.length + 1;
    const own = stage.rounds - planned.length;
    for (let at = 0; at < own; at++) {
      const others = Array.from({ length: stage.solutions - 1 }, (_, other) => {
        return used + own + at * (stage.solutions - 1) + other + 1;
      });
      planned.push({ round: first + at, stage, share: 1 / own, number: used + at + 1, others });
    }
    used += own * stage.solutions;
  }
  return planned;
}

/** What a study does last. */
export const lastArm = 'student';

/** Held-out tasks are solved again once there are more rounds: students know more by then. */
export function armName(choices: SearchStudyChoices, arm: string): string {
  const isFirst = stagesOf(choices).length === 1;
  return `held out${isFirst ? '' : ` after round ${choices.rounds}`}, ${arm}`;
}

/** What the student of the last rounds came to, apart from what those before it did. */
export function lastOf(results: readonly TaskResult[]): { last: readonly TaskResult[]; before: readonly TaskResult[] } {
  const latest = Math.max(...results.map(({ round }) => round));
  const { last = [], before = [] } = Object.groupBy(results, ({ round }) => (round === latest ? 'last' : 'before'));
  return { last, before };
}

/** What somebody asks for when a study goes on; what is not said stays as it is. */
export interface AskedChoices extends Partial<Omit<SearchStudyChoices, 'minutes' | 'earlier' | 'compare'>> {
  /** From now on. */
  readonly minutes?: number;
}

export interface Resumed {
  readonly choices: SearchStudyChoices;
  /** What is not as it was: `rounds 4 (2 so far)`. */
  readonly changes: readonly string[];
}

/** The choices of the study in a folder with what is asked for, written down. Rounds that were planned before stay as they were planned. */
export function resumeStudy(folder: string, asked: AskedChoices): Resumed {
  const path = optionsFile(folder);
  if (!existsSync(path))
    throw invalidOption(
      `There is no study in ${folder} to go on with.`,
      'Expected the --out of a study that was begun.',
    );
  const begun = readJson(path) as SearchStudyChoices;
  const resumed = continuedChoices(begun, asked, secondsBefore(folder));
  const isOver = endedPhases(folder).includes(armName(resumed.choices, lastArm));
  if (isOver && asked.minutes !== undefined)
    throw invalidOption(
      'All rounds of the study and its evaluation have ended: nothing would be done in more time.',
      `Give --rounds ${begun.rounds + 1} or more, too.`,
    );
  if (resumed.changes.length > 0) writeWhole(path, `${JSON.stringify(resumed.choices, null, 2)}\n`);
  return resumed;
}

/** What a study is about stays as it began: other tasks, apps or budgets would be another study. */
const fixed = {
  place: 'the folder of apps',
  apps: '--apps',
  most: '--most',
  nodes: '--nodes',
  holdOut: '--hold-out',
  tour: 'search.tour',
  seed: 'search.seed',
  seeds: '--seeds',
} as const;

/** @param seconds that the study has taken so far */
export function continuedChoices(begun: SearchStudyChoices, asked: AskedChoices, seconds: number): Resumed {
  requireSame(begun, asked);
  const { teach = begun.teach } = asked;
  if (begun.teach === undefined && teach !== undefined) throw teachesNone();
  const { minutes: more, taskSeconds = begun.taskSeconds, guide = begun.guide, weight = begun.weight } = asked;
  const { rounds = begun.rounds, solutions = begun.solutions, kinds = begun.kinds, deepen = begun.deepen } = asked;
  requireKinds(begun.kinds, kinds);
  if (rounds < begun.rounds)
    throw invalidOption(
      `The study has ${count(begun.rounds, 'round')} already.`,
      `Expected --rounds ${begun.rounds + 1} or more for further ones.`,
    );
  const stage = stageOf({ ...begun, rounds, solutions, kinds, ...(deepen === undefined ? {} : { deepen }) });
  const changes = stageChanges(stageOf(begun), stage);
  if (changes.length > 0 && rounds === begun.rounds)
    throw invalidOption(
      `The ${count(rounds, 'round')} of the study ${rounds === 1 ? 'is' : 'are'} planned: ${changes.join(', ')} can be for further rounds only.`,
      `Give --rounds ${rounds + 1} or more, too.`,
    );
  if (rounds > begun.rounds && more === undefined && begun.minutes !== null && seconds >= 60 * begun.minutes)
    throw invalidOption(
      `The ${begun.minutes} minutes of the study are over: further rounds would end before they begin.`,
      'Give --minutes, too: they count from now on.',
    );
  const minutes = more === undefined ? begun.minutes : Math.ceil(100 * (seconds / 60 + more)) / 100;
  const choices = {
    ...begun,
    ...stage,
    ...(changes.length === 0 ? {} : { earlier: stagesOf(begun) }),
    taskSeconds,
    minutes,
    ...(guide === undefined ? {} : { guide }),
    ...(weight === undefined ? {} : { weight }),
    ...(teach === undefined ? {} : { teach }),
  };
  const limits = [
    ...(more === undefined ? [] : [`${count(more, 'minute')} from now (${minutes} in all)`]),
    ...(taskSeconds === begun.taskSeconds ? [] : [`${taskSeconds} seconds a task at most`]),
    ...(teach === begun.teach ? [] : [`students taught by ${teach}`]),
    ...(guide === begun.guide && weight === begun.weight ? [] : [`searches guided by ${guide ?? 'what it learns'}`]),
  ];
  return { choices, changes: [...changes, ...limits] };
}

function teachesNone(): EspalierError {
  return invalidOption(
    'search.teach names the student of a comparison, and this study has none that a command teaches.',
    'Leave it out, or begin another comparison with it, --compare and another --out.',
  );
}

function stageChanges(before: StudyStage, after: StudyStage): string[] {
  const names = { rounds: 'rounds', kinds: 'tasks', solutions: 'solutions', deepen: 'deepen' } as const;
  return (Object.keys(names) as (keyof typeof names)[]).flatMap(key => {
    const [was, is] = [textOf(before[key]), textOf(after[key])];
    return was === is ? [] : [`${names[key]} ${is} (${was} so far)`];
  });
}

function textOf(value: number | readonly string[] | null | undefined): string {
  if (value === null) return 'of all kinds';
  return typeof value === 'object' ? value.join(',') : String(value ?? 1);
}

function requireSame(begun: SearchStudyChoices, asked: AskedChoices): void {
  for (const [key, name] of Object.entries(fixed)) {
    const [was, is] = [begun[key as keyof typeof fixed], asked[key as keyof typeof fixed]];
    if (is === undefined || JSON.stringify(is) === JSON.stringify(was)) continue;
    throw invalidOption(
      `A study that goes on keeps ${name}: it was ${JSON.stringify(was)}, is ${JSON.stringify(is)}.`,
      'Leave it out, or begin another study with another --out.',
    );
  }
}

function requireKinds(before: readonly string[] | null, after: readonly string[] | null): void {
  const unknown = after?.find(kind => !kindOrder.includes(kind) && before?.includes(kind) !== true);
  if (unknown !== undefined)
    throw invalidOption(`There are no tasks of the kind "${unknown}".`, `Expected some of: ${kindOrder.join(', ')}.`);
  const lost = after === null ? undefined : (before ?? kindOrder).find(kind => !after.includes(kind));
  if (lost !== undefined)
    throw invalidOption(
      `The study has tasks of the kind "${lost}".`,
      'A study that goes on can take up more kinds, and drops none: name those that it has, too.',
    );
}
