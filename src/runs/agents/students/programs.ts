import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { causeText, EspalierError } from '../../../core/errors.ts';
import { blankPrograms, type LearnedPrograms } from '../../../agents/programs/program-model.ts';
import { defineStudent } from '../agent-entry.ts';

const programsSchema = z.object({
  words: z.record(z.string(), z.number()),
  weights: z.record(z.string(), z.record(z.string(), z.number())),
});

export const programs = defineStudent({
  name: 'programs',
  about:
    'Answers questions by searching programs: programs:<file> that espalier study races wrote, or programs, untrained.',
  config: z.strictObject({ kind: z.literal('programs'), file: z.string().nullable().default(null) }),
  read(text) {
    if (text === 'programs') return { kind: 'programs', file: null };
    return text.startsWith('programs:') ? { kind: 'programs', file: resolve(text.slice('programs:'.length)) } : null;
  },
  async open({ file }) {
    const { createProgramStudent } = await import('../../../agents/programs/program-student.ts');
    if (file === null) {
      const untrained = createProgramStudent({ learned: blankPrograms });
      return { make: () => untrained };
    }
    const { text, learned } = readPrograms(file);
    const policy = createProgramStudent({ learned });
    const sha256 = hash('sha256', text);
    return { make: () => policy, identity: `${basename(file).replace(/\.json$/, '')} ${sha256.slice(0, 8)}` };
  },
});

function readPrograms(file: string): { readonly text: string; readonly learned: LearnedPrograms } {
  try {
    const text = readFileSync(file, 'utf8');
    return { text, learned: programsSchema.parse(JSON.parse(text)) };
  } catch (cause) {
    throw new EspalierError({
      boundary: 'input',
      code: 'invalid-option',
      message: `The student ${file} cannot be read: ${causeText(cause)}.`,
      expected: 'Expected a file of the folder students that espalier study races wrote.',
      cause,
    });
  }
}
