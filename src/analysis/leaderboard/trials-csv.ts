import type { Grid } from './board.ts';
import { costNames } from './board.ts';

const columns = [
  'entrant',
  'environment',
  'app',
  'template',
  'task',
  'trial',
  'level',
  'passed',
  'gamed',
  'suspect',
  'broke',
] as const;

/** Every trial of a grid, a line each: what the board is computed from. */
export function trialsCsv({ cells }: Pick<Grid, 'cells'>): string {
  const lines = [[...columns, ...costNames, 'episode'].join(',')];
  for (const { entrant, trials } of cells)
    for (const trial of trials)
      lines.push(
        [
          entrant,
          trial.environment,
          trial.app,
          trial.template,
          trial.task,
          trial.trial,
          trial.level,
          trial.passed === null ? '' : Number(trial.passed),
          trial.gamed ?? '',
          trial.suspect ?? '',
          trial.broke ?? '',
          ...costNames.map(name => trial.costs[name]),
          trial.episode,
        ]
          .map(cellText)
          .join(','),
      );
  return `${lines.join('\n')}\n`;
}

function cellText(value: string | number): string {
  const text = String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
