import type { JsonObject } from '../../core/json.ts';
import { createRandom } from '../../core/random.ts';
import { pluralOf, singularOf } from '../../core/text.ts';
import type { DrawnMember } from '../inputs/draw-input.ts';
import type { InputSampler } from '../inputs/input-sampler.ts';
import type { ForgeWorkshop } from '../tasks/command-template.ts';
import { verbsLike } from '../wording/verbs.ts';

/** What somebody wants, in their words, as a sentence of a command: `Give out {id}, {reader} is waiting.` */
export interface MatchedQuery<S extends JsonObject> {
  readonly sampler: InputSampler<S>;
  readonly phrase: string;
}

/** Words that say nothing of what is wanted. */
const filling: ReadonlySet<string> = new Set(
  'a an and any as at be by can could for from i in is it its me my of on one or please some that the their them this to want we with would you your'.split(
    ' ',
  ),
);

/** The command that a query speaks of, with its nouns as places for what is there; or why there is none. */
export function matchQuery<S extends JsonObject>(
  query: string,
  workshop: ForgeWorkshop<S>,
): MatchedQuery<S> | { readonly problem: string } {
  const found = workshop.soloSamplers.flatMap(sampler => scored(query, sampler, workshop) ?? []);
  const best = found.toSorted((left, right) => right.score - left.score);
  const [first, second] = best;
  if (first === undefined) {
    const names = workshop.soloSamplers.map(({ command }) => command.name).join(', ');
    return { problem: `no command does that, with all records it needs named in the query; there are ${names}` };
  }
  if (second?.score === first.score)
    return { problem: `it fits ${first.sampler.command.name} and ${second.sampler.command.name} alike` };
  return first;
}

interface Scored<S extends JsonObject> extends MatchedQuery<S> {
  readonly score: number;
}

/** Null where the query does not speak of the command, or leaves out a record that it needs. */
function scored<S extends JsonObject>(
  query: string,
  sampler: InputSampler<S>,
  { worlds }: ForgeWorkshop<S>,
): Scored<S> | null {
  const { name, about } = sampler.command;
  const random = createRandom(`query ${name}`);
  const call = worlds()
    .map(world => sampler.sample(world, random))
    .find(sampled => sampled !== null);
  const placed = (call?.members ?? []).reduce<Placed | null>(place, { phrase: query, count: 0 });
  if (call === undefined || placed === null) return null;
  // The noun "book" is no verb.
  const words = wordsIn(placed.phrase.replaceAll(/\{\w+\}/g, ' '));
  const [verb = ''] = about.split(' ', 1);
  const [named = ''] = name.split('_', 1);
  const isSaid = [...verbsLike(verb), ...verbsLike(named)].some(other => wordsIn(other).isSubsetOf(words));
  const shared = wordsIn(`${about} ${name.replaceAll('_', ' ')}`).intersection(words).size;
  return isSaid ? { sampler, phrase: placed.phrase, score: shared + placed.count } : null;
}

interface Placed {
  readonly phrase: string;
  readonly count: number;
}

/** Puts a place for a member of the input where the query speaks of it; null where a record is not spoken of. */
function place(placed: Placed | null, { key, role, places }: DrawnMember): Placed | null {
  if (placed === null || !['record', 'records', 'text'].includes(role)) return placed;
  const tables = places.map(({ table }) => table.slice(table.lastIndexOf('/') + 1));
  const nouns = [...new Set([inWords(key), ...tables.flatMap(table => [singularOf(table) ?? table, table])])];
  const spoken = nouns
    .flatMap(noun => [noun, pluralOf(noun)])
    .map(noun => new RegExp(`\\{${noun}\\}|\\b(?:an?|any|one|some|the) ${noun}\\b`, 'i'))
    .find(pattern => pattern.test(placed.phrase));
  if (spoken !== undefined) return { phrase: placed.phrase.replace(spoken, `{${key}}`), count: placed.count + 1 };
  return role === 'text' ? placed : null;
}

function inWords(key: string): string {
  return key
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}

/** Words of a text without endings: `lending` and `lends` are `lend`. */
function wordsIn(text: string): ReadonlySet<string> {
  const all = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return new Set(all.filter(word => !filling.has(word)).map(word => word.replace(/(?<=..)(?:ing|ed|es|s)$/, '')));
}
