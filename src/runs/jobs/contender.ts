import type { Policy } from '../../core/episode/agents.ts';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import type { ModelConfig } from '../settings/model-config.ts';
import { studentNamed } from '../config/named-agents.ts';
import { connectTo, type ModelSetting } from '../models/connect.ts';
import { students } from '../registry/students.ts';
import type { AgentSetting, OpenedAgent } from '../agents/agent-entry.ts';
import { asksModels, openStudent } from './agents.ts';
import type { AskedStudent, Contender } from '../agents/evaluated.ts';

export interface ContenderOptions extends ModelSetting {
  /** How a model is asked; what is left out is as usual. */
  readonly asking: Partial<ModelConfig>;
  readonly onNotice?: AgentSetting['onNotice'];
}

/** The policy that a name stands for, to be evaluated. Files of students that were trained at other times get other names. */
export async function contenderNamed(
  text: string,
  { asking, onNotice, ...setting }: ContenderOptions,
): Promise<Contender> {
  const config = studentNamed(text);
  if (!asksModels(config)) return studentContender(text, undefined, onNotice);
  const asked = settled(config['kind'] === 'model' ? { ...config, ...asking } : config);
  return { ...named(await openAsked(asked, setting)), asked };
}

/** The same policy on another machine, with the name that it has in the store. */
export async function askedContender(asked: AskedStudent, name: string, setting: ModelSetting): Promise<Contender> {
  return named(await openAsked(asked, setting), name);
}

function openAsked(asked: AskedStudent, setting: ModelSetting): Promise<OpenedAgent<Policy>> {
  return openStudent(asked as StudentConfig, { ...alone, connect: connectTo(setting) });
}

/** A student that is no model; the one of a file gets this name, or one that tells it from others. */
export async function studentContender(
  text: string,
  name?: string,
  onNotice?: AgentSetting['onNotice'],
): Promise<Contender> {
  const config = studentNamed(text);
  const entry = students.find(String(config['kind']));
  if (entry?.isBaseline === true) throw isBaseline(text);
  const opened = await openStudent(
    settled(config) as StudentConfig,
    onNotice === undefined ? alone : { ...alone, onNotice },
  );
  const contender = { ...named(opened, name), source: text };
  // A file is told from others by what is in it.
  if (entry === undefined || entry.name === 'learned') return contender;
  return { ...contender, identity: entry.name === 'small' ? opened.identity : text } as Contender;
}

type StudentConfig = Parameters<typeof openStudent>[0];

/** As it is in evaluations. */
function settled(config: AskedStudent): AskedStudent {
  const entry = students.find(String(config['kind']));
  return entry === undefined ? config : entry.config.parse({ ...config, ...entry.evaluated });
}

/** Students that are evaluated need no clock, and only models need endpoints. */
const alone: AgentSetting = {
  clock: {
    now() {
      throw new Error('Students that are evaluated have no clock.');
    },
  },
  connect: () => Promise.reject(new Error('A worker asks no models.')),
};

function named({ make, identity }: OpenedAgent<Policy>, given?: string): Contender {
  const own = make(null).name;
  const name = given ?? identity ?? own;
  if (name === own) return { name, policyFor: make };
  return { name, policyFor: head => ({ ...make(head), name }) };
}

function isBaseline(name: string): EspalierError {
  return invalidOption(
    `"${name}" is a baseline: every evaluation runs it beside the student.`,
    `Expected another student: ${students.expected(entry => entry.isBaseline !== true)}. The rate of "${name}" is a row of the table, without --no-baselines.`,
  );
}
