import { z } from 'zod';
import { invalidApp } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { StepContract } from '../../core/step-contracts/step-contract.ts';
import type { Random } from '../../core/random.ts';
import type { StepOutcome } from '../../core/records.ts';
import type { UiNode } from '../../core/ui.ts';
import {
  createCommand,
  createQuery,
  type AppCommand,
  type Command,
  type CommandBody,
  type Input,
  type QueryBody,
} from './command.ts';
import { createTemplate, type AppTemplate, type TemplateBody } from './template.ts';

/** The parts of an app, typed by its state: what an author builds commands and templates with. */
export interface AppKit<S extends JsonObject> {
  /** Changes the state; offered to agents as a tool, and to the view as something to dispatch. */
  command<I extends Input>(name: string, body: CommandBody<S, I>): Command<S, I>;
  /** Changes the state, from the view only: opening a menu, typing into a field, turning a page. */
  gesture<I extends Input>(name: string, body: CommandBody<S, I>): Command<S, I>;
  /** Reads the state; offered to agents as a tool. */
  query<I extends Input>(name: string, body: QueryBody<S, I>): AppCommand<S>;
  /** A family of tasks, made by seed. */
  template<P extends JsonObject>(id: string, body: TemplateBody<S, P>): AppTemplate<S>;
}

/** The schema is there for its type: it is what gives every command, view and template theirs. */
export function appKit<S extends JsonObject>(_schema: z.ZodType<S>): AppKit<S> {
  return {
    command: (name, body) => createCommand(name, body, true),
    gesture: (name, body) => createCommand(name, body, false),
    query: createQuery,
    template: createTemplate,
  };
}

export interface AppDefinition<S extends JsonObject> {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Schema of the one state. Its `ui` member holds open menus, typed text and pages; everything else is data. */
  readonly state: z.ZodType<S>;
  readonly init: (random: Random) => S;
  readonly commands: readonly AppCommand<S>[];
  readonly view: (state: S) => UiNode;
  readonly templates: readonly AppTemplate<S>[];
  /**
   * Paths that looking around may change, such as the read flag of a message. Changes by gestures are not held against
   * an agent; changes by commands are.
   */
  readonly incidental?: readonly string[];
  /**
   * Tables whose records can be added and removed again with no harm, such as `/cart`. Elsewhere that is a side effect,
   * although the final state does not show it: a message that was sent and deleted was sent.
   */
  readonly undoable?: readonly string[];
  /** Other words for labels of the view, for variations: the first is not repeated. */
  readonly synonyms?: Readonly<Record<string, readonly string[]>>;
  /** Sentences that ask for a command, by its name, for forged tasks: `Write to {to} about {subject}`. */
  readonly phrases?: Readonly<Record<string, readonly string[]>>;
  /** Commands that forged tasks leave to the held-out templates. When left out, they are found by planning, which takes a while. */
  readonly heldOutCommands?: HeldOutNames;
  /** Rules for the steps of agents, held in every episode: a step that breaks one is refused, asked about or recorded. */
  readonly contracts?: readonly StepContract[];
  /** Shows the reason when something clicked is refused. */
  readonly onRefusal?: (draft: S, message: string) => void;
  /** What is recorded with a step that led from one state to another, and told to no agent. */
  readonly incidents?: ((before: S, after: S) => NonNullable<StepOutcome['incidents']>) | undefined;
}

interface HeldOutNames {
  /** Commands that only held-out templates use. */
  readonly never: readonly string[];
  /** Commands that training templates use together with others only, and a held-out template by itself. */
  readonly notAlone: readonly string[];
}

export interface App<S extends JsonObject>
  extends Required<Omit<AppDefinition<S>, 'onRefusal' | 'heldOutCommands' | 'incidents'>> {
  readonly heldOutCommands?: HeldOutNames;
  readonly onRefusal: ((draft: S, message: string) => void) | null;
  readonly incidents?: AppDefinition<S>['incidents'];
}

const nameRule = /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/;

export function defineApp<S extends JsonObject>(definition: AppDefinition<S>): App<S> {
  const { id, commands, templates } = definition;
  requireName(id, 'id', 'an app id such as "mail"');
  requireUnique(commands, command => command.name, `commands of ${id}`);
  requireUnique(templates, template => template.id, `templates of ${id}`);
  if (templates.length === 0) throw invalidApp(`App "${id}" has no templates.`, 'Expected at least one task template.');
  return {
    incidental: [],
    undoable: [],
    synonyms: {},
    phrases: {},
    contracts: [],
    ...definition,
    onRefusal: definition.onRefusal ?? null,
  };
}

function requireUnique<T>(items: readonly T[], nameOf: (item: T) => string, what: string): void {
  const seen = new Set<string>();
  for (const item of items) {
    const name = nameOf(item);
    requireName(name, what, 'lower-case words joined by - or _');
    if (seen.has(name)) throw invalidApp(`"${name}" stands twice among the ${what}.`, 'Expected each name once.');
    seen.add(name);
  }
}

function requireName(name: string, what: string, expected: string): void {
  if (!nameRule.test(name)) throw invalidApp(`"${name}" cannot be used in the ${what}.`, `Expected ${expected}.`);
}
