import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { invalidOption } from '../../../core/errors.ts';
import { isModulePath } from '../../../modules/load-module.ts';
import { defineStudent } from '../agent-entry.ts';

export const learned = defineStudent({
  name: 'learned',
  usage: '<file>',
  about: 'A file that espalier train wrote.',
  config: z.strictObject({
    kind: z.literal('learned'),
    file: z.string(),
    /** Of the file when the run began: another student is another run. */
    sha256: z.string().nullable().default(null),
    temperature: z.number().nonnegative().default(1).describe('0 takes the best action, 1 draws by its own chances'),
  }),
  // Every text that names nothing else is a file.
  read: text => (isModulePath(text) ? null : { kind: 'learned', file: resolve(text) }),
  async settle(config) {
    const { readStudentFile } = await import('../student-file.ts');
    const { sha256 } = readStudentFile(config.file);
    if (config.sha256 === null || config.sha256 === sha256) return { ...config, sha256 };
    throw invalidOption(
      `The student ${config.file} is not the one that the run began with: its hash is ${sha256}.`,
      `Expected the hash ${config.sha256}: put that student back, or start another run or round with --student.`,
    );
  },
  evaluated: { temperature: 0 },
  async open({ file, temperature }) {
    const { readStudentFile } = await import('../student-file.ts');
    const { createStudent } = await import('../../../agents/learned/student.ts');
    const { weights, sha256 } = readStudentFile(file);
    const policy = createStudent({ weights, name: 'learned', temperature });
    return { make: () => policy, identity: `${basename(file).replace(/\.json$/, '')} ${sha256.slice(0, 8)}` };
  },
});
