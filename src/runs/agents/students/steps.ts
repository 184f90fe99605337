import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { invalidOption } from '../../../core/errors.ts';
import { readPrompt } from '../../../core/episode/view.ts';
import { manifestName } from '../../../dataset/rows/manifest.ts';
import { readText } from '../../../modules/read-file.ts';
import { defineStudent } from '../agent-entry.ts';

export const steps = defineStudent({
  name: 'steps',
  usage: 'steps:<rows>',
  about:
    'Takes the step of the task in exported rows that is most like this one, with the texts of this one in its slots.',
  config: z.strictObject({
    kind: z.literal('steps'),
    /** A folder that espalier export wrote, or the run it came from. */
    rows: z.string(),
    /** Of what the folder says of itself when the run began: other rows are another student. */
    sha256: z.string().nullable().default(null),
    temperature: z
      .number()
      .nonnegative()
      .default(1)
      .describe('0 takes the best step, 1 draws by how much speaks for each'),
  }),
  read: text => (text.startsWith('steps:') ? { kind: 'steps', rows: resolve(text.slice('steps:'.length)) } : null),
  settle(config) {
    const sha256 = hash('sha256', readText(join(rowsIn(config.rows), manifestName)));
    if (config.sha256 === null || config.sha256 === sha256) return { ...config, sha256 };
    throw invalidOption(
      `The rows in ${config.rows} are not those that the run began with.`,
      'Expected the same rows: put them back, or start another run with --out.',
    );
  },
  evaluated: { temperature: 0 },
  async open({ rows, temperature }) {
    const { readExamples } = await import('../../../dataset/read-rows.ts');
    const { createStepsStudent } = await import('../../../agents/steps/steps-student.ts');
    const known = [...readExamples(rowsIn(rows))].flatMap(({ prompt, action, pass }) => {
      const situation = readPrompt(prompt);
      return situation === null || pass !== true ? [] : [{ situation, action }];
    });
    if (known.length === 0)
      throw invalidOption(
        `There are no steps in ${rows} that led to a pass.`,
        'Expected rows of episodes that passed.',
      );
    const policy = createStepsStudent(known, temperature);
    return { make: () => policy, identity: `steps of ${hash('sha256', JSON.stringify(known)).slice(0, 8)}` };
  },
});

function rowsIn(folder: string): string {
  const found = [folder, join(folder, 'export')].find(path => existsSync(join(path, manifestName)));
  if (found !== undefined) return found;
  throw invalidOption(
    `There are no exported rows in ${folder}.`,
    'Expected a folder that espalier export wrote, or the run it was exported from.',
  );
}
