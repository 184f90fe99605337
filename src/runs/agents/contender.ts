import { basename, resolve } from 'node:path';
import { EspalierError } from '../../core/errors.ts';
import { blankKnowledge, createStudent } from '../../policies/learned/student.ts';
import { modelSchema, type ModelConfig } from '../config/model-config.ts';
import { modelNamed } from '../config/named-agents.ts';
import type { Contender } from './evaluated.ts';
import { isModulePath } from '../modules/load-module.ts';
import { loadOwnPolicy, readStudentFile, type ModelSetting } from './agents.ts';
import { modelContender } from './model-contender.ts';

export interface ContenderOptions extends ModelSetting {
  /** How a model is asked; what is left out is as usual. */
  readonly asking: Partial<ModelConfig>;
}

/** The policy that a name stands for, to be evaluated. Files of students that were trained at other times get other names. */
export async function contenderNamed(file: string, { asking, ...setting }: ContenderOptions): Promise<Contender> {
  const model = modelNamed(file);
  if (model !== null) return modelContender(modelSchema.parse({ ...model, ...asking }), setting);
  return studentContender(file);
}

/** A student that is no model; the one of a file gets this name, or one that tells it from others. */
export async function studentContender(file: string, name?: string): Promise<Contender> {
  return { ...(await policyNamed(file, name)), source: file };
}

async function policyNamed(file: string, given: string | undefined): Promise<Contender> {
  if (file === 'random' || file === 'planner') throw isBaseline(file);
  if (isModulePath(file)) {
    const policyFor = await loadOwnPolicy(resolve(file));
    return { name: policyFor(null).name, policyFor };
  }
  if (file === 'untrained') {
    const untrained = createStudent({ knowledge: blankKnowledge(), name: file, temperature: 0 });
    return { name: file, policyFor: () => untrained };
  }
  const { knowledge, sha256 } = readStudentFile(file);
  const name = given ?? `${basename(file).replace(/\.json$/, '')} ${sha256.slice(0, 8)}`;
  const policy = createStudent({ knowledge, name, temperature: 0 });
  return { name, policyFor: () => policy };
}

function isBaseline(name: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'invalid-option',
    message: `"${name}" is a baseline: every evaluation runs it beside the student.`,
    expected: 'Expected a file that espalier train wrote, untrained, a module of yours, or a model.',
  });
}
