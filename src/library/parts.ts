import { basename, resolve } from 'node:path';
import { environments as builtIn } from '../catalog.ts';
import type { Environment } from '../core/contracts.ts';
import type { Policy, Teacher } from '../core/episode/agents.ts';
import type { Strategy } from '../episode/strategies/strategy.ts';
import type { ConfigDraft } from '../runs/config/config.ts';
import { studentNamed, teacherNamed } from '../runs/config/named-agents.ts';
import { absoluteName } from '../runs/environments/names.ts';
import { findConfig } from '../runs/folder/folder.ts';
import { objectName, type GivenParts } from '../runs/host/given.ts';
import type { Host } from '../runs/host/host.ts';
import { isModulePath } from '../modules/load-module.ts';
import { strategies } from '../runs/registry/strategies.ts';
import { createSystemHost } from '../system/workers/host.ts';

/** An environment by name, as on the command line, or the thing itself. */
export type EnvironmentChoice = string | Environment;
/** A name, a policy, a function that makes one for each episode, or the member `student` of a config. */
export type StudentChoice = string | Policy | (() => Policy) | NonNullable<ConfigDraft['student']>;
/** A name, a teacher, a function that makes one for each episode, or the member `teacher` of a config. */
export type TeacherChoice = string | Teacher | (() => Teacher) | NonNullable<ConfigDraft['teacher']>;
/** A name, the path of a module, a strategy, or the member `strategy` of a config. */
export type StrategyChoice = string | Strategy | { readonly kind: string; readonly [option: string]: unknown };

/** Options of every function that works on a run. */
export interface RunOptions {
  /** Folder of the run. */
  readonly folder: string;
  /** Ends the work early, in good order. */
  readonly signal?: AbortSignal | undefined;
  /** Clock, timers, environment variables and notices. Anything left out comes from this machine. */
  readonly host?: Partial<Host> | undefined;
}

export function hostOf(given: Partial<Host> = {}): Host {
  return { ...createSystemHost(), ...given };
}

/** The name of a run in its store: the one it had before, else the name of its folder. */
export function runNameFor(folder: string): string {
  return findConfig(folder)?.run ?? basename(resolve(folder));
}

interface ChosenEnvironments {
  readonly names: readonly string[];
  readonly environments: ReadonlyMap<string, Environment>;
}

/** All built-in environments when none is chosen. */
export function chooseEnvironments(
  choices: readonly EnvironmentChoice[] = builtIn.map(({ id }) => id),
): ChosenEnvironments {
  const objects = choices.filter(choice => typeof choice !== 'string');
  return {
    names: choices.map(choice => (typeof choice === 'string' ? absoluteName(choice) : objectName(choice))),
    environments: new Map(objects.map(environment => [objectName(environment), environment])),
  };
}

/** The member of a config, and the object that it stands for. */
interface Chosen<G> {
  readonly config?: object;
  readonly given: G;
}

export function chooseStudent(choice: StudentChoice | undefined): Chosen<Pick<GivenParts, 'policy'>> {
  if (choice === undefined) return { given: {} };
  if (typeof choice === 'string') return { config: studentNamed(choice), given: {} };
  if ('kind' in choice) return { config: choice, given: {} };
  const policy = typeof choice === 'function' ? choice : () => choice;
  return { config: { kind: 'object', name: policy().name }, given: { policy } };
}

export function chooseTeacher(choice: TeacherChoice | undefined): Chosen<Pick<GivenParts, 'teacher'>> {
  if (choice === undefined) return { given: {} };
  if (typeof choice === 'string') return { config: teacherNamed(choice), given: {} };
  if ('kind' in choice) return { config: choice, given: {} };
  const teacher = typeof choice === 'function' ? choice : () => choice;
  return { config: { kind: 'object', name: teacher().name }, given: { teacher } };
}

export function chooseStrategy(choice: StrategyChoice | undefined): Chosen<Pick<GivenParts, 'strategy'>> {
  if (choice === undefined) return { given: {} };
  if (typeof choice === 'string') {
    const config = isModulePath(choice)
      ? { kind: 'module', file: resolve(choice) }
      : { kind: strategies.need(choice).name };
    return { config, given: {} };
  }
  if (!isStrategy(choice)) return { config: choice, given: {} };
  return { config: { kind: 'object', name: choice.name }, given: { strategy: choice } };
}

function isStrategy(choice: object): choice is Strategy {
  return 'run' in choice && typeof choice.run === 'function';
}
