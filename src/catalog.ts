import type { StateEnvironment } from './core/contracts.ts';
import { EspalierError } from './core/errors.ts';
import type { JsonObject } from './core/json.ts';
import type { App } from './worlds/app/app.ts';
import { createWorld } from './worlds/world.ts';

export interface EnvironmentEntry {
  readonly id: string;
  readonly about: string;
  /** The definition, for what takes it apart: variation, admission. */
  app(): Promise<App<JsonObject>>;
  load(): Promise<StateEnvironment>;
}

/** Every environment that comes with Espalier; nothing is loaded before it is asked for. */
export const environments: readonly EnvironmentEntry[] = [
  builtIn(
    'mail',
    'Folders, labels, conversations, contacts, rules.',
    async () => (await import('./envs/apps/mail/mail.ts')).mail,
  ),
  builtIn(
    'shop',
    'Products, reviews, a cart, coupons, orders.',
    async () => (await import('./envs/apps/shop/shop.ts')).shop,
  ),
  builtIn(
    'tracker',
    'Issues, workflow, sprints, boards, links.',
    async () => (await import('./envs/apps/tracker/tracker.ts')).tracker,
  ),
];

/** A built-in environment by its id. */
export async function openBuiltIn(id: string): Promise<StateEnvironment> {
  const entry = environments.find(known => known.id === id);
  if (entry !== undefined) return entry.load();
  throw new EspalierError({
    boundary: 'input',
    code: 'unknown-environment',
    message: `There is no built-in environment "${id}".`,
    expected: `Expected one of: ${environments.map(known => known.id).join(', ')}.`,
  });
}

function builtIn<S extends JsonObject>(id: string, about: string, load: () => Promise<App<S>>): EnvironmentEntry {
  // The type of its state is an app's own business.
  const app = async (): Promise<App<JsonObject>> => (await load()) as unknown as App<JsonObject>;
  return { id, about, app, load: async () => createWorld(await app()) };
}
