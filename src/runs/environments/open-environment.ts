import { environments } from '../../catalog.ts';
import { isStateSession, type Environment, type StateEnvironment } from '../../core/contracts.ts';
import { EspalierError, invalidOption, unknownEnvironment } from '../../core/errors.ts';
import { suggestion } from '../../core/naming/closest.ts';
import type { Task } from '../../core/records.ts';
import type { PageFamily } from '../../envs/web/sites/page-family.ts';
import { readModuleName } from '../../modules/load-module.ts';
import type { FamilyHost, Source } from '../../worlds/family.ts';
import { varyApp } from '../../worlds/wrappers/variation.ts';
import { createWorld } from '../../worlds/world.ts';
import type { Host } from '../host/host.ts';
import { plainBrowser } from '../settings/browser-config.ts';
import { familyOf, familyUsages, isElsewhere, type NamedFamily } from './families.ts';
import { familyInModule, moduleSource } from './module-source.ts';
import { drawInBrowser, endingBrowser, openWeb, type Web } from './web.ts';

/** What every family may ask for. */
export const familyHost: FamilyHost = {
  find: name => findSource(name),
  planner: async mostStates => (await import('./ladder-planner.ts')).createLadderPlanner(mostStates),
};

/** What a name stands for. What other people serve has no source here: `openEnvironment` opens it. */
export async function findSource(name: string): Promise<Source> {
  const found = await familyNamed(name);
  if (found !== null && found.family.served === undefined) return found.family.open(found.name, familyHost);
  if (found === null && (readModuleName(name) !== null || /[/\\]/.test(name))) return moduleSource(name);
  const known = environments.map(({ id }) => id);
  throw unknownEnvironment(
    `There is no environment "${name}".${suggestion(name, known)}`,
    `Expected one of ${known.join(', ')}, the path of your own module, such as ./library.ts, or what other people serve: ${familyUsages()}.`,
  );
}

/** The family of a name: one of ours, or the one in a module of the user's. */
async function familyNamed(name: string): Promise<NamedFamily | null> {
  const known = familyOf(name);
  if (known !== null) return known;
  const { path, rest } = readModuleName(name) ?? { path: '', rest: null };
  if (rest === null) return null;
  const family = await familyInModule(path);
  return { family, name: `${family.name}${rest}`, isOld: false };
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
  const found = await familyNamed(name);
  if (found?.isOld === true)
    host.onNotice(`"${name}" is called "${found.name}" now. The old name works in this version only.`);
  if (found !== null && found.family.served !== undefined)
    return openServed(found.family, found.name, { host, browser });
  const source = await findSource(name);
  if (!drawApps) return 'app' in source ? createWorld(source.app) : source.environment;
  const web = browser();
  return drawInBrowser(await drawable(source, web.config.vary), web);
}

interface Machine {
  readonly host: Host;
  browser(): Web;
}

/** Closing pages ends the browser that they asked for. */
async function openServed(family: PageFamily, name: string, { host, browser }: Machine): Promise<Environment> {
  const asked: Web[] = [];
  const source = await family.open(name, {
    ...familyHost,
    timers: host.timers,
    onNotice: text => host.onNotice(text),
    browser: () => (asked[0] ??= browser()),
  });
  const environment = 'app' in source ? createWorld(source.app) : source.environment;
  return asked[0] === undefined ? environment : endingBrowser(environment, asked[0]);
}

/** What is drawn from its state must have one. */
async function drawable(source: Source, vary: number | null): Promise<StateEnvironment> {
  if ('app' in source)
    return createWorld(vary === null ? source.app : varyApp(source.app, { seed: vary, labels: true, order: true }));
  if (await hasState(source.environment)) return source.environment as StateEnvironment;
  throw noStates(source.environment.id);
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
      'Expected --student search --strategy linear, which tries steps until the verifier passes, --strategy best-of-n, or a teacher that sees the screen alone, such as --teacher human; or an app, made with defineApp, which shows its state.',
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
  throw invalidOption(
    `There is no task ${environment.id}/${template}/${seed} in this folder of tasks.`,
    `Expected a task that it holds, such as ${task.id}.`,
  );
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
