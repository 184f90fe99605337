import type { Change } from '../../core/diff.ts';
import type { JsonObject } from '../../core/json.ts';
import { parsePath } from '../../core/path.ts';
import type { Random } from '../../core/random.ts';
import { inWords } from '../data/tables.ts';
import type { SampledCall } from '../inputs/try-call.ts';
import { memberNoun } from './member-noun.ts';
import { joined, quoted } from './quoted.ts';
import type { Said } from './said.ts';

type Replaced = Extract<Change, { op: 'replace' }>;

/** A member that gets another value. */
interface Fact {
  readonly member: string;
  readonly words: string;
  readonly now: unknown;
  /** The new value as a text; null when it is none. */
  readonly value: string | null;
  readonly before: string | null;
}

const mostFacts = 2;

/** Says what shall be different, when a call only sets one or two members; null when it does more than that. */
export function phraseEdit<S extends JsonObject>(call: SampledCall<S>, said: Said, random: Random): string | null {
  const { records, texts, flags } = said;
  const facts = factsOf(call);
  if (facts === null || facts.length > mostFacts || records.length > 1) return null;
  const fits = (key: string, value: string): boolean =>
    facts.some(fact => fact.member === value || (fact.value === value && (fact.member === key || key === 'value')));
  // Who reports that a boat is damaged shall not see to it.
  if (
    facts.some(({ now }) => typeof now === 'boolean') &&
    /^(?:Report|Note|Record|Log|Register)\b/.test(call.command.about)
  )
    return null;
  const isWhole =
    texts.every(({ key, value }) => fits(key, value)) &&
    flags.every(({ key }) => facts.some(fact => fact.member === key && typeof fact.now === 'boolean'));
  if (!isWhole) return null;
  const target = records[0]?.words ?? null;
  const isMany = (records[0]?.names.length ?? 0) > 1 && target?.includes(' and ') === true;
  return joined(
    facts.map((fact, index) => {
      const about = call.command.about;
      const sentence = sayFact(fact, { target: index === 0 || target === null ? target : 'it', isMany, about }, random);
      return index === 0 ? sentence : `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
    }),
  );
}

/** The members that change, each once; null when something comes or goes, or lies outside of the named records. */
function factsOf<S extends JsonObject>({ changes, members }: SampledCall<S>): Fact[] | null {
  const ids = members.flatMap(({ places }) => places.map(({ row }) => row.id));
  const facts = new Map<string, Fact>();
  for (const change of changes) {
    if (change.op !== 'replace' || (ids.length > 0 && !ids.some(id => parsePath(change.path).includes(id))))
      return null;
    const fact = factOf(change, ids);
    const known = facts.get(fact.member);
    if (fact.value === null && typeof fact.now !== 'boolean') return null;
    if (known !== undefined && known.now !== fact.now) return null;
    facts.set(fact.member, known === undefined ? fact : { ...fact, before: null });
  }
  return [...facts.values()];
}

function factOf({ path, before, value }: Replaced, ids: readonly string[]): Fact {
  const [table = '', ...inside] = parsePath(path);
  const member = inside.at(-1) ?? table;
  const around = inside.at(-2) ?? '';
  // A member of a group of settings goes by the name of the group, too: "vacation message".
  const isRecord = around === '' || /\d/.test(around) || ids.includes(around);
  const words = isRecord ? inWords(member) : inWords(`${around}_${member}`);
  const text = (given: unknown): string | null =>
    typeof given === 'string' || typeof given === 'number' ? String(given) : null;
  const noun = typeof value === 'boolean' ? words.replace(/ on$/, '') : memberNoun(words, value);
  return { member, words: noun, now: value, value: text(value), before: text(before) };
}

const isAdjective =
  /(?:ed|able|ible|ive|ful|ous|en|fragile|public|private|urgent|active|done|read|unread|open|new|old|free|paid|hidden|ready|late|vegan|sober)$/;
const isNoun = /(?:^| )(?:bed|shed|seed|feed|garden|kitchen|oven|screen|drive|archive|table|cable|thread)$/;
/** "In service", "out of order" and "sold out" stand behind "is" as they are. */
const isState =
  /^(?:in|on|out of|off|under|at|for|without) \p{L}|(?:ed|sold|worn|put|shut|cut|laid|en) (?:out|in|off|up|down|away)$/u;
const isAdverb = /^(?:not|already|still|now|well|fully|\p{L}+ly)$/u;

/** What is said of a record with a flag; null where only a switch of that name can be. */
function stateOf(words: string, target: string): { readonly subject: string; readonly state: string } | null {
  const plain = words.replace(/^is /, '');
  const [first = '', ...rest] = plain.split(' ');
  if (isState.test(plain)) return { subject: target, state: plain };
  if (isNoun.test(plain) || !isAdjective.test(plain)) return null;
  // "The gardener is fee paid" is no English: their fee is paid.
  if (rest.length === 1 && !isAdverb.test(first) && !isAdjective.test(first) && /(?:ed|en|paid|done|sent)$/.test(plain))
    return { subject: `the ${first} of ${target}`, state: rest.join(' ') };
  return { subject: target, state: plain };
}

function sayFact(
  { words, now, value, before }: Fact,
  { target, isMany, about }: { target: string | null; isMany: boolean; about: string },
  random: Random,
): string {
  if (typeof now === 'boolean') {
    const subject = target ?? `"${words}"`;
    // "Make a contact a favourite": then it is a favourite.
    const article = isMany ? null : new RegExp(String.raw`\b(an?) ${words}\b`).exec(about)?.[1];
    const state = article === undefined || article === null ? words : `${article} ${words}`;
    const said = target === null || state !== words ? { subject, state } : stateOf(words, target);
    // "Make sure that the train is dining car" says nothing: what is no adjective is switched on.
    if (target !== null && words !== 'on' && said === null)
      return `${random.pick(['Switch', 'Turn'])} "${words}" ${now ? 'on' : 'off'} for ${target}`;
    const isOn = target === null || said === null ? (now ? 'on' : 'off') : `${now ? '' : 'not '}${said.state}`;
    const verb = isMany ? 'are' : 'is';
    const fact = `${said?.subject ?? subject} ${verb} ${isOn}`;
    return random.pick([`Make sure that ${fact}`, `See to it that ${fact}`]);
  }
  const what = target === null ? `the ${words}` : target === 'it' ? `its ${words}` : `the ${words} of ${target}`;
  const wanted = quoted(value ?? '');
  const frames = [`Set ${what} to ${wanted}`, `Change ${what} to ${wanted}`];
  // "Make Off the recommendations" is no sentence.
  if (target !== null) frames.push(`Make ${wanted} ${what}`);
  const isNamed = before !== null && target?.includes(`"${before}"`) === true;
  const isTold = before !== null && before !== '' && before.length < 40 && !/["\n]/.test(before) && !isNamed;
  if (isTold) frames.push(`Change ${what} from ${quoted(before)} to ${wanted}`);
  return random.pick(frames);
}
