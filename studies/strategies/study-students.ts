import { join } from 'node:path';
import type { Policy } from '../../src/core/episode/agents.ts';
import { invalidOption } from '../../src/core/errors.ts';
import { readConfig } from '../../src/runs/config/config.ts';
import { studentNamed } from '../../src/runs/config/named-agents.ts';
import type { Host } from '../../src/runs/host/host.ts';
import { openStudent } from '../../src/runs/jobs/agents.ts';
import { demonstrate, studentFile, trainStudents } from './feature-students.ts';

/** What students draw their steps with where they do not take the likeliest. */
export const temperature = 0.7;

export interface StudyStudents {
  /** The student of a training seed, at a temperature. */
  policyOf(seed: number, heat: number): Policy;
  /** The same, as the command line names it. */
  nameOf(seed: number): string;
}

/** The student's part of the name of a folder: it may be the path of a file. */
export function folderName(student: string): string {
  return student.replaceAll(/[^\w.-]+/g, '-');
}

interface StudentSetting {
  readonly host: Host;
  readonly signal: AbortSignal;
  readonly out: string;
  /** What students are trained on. */
  readonly environments: readonly string[];
  readonly seeds: number;
}

/** Students of a study: `feature` is trained here, once for each seed; others are as they are. Null when it was stopped. */
export async function studentsNamed(name: string, setting: StudentSetting): Promise<StudyStudents | null> {
  const { out, environments, seeds, host, signal } = setting;
  if (name !== 'feature') {
    const [cold, warm] = [await studentAt(name, 0, host), await studentAt(name, temperature, host)];
    return { policyOf: (_seed, heat) => (heat === 0 ? cold : warm), nameOf: () => name };
  }
  const folder = join(out, 'demonstrations');
  const records = await demonstrate({ folder, environments, instances: 6, seed: 1, host, signal });
  if (records === null) return null;
  return { policyOf: trainStudents(records, { folder, seeds }), nameOf: seed => studentFile(folder, seed) };
}

/** A student of the registry at a temperature. Models are not asked here: a study of theirs is a run of `espalier eval`. */
async function studentAt(name: string, heat: number, host: Host): Promise<Policy> {
  const draft = { run: 'study', environments: ['mail'], strategy: { kind: 'linear' } };
  const { student } = readConfig({ ...draft, student: { ...studentNamed(name), temperature: heat } }, 'The study');
  const connect = (): never => {
    throw invalidOption(
      `The study asks no model such as ${name}.`,
      'Expected feature, small or the file of a student.',
    );
  };
  return (await openStudent(student, { clock: host.clock, onNotice: host.onNotice, connect })).make(null);
}
