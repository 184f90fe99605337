import { html, type Markup } from '../report/html.ts';
import type { TaskChange } from './pairs.ts';
import type { GateResult } from './result.ts';

/** The decision and every task as test cases of JUnit: a regression is a failure, what failed before is skipped. */
export function writeJunit(result: GateResult): string {
  const suites = [...Map.groupBy(result.tasks, ({ app }) => app)].map(([app, tasks]) => taskSuite(app, tasks, result));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${
    html`<testsuites name="espalier gate">
${decisionSuite(result)}
${suites}</testsuites>
`.markup
  }`;
}

function decisionSuite({ decision, reasons, slices }: GateResult): Markup {
  const cases = slices.map(({ name, regressions, budget }) => {
    const isOver = regressions > budget;
    const failure = html`<failure message="${regressions} regressions, ${budget} allowed"/>`;
    return html`<testcase classname="gate" name="slice ${name}">${isOver ? failure : null}</testcase>
`;
  });
  const text = reasons.join(' ');
  const mark = {
    ship: null,
    'do not ship': html`<failure message="${text}"/>`,
    'not enough evidence': html`<error message="${text}"/>`,
  }[decision];
  const over = slices.filter(({ regressions, budget }) => regressions > budget).length;
  const failures = over + (decision === 'do not ship' ? 1 : 0);
  return html`<testsuite name="gate" tests="${slices.length + 1}" failures="${failures}" errors="${decision === 'not enough evidence' ? 1 : 0}" skipped="0">
<testcase classname="gate" name="${decision}">${mark}</testcase>
${cases}</testsuite>`;
}

function taskSuite(app: string, tasks: readonly TaskChange[], { symptoms }: GateResult): Markup {
  const of = (change: TaskChange['change']): number => tasks.filter(task => task.change === change).length;
  return html`<testsuite name="${app}" tests="${tasks.length}" failures="${of('regression')}" errors="0" skipped="${of('failed in both')}">
${tasks.map(task => {
  const symptom = symptoms.find(known => known.tasks.includes(task.task));
  const mark =
    task.change === 'regression'
      ? html`<failure message="${symptom?.text ?? 'passed less often than before'}">${symptom?.example.command ?? ''}</failure>`
      : task.change === 'failed in both'
        ? html`<skipped message="the release does not pass it either"/>`
        : null;
  return html`<testcase classname="${app}.${task.template}" name="${task.task}">${mark}</testcase>
`;
})}</testsuite>
`;
}
