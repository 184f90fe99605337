import type { StateEnvironment } from '../../core/contracts.ts';
import type { JsonObject } from '../../core/json.ts';
import type { App } from '../../worlds/app/app.ts';
import { createWorld } from '../../worlds/world.ts';
import { createWorkshop } from '../forge-app.ts';
import { commandTemplate } from '../tasks/command-template.ts';
import { matchQuery } from './match-query.ts';

/** A query, and the template that its tasks are of; or why it has none. */
export type QueryMatch =
  | { readonly query: string; readonly template: string }
  | { readonly query: string; readonly problem: string };

type Instantiated = QueryMatch & { readonly world: StateEnvironment | null };

/** Tasks of queries, in the world of forged tasks: what they ask for is there. */
export interface QueryWorld {
  readonly environment: StateEnvironment;
  readonly queries: readonly QueryMatch[];
}

/**
 * Instantiates queries (GUI-360): each goes to the command that it speaks of, and its nouns to records and values of the seeded
 * data. `forged` has the templates of single commands. Seeds are counted on from query to query, `seeds` for each.
 */
export function queryWorld<S extends JsonObject>(
  forged: App<S>,
  queries: readonly string[],
  seeds: number,
): QueryWorld {
  const workshop = createWorkshop(forged, {});
  const known = new Set(forged.templates.map(({ id }) => id));
  const found = queries.map((query): Instantiated => {
    const match = matchQuery(query, workshop);
    if ('problem' in match) return { query, problem: match.problem, world: null };
    const own = { ...workshop, phrasesFor: () => [match.phrase] };
    const template = commandTemplate(own, match.sampler, inWordsOf(match.phrase));
    if (!known.has(template.id))
      return { query, problem: `${match.sampler.command.name} is left to held-out templates`, world: null };
    return { query, template: template.id, world: createWorld({ ...forged, templates: [template] }) };
  });
  const all = createWorld(forged);
  return {
    queries: found,
    environment: {
      ...all,
      task: (template, seed) => (found[Math.floor((seed - 1) / seeds)]?.world ?? all).task(template, seed),
    },
  };
}

/** The sentence, if it is one of the query: a call that the query cannot say is said in other words. */
function inWordsOf(phrase: string): (sentence: string) => string | null {
  const fixed = phrase
    .replace(/[.!?]$/, '')
    .split(/\{\w+\}/)
    .map(part => part.trim())
    .filter(part => part !== '');
  return sentence => {
    if (!fixed.every(part => sentence.includes(part))) return null;
    return /[.!?]"?$/.test(sentence) ? sentence : `${sentence}${phrase.endsWith('?') ? '?' : '.'}`;
  };
}
