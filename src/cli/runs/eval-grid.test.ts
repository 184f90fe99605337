import { expect, it } from 'vitest';
import type { Evaluation, Trial } from '../../analysis/evaluate.ts';
import { createOutput } from '../terminal/output.ts';
import { evaluatedGrid, tellGrid } from './eval-grid.ts';

/** Ten tasks of a template, of which so many passed. */
function trials(template: string, passed: number): readonly Trial[] {
  const place = {
    level: 'new-instances',
    kind: null,
    app: 'grid-mail',
    trial: 1,
    seed: '1',
    uncertified: false,
  } as const;
  return Array.from({ length: 10 }, (_, at) => ({
    ...place,
    template,
    task: `grid-mail/${template}/${at}`,
    passed: at < passed,
    steps: 4,
  }));
}

const all = [
  ...trials('star-message.forged@own', 10),
  ...trials('star-message.forged@words', 8),
  ...trials('two-commands.forged@own', 1),
  ...trials('two-commands.forged@words', 0),
  ...trials('three-commands.forged@own', 0),
];

it('[FORGE-37] the grid of an evaluation is told by tier and look, with its cliff', () => {
  const grid = evaluatedGrid({ student: 'student', trials: all } as unknown as Evaluation);
  expect(grid?.cliff).toMatchObject({ from: 'one command', to: 'two commands' });
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) };
  tellGrid(createOutput({ results: stream, progress: stream, colours: false }), grid as NonNullable<typeof grid>);
  const text = written.join('');
  expect(text).toMatch(/all +as it is +other words/);
  expect(text).toMatch(/one command +90.% .* 100.% .* 80.%/);
  expect(text).toMatch(/three commands +0.% .* –/);
  expect(text).toContain('Cliff: from one command to two commands.');
  expect(evaluatedGrid({ student: 'student', trials: trials('star-message', 3) } as unknown as Evaluation)).toBeNull();
});
