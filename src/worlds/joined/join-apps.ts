import { z } from 'zod';
import { invalidApp, type EspalierError } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { formatPath, parsePath } from '../../core/path.ts';
import type { UiNode } from '../../core/ui.ts';
import type { App } from '../app/app.ts';
import { createCommand, type AppCommand } from '../app/command.ts';
import { link, navigation, page } from '../app/elements.ts';
import { createPart, type Part } from './part.ts';

/** Several apps in one world, and which of them each table and command belongs to. */
export interface JoinedApp extends App<JsonObject> {
  readonly parts: readonly (Pick<Part, 'id' | 'title' | 'tables' | 'commands'> & {
    /** The name that a command of the part has in the joined app. */
    nameOf(command: string): string;
  })[];
}

/** Whether an app is made of several. */
export function isJoined<S extends JsonObject>(app: App<S>): app is App<S> & Pick<JoinedApp, 'parts'> {
  return 'parts' in app;
}

const openApp = 'open_app';

/**
 * One app made of several, whose state is the data of all of them side by side. A bar with a link to each app stands above
 * the screen of the open one. Tables and commands keep their names, unless two apps have the same: these get the id of
 * their app in front. It has no templates of its own.
 */
export function joinApps(apps: readonly App<JsonObject>[]): JoinedApp {
  const ids = apps.map(({ id }) => id);
  if (apps.length < 2 || new Set(ids).size < ids.length) throw notJoinable(ids);
  const parts = apps.map(app => createPart(app, apps));
  const open = createCommand<JsonObject, { app: string }>(
    openApp,
    {
      about: 'Go to one of the apps.',
      input: z.object({ app: z.enum(ids) }),
      run(draft, { app }) {
        (draft['ui'] as { app: string }).app = app;
      },
    },
    false,
  );
  const partOpen = (state: JsonObject): Part => {
    const { app } = state['ui'] as { app: string };
    return parts.find(({ id }) => id === app) ?? (parts[0] as Part);
  };
  return {
    id: ids.join('-'),
    title: apps.map(({ title }) => title).join(' and '),
    about: apps.map(({ about }) => about).join(' '),
    state: joinedSchema(parts),
    init: random => joinedState(parts, part => part.app.init(random.fork(part.id))),
    commands: [...parts.flatMap(({ joined }) => joined), open as AppCommand<JsonObject>],
    view: state => joinedView(parts, { open: partOpen(state), state, go: app => open.with({ app }) }),
    templates: [],
    incidental: parts.flatMap(part => part.app.incidental.map(path => outerPath(part, path))),
    undoable: parts.flatMap(part => part.app.undoable.map(path => outerPath(part, path))),
    synonyms: Object.assign({}, ...apps.map(({ synonyms }) => synonyms)) as App<JsonObject>['synonyms'],
    phrases: Object.assign({}, ...parts.map(phrasesOf)) as App<JsonObject>['phrases'],
    // A contract knows the screens and states of one app.
    contracts: [],
    onRefusal(draft, message) {
      const part = partOpen(draft);
      part.inside(draft, inner => part.app.onRefusal?.(inner, message));
    },
    parts: parts.map(({ id, title, tables, commands, outerCommand }) => ({
      id,
      title,
      tables,
      commands,
      nameOf: outerCommand,
    })),
  };
}

function joinedSchema(parts: readonly Part[]): z.ZodType<JsonObject> {
  const ids = parts.map(({ id }) => id);
  const data = Object.assign({}, ...parts.map(({ schemas }) => schemas)) as z.ZodRawShape;
  const screens = Object.fromEntries(parts.map(({ id, screen }) => [id, screen]));
  const schema = z.object({ ...data, ui: z.object({ app: z.enum(ids), ...screens }) });
  return schema as unknown as z.ZodType<JsonObject>;
}

function joinedState(parts: readonly Part[], stateOf: (part: Part) => JsonObject): JsonObject {
  const data: Record<string, Json> = {};
  const screens: Record<string, Json> = { app: parts[0]?.id ?? '' };
  for (const part of parts) {
    for (const [key, value] of Object.entries(stateOf(part))) {
      if (key === 'ui') screens[part.id] = value as Json;
      else data[part.outer(key)] = value as Json;
    }
  }
  return { ...data, ui: screens };
}

interface Drawing {
  readonly open: Part;
  readonly state: JsonObject;
  go(app: string): NonNullable<UiNode['press']>;
}

function joinedView(parts: readonly Part[], { open, state, go }: Drawing): UiNode {
  const links = parts.map(({ id, title }) => link(title, go(id), id === open.id ? ['current'] : undefined));
  const screen = open.renamed(open.app.view(open.inner(state)));
  return page(parts.map(({ title }) => title).join(' and '), [
    navigation('Apps', links),
    { ...screen, role: screen.role === 'page' ? 'region' : screen.role },
  ]);
}

function outerPath(part: Part, path: string): string {
  const [first = '', ...rest] = parsePath(path);
  return formatPath([part.outer(first), ...rest]);
}

function phrasesOf(part: Part): App<JsonObject>['phrases'] {
  return Object.fromEntries(
    Object.entries(part.app.phrases).map(([name, phrases]) => [part.outerCommand(name), phrases]),
  );
}

function notJoinable(ids: readonly string[]): EspalierError {
  return invalidApp(
    `The apps ${ids.join(' and ')} cannot be joined.`,
    'Expected two or more apps with different ids, such as mail+tracker.',
  );
}
