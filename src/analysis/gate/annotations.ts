import { count } from '../../core/text.ts';
import type { GateResult } from './result.ts';

/** Lines that GitHub shows as annotations when a job prints them; one for the decision, each broken budget and each symptom. */
export function writeAnnotations(result: GateResult, file: string): string {
  const { decision, reasons, slices, symptoms } = result;
  const level = { ship: 'notice', 'do not ship': 'error', 'not enough evidence': 'warning' }[decision];
  const lines = [
    command(level, { file, title: `Gate: ${decision}` }, reasons.join(' ')),
    ...slices
      .filter(({ regressions, budget }) => regressions > budget)
      .map(({ name, regressions, budget }) =>
        command(
          'error',
          { file, title: `Gate: slice ${name}` },
          `${count(regressions, 'regression')}, ${budget} allowed.`,
        ),
      ),
    ...symptoms.map(({ text, tasks, example }) =>
      command(
        'warning',
        { file, title: `Regression: ${text}` },
        `${count(tasks.length, 'task')}, such as ${example.task}. Look: ${example.command}`,
      ),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

interface Place {
  readonly file: string;
  readonly title: string;
}

function command(level: string, { file, title }: Place, message: string): string {
  return `::${level} file=${property(file)},title=${property(title)}::${data(message)}`;
}

/** Workflow commands end at a line break, and their properties at a comma. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
