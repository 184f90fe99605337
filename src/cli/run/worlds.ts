import type { Environment, TemplateInfo } from '../../core/contracts.ts';
import { EspalierError } from '../../core/errors.ts';
import { closest, openEnvironment, openStateEnvironment } from '../load.ts';

/** The environments of a run by their ids, each opened once. */
export type Worlds = ReadonlyMap<string, Environment>;

export interface WorldsOptions {
  /** Whether somebody in the run looks at privileged state. */
  readonly stateful: boolean;
}

export async function openWorlds(names: readonly string[], { stateful }: WorldsOptions): Promise<Worlds> {
  const worlds = new Map<string, Environment>();
  for (const name of names) {
    const environment = await (stateful ? openStateEnvironment(name) : openEnvironment(name));
    if (worlds.has(environment.id)) {
      throw invalid(
        `There are two environments with the id "${environment.id}".`,
        'Expected each environment once; give one of them another id.',
      );
    }
    worlds.set(environment.id, environment);
  }
  return worlds;
}

export function worldOf(worlds: Worlds, id: string): Environment {
  const world = worlds.get(id);
  if (world !== undefined) return world;
  throw invalid(`There is no environment "${id}" in this run.`, `Expected one of: ${[...worlds.keys()].join(', ')}.`);
}

/** A template of one of the environments. */
export interface Choice {
  readonly environment: Environment;
  readonly template: TemplateInfo;
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

function invalid(message: string, expected: string): EspalierError {
  return new EspalierError({ boundary: 'input', code: 'invalid-option', message, expected });
}
