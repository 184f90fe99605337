import { createRandom } from '../../../src/core/random.ts';
import { collectSeed, evaluationSeed } from '../../../src/runs/settings/seeds.ts';

/** An environment by its id, with templates to take tasks from. */
export interface TaskSource {
  readonly environment: string;
  readonly templates: readonly string[];
}

export interface DrawOptions {
  readonly seed: number;
  /** Of each template. */
  readonly instances: number;
}

/** Tasks to teach: so many instances of every template, in the order of the sources. */
export function tasksToTeach(sources: readonly TaskSource[], { seed, instances }: DrawOptions): string[] {
  return namesOf(sources).flatMap(name =>
    Array.from({ length: instances }, (_, instance) => `${name}/${collectSeed(seed, 1, instance)}`),
  );
}

/** Tasks to teach until there are enough: one instance of every template in a drawn order, then the next. */
export function drawTasks(
  sources: readonly TaskSource[],
  { seed, count }: { readonly seed: number; readonly count: number },
): string[] {
  const names = namesOf(sources);
  const found: string[] = [];
  for (let instance = 0; found.length < count && names.length > 0; instance++) {
    const order = createRandom(`taught tasks/${seed}`).fork(String(instance)).shuffle(names);
    found.push(...order.map(name => `${name}/${collectSeed(seed, 1, instance)}`));
  }
  return found.slice(0, count);
}

/** Tasks to teach in made-up apps, app after app: a few templates of each. */
export function drawFromApps(
  sources: readonly TaskSource[],
  { seed, perApp }: { readonly seed: number; readonly perApp: number },
): string[] {
  return someTemplates(sources, { seed, most: perApp }).map(name => `${name}/${collectSeed(seed, 1, 0)}`);
}

/** Tasks to evaluate on, of all templates. No task to teach has one of their seeds. */
export function tasksToEvaluate(sources: readonly TaskSource[], { seed, instances }: DrawOptions): string[] {
  return namesOf(sources).flatMap(name => evaluated(name, seed, instances));
}

/** Tasks to evaluate on, of a few templates of each app. The blind replay needs two of a template. */
export function someToEvaluate(
  sources: readonly TaskSource[],
  { seed, instances, most }: DrawOptions & { readonly most: number },
): string[] {
  return someTemplates(sources, { seed, most }).flatMap(name => evaluated(name, seed, instances));
}

function evaluated(name: string, seed: number, instances: number): string[] {
  return Array.from({ length: instances }, (_, instance) => `${name}/${evaluationSeed(seed, instance)}`);
}

function someTemplates(
  sources: readonly TaskSource[],
  { seed, most }: { readonly seed: number; readonly most: number },
): string[] {
  return sources.flatMap(({ environment, templates }) =>
    createRandom(`templates/${seed}`)
      .fork(environment)
      .shuffle(templates)
      .slice(0, most)
      .map(template => `${environment}/${template}`),
  );
}

function namesOf(sources: readonly TaskSource[]): string[] {
  return sources.flatMap(({ environment, templates }) => templates.map(template => `${environment}/${template}`));
}

/** One of each in turn; what is left of the longer list comes last. */
export function alternate<T>(first: readonly T[], second: readonly T[]): T[] {
  return Array.from({ length: Math.max(first.length, second.length) }, (_, index) => [
    ...first.slice(index, index + 1),
    ...second.slice(index, index + 1),
  ]).flat();
}
