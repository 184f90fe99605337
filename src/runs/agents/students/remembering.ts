import { hash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { invalidOption } from '../../../core/errors.ts';
import type { OrdinaryPolicy } from '../../../core/episode/agents.ts';
import { readText } from '../../../modules/read-file.ts';
import { defineStudent } from '../agent-entry.ts';

export const remembering = defineStudent({
  name: 'remembering',
  usage: 'remembering:<memory>,<student>',
  about: 'A student with a memory that espalier remember wrote: small, or a file of espalier train.',
  config: z.strictObject({
    kind: z.literal('remembering'),
    memory: z.string(),
    /** `small`, or the file of a student. */
    student: z.string(),
    /** Of the memory when the run began: another memory is another run. */
    sha256: z.string().nullable().default(null),
    temperature: z.number().nonnegative().default(1).describe('0 takes the best action, 1 draws by its own chances'),
  }),
  read(text) {
    if (!text.startsWith('remembering:')) return null;
    const [memory = '', student = ''] = text.slice('remembering:'.length).split(',');
    if (memory === '' || student === '')
      throw invalidOption(
        `"${text}" names no memory or no student.`,
        'Expected remembering:<memory.json>,<student.json or small>.',
      );
    return { kind: 'remembering', memory: resolve(memory), student: student === 'small' ? student : resolve(student) };
  },
  settle(config) {
    const sha256 = hash('sha256', readText(config.memory));
    if (config.sha256 === null || config.sha256 === sha256) return { ...config, sha256 };
    throw invalidOption(
      `The memory ${config.memory} is not the one that the run began with: its hash is ${sha256}.`,
      `Expected the hash ${config.sha256}: put that memory back, or start another run with --out.`,
    );
  },
  evaluated: { temperature: 0 },
  async open({ memory: file, student, temperature }, { onNotice }) {
    const [{ readMemory }, { createRememberingPolicy }] = await Promise.all([
      import('../../../memory/memory.ts'),
      import('../../../memory/remembering-policy.ts'),
    ]);
    const text = readText(file);
    const { policy, identity } = await openInner(student, temperature, onNotice);
    const remembered = createRememberingPolicy({ policy, memory: readMemory(text), tells: false });
    const memoryName = `${basename(file).replace(/\.json$/, '')} ${hash('sha256', text).slice(0, 8)}`;
    return { make: () => remembered, identity: `${identity} with ${memoryName}` };
  },
});

async function openInner(
  student: string,
  temperature: number,
  onNotice: ((text: string) => void) | undefined,
): Promise<{ readonly policy: OrdinaryPolicy; readonly identity: string }> {
  if (student === 'small') {
    const { openSmall } = await import('./small.ts');
    const { createSmallPolicy } = await import('../../../agents/small/small-policy.ts');
    const { model, identity } = await openSmall(null);
    return {
      policy: createSmallPolicy({ model, temperature, ...(onNotice === undefined ? {} : { onNotice }) }),
      identity,
    };
  }
  const { readStudentFile } = await import('../student-file.ts');
  const { createStudent } = await import('../../../agents/learned/student.ts');
  const { weights, sha256 } = readStudentFile(student);
  return {
    policy: createStudent({ weights, name: 'learned', temperature }),
    identity: `${basename(student)} ${sha256.slice(0, 8)}`,
  };
}
