import type { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { Awaitable } from '../../core/contracts.ts';
import type { Policy, Teacher } from '../../core/episode/agents.ts';
import type { Entry } from '../../core/naming/registry.ts';
import type { HumanOptions } from '../../agents/human.ts';
import type { LlmOptions } from '../../agents/llm/ask.ts';
import type { ModelConfig } from '../settings/model-config.ts';
import type { Making } from '../host/given.ts';
import type { ReviewWaiting } from './reviews/contract.ts';

/** A model behind its endpoint, for agents. */
interface ConnectedModel {
  /** How it is asked in an episode. */
  asking(head: Parameters<Making<never>>[0]): LlmOptions;
  /** What the server says of the model; null when it does not. */
  readonly version: string | null;
}

/** What agents are made from. */
export interface AgentSetting {
  readonly clock: Clock;
  /** Needed when an agent is a person. */
  readonly human?: HumanOptions | undefined;
  /** Needed when people at the studio are asked. */
  readonly reviews?: ReviewWaiting | undefined;
  /** Takes a remark for the user that is no result. */
  onNotice?(text: string): void;
  /** Another student by its name, for students that are made of several. */
  student?(name: string): Promise<OpenedAgent<Policy>>;
  /** Throws when nobody is there, or does not know the model. */
  connect(config: ModelConfig, role: 'policy' | 'reviewer'): Promise<ConnectedModel>;
}

/** An agent that is ready to play. */
export interface OpenedAgent<T> {
  readonly make: Making<T>;
  /** Differs whenever the agent does, as a file that was trained again: evaluations use it as a name. Its own name when left out. */
  readonly identity?: string;
}

export type ConfigSchema = z.ZodObject<{ kind: z.ZodLiteral<string> }>;

/** An agent that can be chosen by name. One file makes it; a line in its registry offers it. */
interface AgentEntry<S extends ConfigSchema> extends Entry {
  /** What a config says of it. Its `kind` is the name of the entry. */
  readonly config: S;
  /** What a config says for a text of the command line; null when the text names something else. */
  read(text: string): Readonly<Record<string, unknown>> | null;
  /** Writes down what it begins with, such as the hash of a file; refuses what was changed since. */
  settle?(config: z.infer<S>): Awaitable<z.infer<S>>;
}

export interface StudentEntry<S extends ConfigSchema = ConfigSchema> extends AgentEntry<S> {
  open(config: z.infer<S>, setting: AgentSetting): Awaitable<OpenedAgent<Policy>>;
  /** The names of the students that it is made of. */
  parts?(config: z.infer<S>): readonly string[];
  /** What its config says in evaluations, where it has a say. */
  readonly evaluated?: Readonly<Record<string, unknown>>;
  /** Whether it can act in an environment of this name, and where it can; it acts everywhere when left out. */
  readonly suits?: { readonly environment: RegExp; readonly expected: string };
  /** Every evaluation runs it beside the student: it cannot be the student. */
  readonly isBaseline?: boolean;
}

export interface TeacherEntry<S extends ConfigSchema = ConfigSchema> extends AgentEntry<S> {
  /** Null for nobody. */
  open(config: z.infer<S>, setting: AgentSetting): Awaitable<OpenedAgent<Teacher> | null>;
}

export function defineStudent<S extends ConfigSchema>(entry: StudentEntry<S>): StudentEntry<S> {
  return entry;
}

export function defineTeacher<S extends ConfigSchema>(entry: TeacherEntry<S>): TeacherEntry<S> {
  return entry;
}

/** Reads the one word that names an agent. */
export function word(name: string): AgentEntry<ConfigSchema>['read'] {
  return text => (text === name ? { kind: name } : null);
}
