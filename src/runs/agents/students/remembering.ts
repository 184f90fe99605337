import { hash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { invalidOption } from '../../../core/errors.ts';
import type { OrdinaryPolicy } from '../../../core/episode/agents.ts';
import { readText } from '../../../modules/read-file.ts';
import { runProgram } from '../../../envs/tools/program/run-program.ts';
import type { RunCode } from '../../../memory/reading/programs.ts';
import type { Making } from '../../host/given.ts';
import { defineStudent, type AgentSetting } from '../agent-entry.ts';

export const remembering = defineStudent({
  name: 'remembering',
  usage: 'remembering:<memory>,<student>',
  about: 'A student with a memory that espalier remember wrote: any student that sees the screen alone.',
  config: z.strictObject({
    kind: z.literal('remembering'),
    memory: z.string(),
    /** The file of a student, or the name of another one. */
    student: z.string(),
    skills: z
      .enum(['grounded', 'guided'])
      .default('grounded')
      .describe('grounded carries skills of the memory out, guided only prefers their steps'),
    /** Of the memory when the run began: another memory is another run. */
    sha256: z.string().nullable().default(null),
    temperature: z.number().nonnegative().default(1).describe('0 takes the best action, 1 draws by its own chances'),
  }),
  read(text) {
    if (!text.startsWith('remembering:')) return null;
    const [memory = '', ...rest] = text.slice('remembering:'.length).split(',');
    const student = rest.join(',');
    if (memory === '' || student === '')
      throw invalidOption(
        `"${text}" names no memory or no student.`,
        'Expected remembering:<memory.json>,<student>, such as remembering:memory.json,student.json.',
      );
    return { kind: 'remembering', memory: resolve(memory), student: isFile(student) ? resolve(student) : student };
  },
  parts: ({ student }) => [student],
  settle(config) {
    const sha256 = hash('sha256', readText(config.memory));
    if (config.sha256 === null || config.sha256 === sha256) return { ...config, sha256 };
    throw invalidOption(
      `The memory ${config.memory} is not the one that the run began with: its hash is ${sha256}.`,
      `Expected the hash ${config.sha256}: put that memory back, or start another run with --out.`,
    );
  },
  evaluated: { temperature: 0 },
  async open({ memory: file, student, temperature, skills }, setting) {
    const [{ readMemory }, { createRememberingPolicy }] = await Promise.all([
      import('../../../memory/memory.ts'),
      import('../../../memory/reading/remembering-policy.ts'),
    ]);
    const text = readText(file);
    const memory = readMemory(text);
    const { policy, identity, tells } = await openInner(student, temperature, setting);
    const memoryName = `${basename(file).replace(/\.json$/, '')} ${hash('sha256', text).slice(0, 8)}`;
    return {
      make: head => createRememberingPolicy({ policy: policy(head), memory, tells, skills, run: runProgramOfMemory }),
      identity: `${identity} with ${memoryName}`,
    };
  },
});

/** Code of a memory runs where programs of agents do: nothing of this machine is in reach, and it ends. */
export const runProgramOfMemory: RunCode = (code, { values, tools, call }) => runProgram(code, { values, tools, call });

function isFile(student: string): boolean {
  return student.endsWith('.json');
}

interface Inner {
  readonly policy: Making<OrdinaryPolicy>;
  readonly identity: string;
  /** Whether it reads texts beside its task. */
  readonly tells: boolean;
}

async function openInner(
  student: string,
  temperature: number,
  { student: open, onNotice }: AgentSetting,
): Promise<Inner> {
  if (isFile(student)) {
    const { readStudentFile } = await import('../student-file.ts');
    const { createStudent } = await import('../../../agents/learned/student.ts');
    const { weights, sha256 } = readStudentFile(student);
    const policy = createStudent({ weights, name: 'learned', temperature });
    return { policy: () => policy, identity: `${basename(student)} ${sha256.slice(0, 8)}`, tells: false };
  }
  if (student === 'small') {
    const { openSmall } = await import('./small.ts');
    const { createSmallPolicy } = await import('../../../agents/small/small-policy.ts');
    const { model, identity } = await openSmall(null);
    const policy = createSmallPolicy({ model, temperature, ...(onNotice === undefined ? {} : { onNotice }) });
    return { policy: () => policy, identity, tells: false };
  }
  if (open === undefined) throw new Error('There is nobody to open other students.');
  const { make, identity } = await open(student);
  const { privileged } = make(null);
  if (privileged === true)
    throw invalidOption(
      `"${student}" sees the state of the app: it needs no memory.`,
      'Expected a student that sees the screen alone: a file that espalier train wrote, small, or a model.',
    );
  return { policy: head => make(head) as OrdinaryPolicy, identity: identity ?? student, tells: true };
}
