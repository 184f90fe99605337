import { estimateText, percentText } from '../../src/analysis/estimate.ts';
import type { Evaluation } from '../../src/analysis/evaluate.ts';
import type { ReportData } from '../../src/analysis/report/data.ts';
import { columns, wrap, type Output } from '../../src/cli/terminal/output.ts';
import type { Entered } from './enter-app.ts';

export function introduce({ paint, line, width }: Output, apps: readonly string[]): void {
  line(paint.bold('A model enters apps that it has never seen'));
  const parts = [
    `small does tasks of ${apps.join(' and ')}, beside trivial baselines.`,
    'Then a planner corrects its steps there, and what it learns is added to its scores.',
  ];
  line(wrap(parts.join(' '), width, ''));
  line();
}

export function tellEntered({ line, paint }: Output, { before, corrected, answers }: Entered): void {
  const hasHeldOut = before.subject?.heldOut !== null;
  const row = (name: string, own: Evaluation | null, asked: string): string[] => [
    name,
    rate(own?.newInstances),
    ...(hasHeldOut ? [rate(own?.heldOut)] : []),
    asked,
  ];
  const head = ['', 'new instances', ...(hasHeldOut ? ['held-out templates'] : []), 'answers of the teacher'];
  const rows = [
    ...before.baselines.map(own => row(own.student, own, '')),
    row('small', before.subject, '0'),
    row('small, corrected here', corrected, answers.toLocaleString('en')),
  ];
  for (const text of columns([head.map(paint.dim), ...rows])) line(text);
}

function rate(level: Evaluation['newInstances'] | undefined): string {
  return level === null || level === undefined ? '–' : `${estimateText(level.overall)} of ${level.overall.n}`;
}

export function tellRecorded({ line, paint }: Output, { recorded }: ReportData): void {
  for (const { title, columns: names, rows, command } of recorded) {
    line();
    line(`${paint.bold(title)} ${paint.dim('(recorded on a GPU, not measured here)')}`);
    const cells = rows.map(({ label, rates }) => [
      label,
      ...rates.map(own => (own === null ? '–' : `${percentText(own.rate)} (${percent(own.low)}–${percent(own.high)})`)),
    ]);
    for (const text of columns([['', ...names].map(paint.dim), ...cells])) line(text);
    line(paint.dim(command));
  }
}

function percent(share: number): number {
  return Math.round(share * 100);
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
