import type { Choice } from '../reading/choices.ts';
import { bucket, contentOf, freshCount, labelFit, share } from './classes.ts';
import { noticeOf, unsavedFields } from './notices.ts';
import { textHash } from './sink.ts';
import { masked, type Element, type StateFeatures, type TrackedMention } from '../reading/situation.ts';
import { isStopWord, wordsOf } from '../reading/words.ts';

/** What the choices of one moment have in common. Texts are there as hashes. */
export interface Scene {
  readonly moment: StateFeatures;
  readonly page: number;
  readonly last: number;
  readonly lastKind: number;
  /** How much of the name of what the last step was about the instruction says. */
  readonly lastAsked: number;
  /** Content words of the instruction, outside of what it mentions, that no step has named. */
  readonly undoneCount: number;
  /** Words of the clause about what the steps named last. */
  readonly clause: readonly string[];
  /** The element that the last step was about, if it is still there. */
  readonly lastElement: Element | null;
  /** The lines that it stands in, and its own. */
  readonly aboveLast: ReadonlySet<number>;
  /** The first button after it. */
  readonly nextButton: Element | null;
  readonly firstEmpty: Element | null;
  readonly firstPending: number;
  readonly refused: number;
  readonly refusedSteps: readonly string[];
  /** Words of why the last step was refused. */
  readonly refusal: ReadonlySet<string>;
  /** What alerts say, and what status lines say. */
  readonly notice: number;
  readonly unsaved: number;
  readonly pending: number;
  readonly steps: number;
  readonly emptyFields: ReadonlyMap<number, number>;
  /** Clickable names on the screen that the instruction speaks of and no step has touched. */
  readonly openVerbs: number;
  /** How much the name that the instruction speaks of most says. */
  readonly bestFresh: number;
  /** The first and the last of the elements of one role in one group. */
  readonly spans: ReadonlyMap<string, Span>;
  /** In how many names each word stands. */
  readonly rarity: ReadonlyMap<string, number>;
  readonly notices: readonly number[];
  readonly isEmptyList: number;
  /** Why the task may be impossible, as far as the screen shows. */
  readonly obstacle: number;
  /** Words of the headings: what the page is about. */
  readonly headings: ReadonlySet<string>;
  readonly untouchedTexts: number;
  /** Searches so far. */
  readonly searches: number;
  /** Whether the page is about the kind of thing that is mentioned first and still pending. */
  readonly isKin: number;
  readonly linkToPending: number;
  readonly fitsPending: number;
  /** Words of the instruction outside of what it mentions, and those of them that no step has named. */
  readonly frame: readonly number[];
  readonly undone: readonly number[];
}

interface Span {
  readonly first: number;
  readonly last: number;
}

export function sceneOf(features: StateFeatures, choices: readonly Choice[]): Scene {
  const { elements, history, mentions, frame, done } = features;
  const last = history.at(-1) ?? '';
  const lastElement =
    last === '' ? null : (elements.find(({ ref, target }) => ref !== null && last.includes(target)) ?? null);
  return {
    moment: features,
    page: textHash(features.page),
    last: textHash(outlined(last, mentions)),
    lastKind: textHash(features.steps.at(-1)?.kind === 'search' ? 'search' : kindOf(last)),
    refusal: new Set(features.steps.at(-1)?.reason.filter(word => !isStopWord(word))),
    notice: 3 * noticeOf('alert', features) + noticeOf('status', features),
    unsaved: unsavedFields(features),
    lastAsked: askedBy(last, features),
    undoneCount: undoneOf(features),
    clause: clauseInProgress(features),
    lastElement,
    aboveLast: linesAbove(lastElement, elements),
    nextButton: buttonAfter(lastElement, elements),
    firstEmpty: elements.find(({ role, value, isSearch }) => role === 'textbox' && value === '' && !isSearch) ?? null,
    firstPending: mentions.find(({ entered, opened }) => !entered && !opened)?.place ?? -1,
    refused: Number(last.includes(' (refused: ')),
    refusedSteps: history.filter(step => step.includes(' (refused: ')),
    pending: Math.min(features.pending, 3),
    steps: Math.min(history.length, 6),
    untouchedTexts: Math.min(features.untouchedTexts, 2),
    searches: Math.min(features.steps.filter(({ kind }) => kind === 'search').length, 3),
    isKin: kinOf(features),
    ...survey(features),
    obstacle: obstacleOf(features),
    fitsPending: Number(choices.some(choice => choice.kind === 'fill' && isFitting(choice.element, choice.mention))),
    frame: frame.map(textHash),
    undone: frame.filter(word => !done.has(word)).map(textHash),
  };
}

/** 0: nothing pending says what it is; 1: headings do not name it; 2: they do. */
function kinOf({ mentions, elements }: StateFeatures): number {
  const pending = mentions.find(({ opened, entered, noun }) => !opened && !entered && noun.length > 0);
  if (pending === undefined) return 0;
  const isNamed = elements.some(
    ({ role, words }) => headingRoles.has(role) && pending.noun.some(word => words.includes(word)),
  );
  return isNamed ? 2 : 1;
}

type Survey = Pick<
  Scene,
  | 'emptyFields'
  | 'notices'
  | 'openVerbs'
  | 'bestFresh'
  | 'linkToPending'
  | 'isEmptyList'
  | 'headings'
  | 'rarity'
  | 'spans'
>;

function survey(features: StateFeatures): Survey {
  const unused = features.mentions.filter(({ used }) => used === 0);
  const emptyFields = new Map<number, number>();
  const notices: number[] = [];
  const headings = new Set<string>();
  const rarity = rarityOf(features);
  const spans = new Map<string, Span>();
  let openVerbs = 0;
  let bestFresh = 0;
  let linkToPending = false;
  let isEmptyList = false;
  for (const { role, name, value, ref, group, words, index } of features.elements) {
    if (saysNone(role, name)) isEmptyList = true;
    if (headingRoles.has(role)) for (const word of words) headings.add(word);
    if (ref !== null) {
      const key = `${role} ${group}`;
      spans.set(key, { first: spans.get(key)?.first ?? index, last: index });
    }
    if (role === 'textbox') {
      if (value === '') emptyFields.set(group, (emptyFields.get(group) ?? 0) + 1);
    } else if (role === 'alert' || role === 'status') {
      for (const word of words) notices.push(textHash(word));
    } else if (ref !== null) {
      const fresh = freshness(features, words, rarity);
      if (fresh > 0) openVerbs++;
      bestFresh = Math.max(bestFresh, fresh);
      if (role === 'link' && unused.some(({ text }) => name.includes(text))) linkToPending = true;
    }
  }
  return {
    emptyFields,
    notices,
    headings,
    rarity,
    spans,
    openVerbs: Math.min(openVerbs, 3),
    bestFresh,
    linkToPending: Number(linkToPending),
    isEmptyList: Number(isEmptyList),
  };
}

const headingRoles: ReadonlySet<string> = new Set(['region', 'search', 'list', 'table']);

function rarityOf({ elements }: StateFeatures): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { ref, role, words, row } of elements) {
    if (ref === null || role === 'textbox' || row !== '') continue;
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** What the words of a name say of what is still to do: a word that stands in many names says little. */
export function freshness(
  { told, done }: StateFeatures,
  words: readonly string[],
  rarity: ReadonlyMap<string, number>,
): number {
  let total = 0;
  for (const word of words) if (told.has(word) && !done.has(word)) total += 1 / (rarity.get(word) ?? 1);
  return total;
}

/** 1: refused; 2: searched, and not found; 3: not among the options; 4: what it speaks of is disabled. */
function obstacleOf(features: StateFeatures): number {
  const { elements, history, mentions } = features;
  if (history.at(-1)?.includes(' (refused: ') === true) return 1;
  for (const { role, name, options, words, states, value } of elements) {
    if (saysNone(role, name) && mentions.some(({ searched }) => searched)) return 2;
    if (states.includes('disabled') && freshCount(features, words) > 0) return 4;
    if (options.length === 0) continue;
    for (const mention of mentions) {
      if (!mention.entered && mention.text !== value && labelFit(words, mention) > 0 && !options.includes(mention.text))
        return 3;
    }
  }
  return 0;
}

/** "No messages", or a list of 0 things. */
function saysNone(role: string, name: string): boolean {
  const first = name[0];
  return (
    ((first === 'N' || first === 'n') && name[1]?.toLowerCase() === 'o' && name[2] === ' ') ||
    (first === '0' && name[1] === ' ' && role !== 'text')
  );
}

function isFitting({ words }: Element, mention: TrackedMention): boolean {
  return mention.used === 0 && labelFit(words, mention) > 1;
}

/** What was done, and to what kind of element. */
function kindOf(step: string): string {
  const [kind = '', role = ''] = step.split(' ', 2);
  if (kind === 'click') return `${kind} ${role}`;
  return kind;
}

function askedBy(step: string, { told }: StateFeatures): number {
  const name = /"([^"]*)"/.exec(step)?.[1];
  return name === undefined ? 0 : bucket(share(contentOf(wordsOf(name)), word => told.has(word)));
}

function undoneOf({ frame, done }: StateFeatures): number {
  let count = 0;
  for (const word of frame) if (!done.has(word) && !isStopWord(word)) count++;
  return Math.min(count, 5);
}

/** A step without its particulars. */
function outlined(step: string, mentions: readonly TrackedMention[]): string {
  let text = step;
  for (const mention of mentions) text = text.replaceAll(mention.text, '<m>');
  return masked(text)
    .replace(/ in ".*"/, ' in row')
    .replace(/\(refused.*/, '(refused)');
}

function clauseInProgress({ history, mentions }: StateFeatures): readonly string[] {
  for (let at = history.length - 1; at >= 0; at--) {
    const step = history[at] as string;
    const named = mentions.find(({ text }) => step.includes(text));
    if (named !== undefined) return named.clause;
  }
  return [];
}

function linesAbove(element: Element | null, elements: readonly Element[]): ReadonlySet<number> {
  const above = new Set<number>();
  for (let at = element?.index ?? -1; at >= 0; at = elements[at]?.parent ?? -1) above.add(at);
  return above;
}

function buttonAfter(element: Element | null, elements: readonly Element[]): Element | null {
  if (element === null) return null;
  for (let at = element.index + 1; at < elements.length; at++) {
    const next = elements[at] as Element;
    if (next.role === 'button' && next.ref !== null) return next;
  }
  return null;
}
