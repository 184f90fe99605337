import type { z } from 'zod';
import { invalidApp } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Intent, UiNode } from '../../core/ui.ts';
import type { App } from '../app/app.ts';
import type { AppCommand } from '../app/command.ts';

/** One of the apps in a joined one, with the names that its tables and commands have there. */
export interface Part {
  readonly id: string;
  readonly title: string;
  readonly app: App<JsonObject>;
  /** Its top-level members but the screen, and its commands, by their names in the joined app. */
  readonly tables: ReadonlySet<string>;
  readonly commands: ReadonlySet<string>;
  /** Schemas of its members by their names in the joined app, and that of its screen. */
  readonly schemas: Readonly<Record<string, z.ZodType>>;
  readonly screen: z.ZodType;
  /** Its commands as commands of the joined app. */
  readonly joined: readonly AppCommand<JsonObject>[];
  outer(member: string): string;
  outerCommand(name: string): string;
  /** Its own state, as a part of the joined one. */
  inner(state: JsonObject): JsonObject;
  /** Does something with its own part of a draft. */
  inside<T>(draft: JsonObject, work: (inner: JsonObject) => T): T;
  /** Its screen, with the names that its commands have in the joined app. */
  renamed(node: UiNode): UiNode;
}

export function createPart(app: App<JsonObject>, all: readonly App<JsonObject>[]): Part {
  const others = all.filter(other => other !== app);
  const shape = shapeOf(app);
  const prefix = `${app.id.replaceAll('-', '_')}_`;
  const members = Object.keys(shape).filter(key => key !== 'ui');
  const taken = new Set(others.flatMap(other => Object.keys(shapeOf(other))));
  const takenNames = new Set(others.flatMap(({ commands }) => commands.map(({ name }) => name)));
  const outer = (member: string): string => (taken.has(member) ? `${prefix}${member}` : member);
  const outerCommand = (name: string): string => (takenNames.has(name) ? `${prefix}${name}` : name);
  const names = members.map(member => [member, outer(member)] as const);
  const inner = (state: JsonObject): JsonObject => {
    const own: Record<string, Json> = {};
    for (const [member, name] of names) if (state[name] !== undefined) own[member] = state[name];
    const screen = (state['ui'] as JsonObject)[app.id];
    return screen === undefined ? own : { ...own, ui: screen };
  };
  const inside = <T>(draft: JsonObject, work: (own: JsonObject) => T): T => {
    const before = inner(draft);
    const own = { ...before };
    const result = work(own);
    // What was changed in place is in the draft already; what was replaced is put there.
    const target = draft as Record<string, Json>;
    for (const [member, name] of names) if (own[member] !== before[member]) target[name] = own[member] as Json;
    if (own['ui'] !== before['ui']) (target['ui'] as Record<string, Json>)[app.id] = own['ui'] as Json;
    return result;
  };
  const isRenamed = app.commands.some(({ name }) => takenNames.has(name));
  return {
    id: app.id,
    title: app.title,
    app,
    tables: new Set(names.map(([, name]) => name)),
    commands: new Set(app.commands.map(({ name }) => outerCommand(name))),
    schemas: Object.fromEntries(names.map(([member, name]) => [name, shape[member] as z.ZodType])),
    screen: shape['ui'] as z.ZodType,
    joined: app.commands.map(command => ({
      ...command,
      name: outerCommand(command.name),
      run: (state, input) =>
        command.kind === 'query' ? command.run(inner(state), input) : inside(state, own => command.run(own, input)),
    })),
    outer,
    outerCommand,
    inner,
    inside,
    renamed: isRenamed ? node => renamedNode(node, outerCommand) : node => node,
  };
}

function renamedNode(node: UiNode, nameOf: (command: string) => string): UiNode {
  const { press, enter, children } = node;
  const intent = (given: Intent): Intent => ({ ...given, command: nameOf(given.command) });
  return {
    ...node,
    ...(press === undefined ? {} : { press: intent(press) }),
    ...(enter === undefined ? {} : { enter: intent(enter) }),
    ...(children === undefined ? {} : { children: children.map(child => renamedNode(child, nameOf)) }),
  };
}

function shapeOf({ id, state }: App<JsonObject>): Readonly<Record<string, z.ZodType>> {
  const { shape } = state as unknown as { shape?: Readonly<Record<string, z.ZodType>> };
  if (shape?.['ui'] !== undefined) return shape;
  throw invalidApp(
    `The app "${id}" cannot be joined with others: its state is no plain object with a member ui.`,
    'Expected state: z.object({ …, ui: z.object({ … }) }).',
  );
}
