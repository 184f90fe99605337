import type { Environment, TemplateInfo } from '../../core/contracts.ts';
import { EspalierError, invalidOption } from '../../core/errors.ts';
import type { StepContract } from '../../core/step-contracts/step-contract.ts';
import { closest } from '../../core/naming/closest.ts';
import { holdContracts, loadContracts } from './hold-contracts.ts';
import { openEnvironment, openStateful } from './open-environment.ts';
import { plainBrowser, type BrowserConfig } from '../settings/browser-config.ts';
import { offerActions, type ActionSet } from './offered-actions.ts';
import { isObjectName, notGiven, type GivenParts } from '../host/given.ts';
import type { Host } from '../host/host.ts';
import { openWeb } from './web.ts';

/** The environments of a run by their ids, each opened once. */
export type Worlds = ReadonlyMap<string, Environment>;

export interface WorldsOptions {
  /** Whether somebody in the run looks at privileged state. */
  readonly stateful: boolean;
  /** Draws apps in a browser; null when they are not drawn. */
  readonly browser: BrowserConfig | null;
  /** Episodes at once. */
  readonly concurrency: number;
  readonly host: Host;
  /** What agents are offered; everything when left out. */
  readonly actions?: ActionSet | undefined;
  /** Path of a module with contracts for the steps of agents; null for none. */
  readonly contracts?: string | null | undefined;
  /** Environments that were given as objects; whoever made them closes them. */
  readonly given?: GivenParts | undefined;
}

/** Does something with the environments of a run, and ends what they keep running, whatever comes of it. */
export async function withWorlds<T>(
  names: readonly string[],
  options: WorldsOptions,
  work: (worlds: Worlds) => Promise<T>,
): Promise<T> {
  const { worlds, close } = await openWorlds(names, options);
  try {
    return await work(worlds);
  } finally {
    await close();
  }
}

export interface OpenedWorlds {
  readonly worlds: Worlds;
  close(): Promise<void>;
}

/** Opens the environments of a run. Who opens them closes them. */
export async function openWorlds(names: readonly string[], options: WorldsOptions): Promise<OpenedWorlds> {
  const worlds = new Map<string, Environment>();
  const given = new Set([...(options.given?.environments?.values() ?? [])].map(({ id }) => id));
  const close = async (): Promise<void> => {
    // One that cannot be closed is no reason to leave the others open.
    const opened = [...worlds.values()].filter(({ id }) => !given.has(id));
    await Promise.allSettled(opened.map(environment => environment.close?.()));
  };
  try {
    await openInto(worlds, names, options);
    return { worlds, close };
  } catch (cause) {
    await close();
    throw cause;
  }
}

async function openInto(
  worlds: Map<string, Environment>,
  names: readonly string[],
  options: WorldsOptions,
): Promise<void> {
  const { stateful, browser, concurrency, host } = options;
  // An episode that walks its path again has two pages.
  const web = openWeb({ config: browser ?? plainBrowser, pages: 2 * concurrency + 1, host });
  const how = { host, web, drawApps: browser !== null };
  for (const name of names) {
    const environment =
      givenEnvironment(name, options.given) ??
      (await (stateful ? openStateful(name, how) : openEnvironment(name, how)));
    if (worlds.has(environment.id)) {
      if (!isObjectName(name)) await environment.close?.();
      throw invalidOption(
        `There are two environments with the id "${environment.id}".`,
        'Expected each environment once; give one of them another id.',
      );
    }
    worlds.set(environment.id, environment);
  }
  // After all are open: whatever is wrong now, they are closed.
  const contracts = await contractsOf(options);
  for (const [id, environment] of worlds)
    worlds.set(id, holdContracts(offerActions(environment, options.actions ?? 'all'), contracts));
}

async function contractsOf({ contracts = null }: WorldsOptions): Promise<readonly StepContract[]> {
  return contracts === null ? [] : loadContracts(contracts);
}

/** The object that a name stands for; null for any other name. */
export function givenEnvironment(name: string, given: GivenParts | undefined): Environment | null {
  if (!isObjectName(name)) return null;
  const found = given?.environments?.get(name);
  if (found === undefined) throw notGiven(`The environment "${name.slice(name.indexOf(':') + 1)}"`);
  return found;
}

export function worldOf(worlds: Worlds, id: string): Environment {
  const world = worlds.get(id);
  if (world !== undefined) return world;
  throw invalidOption(
    `There is no environment "${id}" in this run.`,
    `Expected one of: ${[...worlds.keys()].join(', ')}.`,
  );
}

/** A template of one of the environments. */
export interface Choice {
  readonly environment: Environment;
  readonly template: TemplateInfo;
  /** Set when one task of the template was asked for. */
  readonly seed?: number;
}

export function allTemplates(worlds: Worlds): Choice[] {
  return [...worlds.values()].flatMap(environment =>
    environment.templates.map(template => ({ environment, template })),
  );
}

/** The templates with these names, each once, in the order of their environments; `mail/star-message` or `star-message`. */
export function namedTemplates(worlds: Worlds, names: readonly string[]): Choice[] {
  const all = allTemplates(worlds);
  const fits = (choice: Choice, name: string): boolean => name === choice.template.id || name === fullName(choice);
  for (const name of names) if (!all.some(choice => fits(choice, name))) throw unknownTemplate(name, all);
  return all.filter(choice => names.some(name => fits(choice, name)));
}

function fullName({ environment, template }: Choice): string {
  return `${environment.id}/${template.id}`;
}

function unknownTemplate(name: string, all: readonly Choice[]): EspalierError {
  const known = name.includes('/') ? all.map(fullName) : all.map(({ template }) => template.id);
  const near = closest(name, known);
  return new EspalierError({
    boundary: 'input',
    code: 'unknown-template',
    message: `No environment of this run has a template "${name}".${near === null ? '' : ` Did you mean "${near}"?`}`,
    expected: `Expected templates that espalier tasks lists for ${[...new Set(all.map(({ environment }) => environment.id))].join(', ')}.`,
  });
}
