import { resolve } from 'node:path';
import { environments } from '../../catalog.ts';
import { isStateSession, type Environment, type StateEnvironment } from '../../core/contracts.ts';
import { EspalierError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Task } from '../../core/records.ts';
import { defineApp, type AppDefinition } from '../../worlds/app/app.ts';
import { varyApp } from '../../worlds/wrappers/variation.ts';
import { createWorld } from '../../worlds/world.ts';
import { suggestion } from '../../core/naming/closest.ts';
import { importModule } from '../../modules/load-module.ts';
import { familyOf, familyUsages, madeFamilyOf } from './families.ts';
import { isProblem, problemModule } from '../../envs/problems/family.ts';
import type { Source } from '../../worlds/family.ts';
import type { Host } from '../host/host.ts';
import { plainBrowser } from '../settings/browser-config.ts';
import { drawInBrowser, openWeb, type Web } from './web.ts';

/** A built-in by its id, or one of the user's own by the path of its module. */
export async function findSource(name: string): Promise<Source> {
  const made = madeFamilyOf(name);
  if (made !== undefined) return made.source(name, findSource);
  if (/[/\\]|\.[cm]?[jt]s$/.test(name)) return loadModule(resolve(name));
  const entry = environments.find(({ id }) => id === name);
  if (entry !== undefined) return { app: await entry.app() };
  const known = environments.map(({ id }) => id);
  throw new EspalierError({
    boundary: 'input',
    code: 'unknown-environment',
    message: `There is no environment "${name}".${suggestion(name, known)}`,
    expected: `Expected one of ${known.join(', ')}, the path of your own module, such as ./library.ts, or what other people serve: ${familyUsages()}.`,
  });
}

export interface OpenOptions {
  readonly host: Host;
  /** The browser for pages; one with the usual settings when left out. */
  readonly web?: Web | undefined;
  /** Whether apps are drawn in the browser, too. */
  readonly drawApps?: boolean | undefined;
}

const fewPages = 4;

/** Who opens one closes it: there may be a browser behind it. */
export async function openEnvironment(name: string, options: OpenOptions): Promise<Environment> {
  const { host, drawApps = false } = options;
  const browser = (): Web => options.web ?? openWeb({ config: plainBrowser, pages: fewPages, host });
  const family = familyOf(name);
  if (family !== undefined) return family.open(name, { host, browser });
  const source = await findSource(name);
  if (!drawApps) return 'app' in source ? createWorld(source.app) : source.environment;
  const web = browser();
  return drawInBrowser(await drawable(source, web.config.vary), web);
}

/** What is drawn from its state must have one. */
async function drawable(source: Source, vary: number | null): Promise<StateEnvironment> {
  if ('app' in source)
    return createWorld(vary === null ? source.app : varyApp(source.app, { seed: vary, labels: true, order: true }));
  if (await hasState(source.environment)) return source.environment as StateEnvironment;
  throw noStates(source.environment.id);
}

/** Whether a name is that of other people's pages or tools, whose state nobody sees. */
export function isElsewhere(name: string): boolean {
  return familyOf(name) !== undefined;
}

/** Plans need worlds whose state is at hand. */
export async function openStateEnvironment(name: string, host: Host): Promise<StateEnvironment> {
  if (isElsewhere(name)) throw noStates(name);
  const environment = await openEnvironment(name, { host });
  if (await hasState(environment)) return environment as StateEnvironment;
  throw noStates(environment.id);
}

/** As drawn as the options say; refused when its sessions do not show their state. */
export async function openStateful(name: string, options: OpenOptions): Promise<Environment> {
  // What is drawn from its state has one.
  const isDrawn = options.drawApps === true && !isElsewhere(name);
  return isDrawn ? openEnvironment(name, options) : openStateEnvironment(name, options.host);
}

function noStates(name: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unsupported',
    message: `"${name}" does not show its state, which planners look at.`,
    expected:
      'Expected --strategy linear or best-of-n, or --teacher human; or an app, made with defineApp, which shows its state.',
  });
}

async function hasState(environment: Environment): Promise<boolean> {
  const template = environment.templates[0];
  if (template === undefined) return false;
  const session = await environment.open(await environment.task(template.id, 1));
  const powers = isStateSession(session);
  await session.close();
  return powers;
}

/** The task of this template and seed. Left out, they are the first template and its first task. */
export async function openTask(environment: Environment, template?: string, seed?: number): Promise<Task> {
  const found = requireTemplate(environment, template ?? environment.templates[0]?.id ?? '');
  return seed === undefined ? environment.task(found, 1) : exactTask(environment, found, seed);
}

/** The task of exactly this seed. A folder of tasks has only some, and gives another one for any other seed. */
export async function exactTask(environment: Environment, template: string, seed: number): Promise<Task> {
  const task = await environment.task(template, seed);
  if (task.seed === seed) return task;
  throw new EspalierError({
    boundary: 'input',
    code: 'invalid-option',
    message: `There is no task ${environment.id}/${template}/${seed} in this folder of tasks.`,
    expected: `Expected a task that it holds, such as ${task.id}.`,
  });
}

export function requireTemplate(environment: Environment, template: string): string {
  const known = environment.templates.map(({ id }) => id);
  if (known.includes(template)) return template;
  throw new EspalierError({
    boundary: 'input',
    code: 'unknown-template',
    message: `Environment "${environment.id}" has no template "${template}".${suggestion(template, known)}`,
    expected: `Expected one of: ${known.join(', ')}.`,
  });
}

async function loadModule(path: string): Promise<Source> {
  const loaded = await importModule(path);
  const { app, environment, problem } = loaded;
  if (has(app, ['id', 'state', 'init', 'commands', 'view', 'templates'])) {
    // Whoever wrote the definition without defineApp gets the same checks and defaults.
    return { app: defineApp(app as AppDefinition<JsonObject>) };
  }
  if (has(environment, ['id', 'templates', 'tools', 'task', 'open']))
    return { environment: environment as Environment };
  if (isProblem(problem)) return problemModule(problem);
  const names = Object.keys(loaded);
  throw invalidModule(path, names.length === 0 ? 'it exports nothing' : `it exports only ${names.join(', ')}`);
}

function has(value: unknown, members: readonly string[]): boolean {
  return typeof value === 'object' && value !== null && members.every(member => member in value);
}

function invalidModule(path: string, reason: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'invalid-module',
    message: `The module ${path} cannot be used: ${reason}.`,
    expected:
      'Expected a TypeScript or JavaScript module that exports `app` (from defineApp), `environment` or `problem` (from defineProblem).',
  });
}
