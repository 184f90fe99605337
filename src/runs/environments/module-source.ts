import { resolve } from 'node:path';
import type { Awaitable, Environment } from '../../core/contracts.ts';
import { causeText, EspalierError, invalidModule, unknownEnvironment } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { isProblem, problemModule } from '../../envs/problems/family.ts';
import type { PageFamily } from '../../envs/web/sites/page-family.ts';
import { importModule } from '../../modules/load-module.ts';
import { defineApp, type AppDefinition } from '../../worlds/app/app.ts';
import { moduleEnvironment, reading } from './module-environment.ts';
import { appSource, type Family, type Source } from '../../worlds/family.ts';

/** The family that a module of the user's exports: names of it are `./maze.ts:7`. */
export async function familyInModule(path: string): Promise<Family | PageFamily> {
  const loaded = await importModule(resolve(path));
  const { family } = loaded;
  if (has(family, ['name', 'open'])) return told(family as PageFamily, path);
  throw unusable(path, loaded, 'Expected a module that exports `family`, with name, about and open(name, host).');
}

/** What a module of the user's throws is told as a name that cannot be opened. */
function told(family: PageFamily, path: string): PageFamily {
  return {
    ...family,
    async open(name, host) {
      try {
        return await family.open(name, host);
      } catch (cause) {
        if (cause instanceof EspalierError) throw cause;
        throw unknownEnvironment(
          `The family in ${path} does not open "${name}": ${causeText(cause)}`,
          `Expected ${family.usage ?? family.name}.`,
        );
      }
    },
  };
}

/** The one environment that a module of the user's exports. */
export async function moduleSource(path: string): Promise<Source> {
  const loaded = await importModule(resolve(path));
  return reading(path, 'export', () => sourceIn(loaded, path));
}

function sourceIn(loaded: Readonly<Record<string, unknown>>, path: string): Awaitable<Source> {
  const { app, environment, problem } = loaded;
  if (has(app, ['id', 'state', 'init', 'commands', 'view', 'templates'])) {
    // Whoever wrote the definition without defineApp gets the same checks and defaults.
    return appSource(defineApp(app as AppDefinition<JsonObject>));
  }
  if (has(environment, ['id', 'templates', 'tools', 'task', 'open']))
    return { environment: moduleEnvironment(environment as Environment, path) };
  if (isProblem(problem)) return problemModule(problem);
  throw unusable(
    resolve(path),
    loaded,
    'Expected a TypeScript or JavaScript module that exports `app` (from defineApp), `environment` or `problem` (from defineProblem); or `family`, and a name after a colon.',
  );
}

function has(value: unknown, members: readonly string[]): boolean {
  return typeof value === 'object' && value !== null && members.every(member => member in value);
}

function unusable(path: string, loaded: Readonly<Record<string, unknown>>, expected: string): EspalierError {
  const names = Object.keys(loaded);
  const reason = names.length === 0 ? 'it exports nothing' : `it exports only ${names.join(', ')}`;
  return invalidModule(`The module ${path} cannot be used: ${reason}.`, expected);
}
