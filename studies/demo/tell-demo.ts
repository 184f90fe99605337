import { estimateText, percentText, type Estimate } from '../../src/analysis/estimate.ts';
import type { ReportData } from '../../src/analysis/report/data.ts';
import type { TaughtArm } from './arms.ts';
import { columns, wrap, type Output } from '../../src/cli/terminal/output.ts';
import { durationText } from '../../src/cli/terminal/progress.ts';
import type { LoopLine } from '../../src/cli/runs/loop-verb.ts';
import type { ScheduleProgress } from './schedule.ts';
import type { StudySetting } from './worlds-jobs.ts';

export function introduce({ paint, line, width }: Output, { apps, size }: StudySetting): void {
  const most = Math.max(...size.points).toLocaleString('en');
  line(paint.bold('Does a student learn, does it generalize, and what does a teacher’s answer buy?'));
  const parts = [
    `Espalier forges up to ${most} tasks in ${apps.join(', ')} and in made-up apps, and a planner demonstrates them.`,
    'Students learn from more and more of them, and do tasks of three levels that they were never taught: new instances, new templates, unseen apps.',
    'Then a teacher corrects students in several ways, and imitation gets as many answers of it.',
  ];
  line(wrap(parts.join(' '), width, ''));
  line();
}

/** What is going on, and how much time is left. */
export function progressTeller(output: Output): (progress: ScheduleProgress) => void {
  return ({ done, all, running, secondsLeft }) => {
    if (running.length === 0) return;
    const text = `${done} of ${all} parts done · about ${durationText(secondsLeft)} left · ${running.join(' · ')}`;
    if (output.isLive) output.progress(text);
    else output.line(output.paint.dim(text));
  };
}

export function roundTeller({ line }: Output): (arm: TaughtArm, round: LoopLine) => void {
  return ({ label }, { round, newInstances, unseenApps, queries, shown }) =>
    line(
      `${label}, round ${round}: new instances ${newInstances}, unseen apps ${unseenApps}; ${queries.toLocaleString('en')} queries, ${shown.toLocaleString('en')} steps shown`,
    );
}

function cell(estimate: Estimate | null | undefined): string {
  return (estimate?.rate ?? null) === null ? '–' : estimateText(estimate as Estimate);
}

function short(estimate: Estimate | null | undefined): string {
  return (estimate?.rate ?? null) === null ? '–' : percentText(estimate?.rate ?? 0);
}

export function tellCurve({ line, paint }: Output, { worlds }: ReportData): void {
  if (worlds === undefined) return;
  line();
  line(paint.bold('Success by forged tasks taught'));
  const head = ['tasks', 'made-up apps', 'new instances', 'new templates', 'composition / skill', 'unseen apps'];
  const kinds = (own: (typeof worlds.points)[number] | (typeof worlds.baselines)[number]): string =>
    `${short(own.newComposition)} / ${short(own.unseenSkill)}`;
  const rows = [
    ...worlds.points.map(own => [
      own.tasks.toLocaleString('en'),
      own.apps.toLocaleString('en'),
      cell(own.newInstances),
      cell(own.heldOut),
      kinds(own),
      cell(own.unseenApps),
    ]),
    ...worlds.baselines.map(own => [
      own.name,
      '',
      short(own.newInstances),
      short(own.heldOut),
      kinds(own),
      short(own.unseenApps),
    ]),
  ];
  for (const text of columns([head.map(paint.dim), ...rows])) line(text);
}

export function tellTeachers({ line, paint }: Output, { arms }: ReportData): void {
  line();
  line(paint.bold('What a teacher’s answer buys'));
  const rates = ['new instances', 'new templates', 'unseen apps'];
  const head = ['', ...rates, 'queries', 'by round', 'steps shown', 'shown or given'];
  const rows = arms.flatMap(({ label, rounds }) => {
    const last = rounds.at(-1);
    if (last === undefined) return [];
    const { newInstances, heldOut, unseenApps, queries, shown, corrections } = last;
    const byRound = rounds.map((round, index) => round.queries - (rounds[index - 1]?.queries ?? 0));
    const prices = [figure(queries), byRound.map(figure).join(' + '), figure(shown), figure(shown + corrections)];
    return [[label, cell(newInstances), cell(heldOut), cell(unseenApps), ...prices]];
  });
  for (const text of columns([head.map(paint.dim), ...rows])) line(text);
}

function figure(number: number): string {
  return number.toLocaleString('en');
}

export function tellClaims({ line, paint, width }: Output, { claims }: ReportData): void {
  line();
  const rows = claims.map(({ claim, holds }) => [
    holds === null ? paint.dim('?') : holds ? paint.green('✓') : paint.red('✗'),
    claim,
  ]);
  for (const [index, text] of columns(rows).entries()) {
    line(text);
    line(paint.dim(`   ${wrap(claims[index]?.evidence ?? '', width - 3, '   ')}`));
  }
}
