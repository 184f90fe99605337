import { hash32 } from '../../core/random.ts';
import type { Choice } from './choices.ts';
import { bestFit, classOf, isStated, isWantedElsewhere, labelFit, overlapOf, share } from './classes.ts';
import { masked, type Element, type Moment } from './situation.ts';
import { wordsOf } from './words.ts';

/** Raised whenever the same choice may get other features: weights of another version do not fit. */
export const featureVersion = 1;

export const featureBits = 18;
const mask = (1 << featureBits) - 1;

/** Places in the table of weights: of what holds in any app, and of what is tied to the words of an app or a task. */
export interface Features {
  readonly general: Int32Array;
  readonly worded: Int32Array;
}

type Part = string | number | boolean;

/** Collects the hashed features of one choice. */
interface Sink {
  general(name: string, ...parts: readonly Part[]): void;
  worded(name: string, ...parts: readonly Part[]): void;
}

export function featuresOf(moment: Moment, choices: readonly Choice[]): readonly Features[] {
  const shared = sharedOf(moment, choices);
  const classes = choices.map(choice => classOf(choice, moment));
  const present = new Set(classes);
  return choices.map((choice, index) => {
    const general: number[] = [];
    const worded: number[] = [];
    const sink: Sink = {
      general: (name, ...parts) => general.push(placeOf(name, parts)),
      worded: (name, ...parts) => worded.push(placeOf(name, parts)),
    };
    write(sink, choice, shared);
    const own = classes[index] as string;
    if (own === 'infeasible') return { general: Int32Array.from(general), worded: Int32Array.from(worded) };
    sink.general('class', own);
    sink.general('class last', own, shared.lastKind, shared.refused);
    sink.general('class pending', own, shared.pending);
    sink.general('class start', own, shared.steps === 0);
    for (const other of present) sink.general('beside', own, other);
    return { general: Int32Array.from(general), worded: Int32Array.from(worded) };
  });
}

function placeOf(name: string, parts: readonly Part[]): number {
  let hash = hash32(name);
  for (const part of parts) hash = Math.imul(hash ^ hashOf(part), 0x9e3779b1) ^ (hash >>> 15);
  return (hash ^ (hash >>> 13)) & mask;
}

function hashOf(part: Part): number {
  return typeof part === 'string' ? hash32(part) : Number(part) + 1;
}

/** What the choices of one moment have in common. */
interface Shared {
  readonly moment: Moment;
  readonly last: string;
  readonly lastKind: string;
  readonly beforeLast: string;
  /** The element that the last step was about, if it is still there. */
  readonly lastElement: Element | null;
  /** The first button after it. */
  readonly nextButton: Element | null;
  readonly firstEmpty: Element | null;
  readonly firstPending: number;
  readonly refused: boolean;
  readonly pending: number;
  readonly steps: number;
  readonly emptyFields: ReadonlyMap<number, number>;
  /** Clickable names on the screen that the instruction speaks of and no step has touched. */
  readonly openVerbs: number;
  readonly bestFresh: number;
  readonly notices: readonly string[];
  readonly isEmptyList: boolean;
  readonly linkToPending: boolean;
  readonly fitsPending: boolean;
}

function sharedOf(moment: Moment, choices: readonly Choice[]): Shared {
  const { elements, history, mentions } = moment;
  const emptyFields = new Map<number, number>();
  const notices: string[] = [];
  let openVerbs = 0;
  let bestFresh = 0;
  let linkToPending = false;
  let fitsPending = false;
  for (const element of elements) {
    if (element.role === 'textbox' && element.value === '')
      emptyFields.set(element.group, (emptyFields.get(element.group) ?? 0) + 1);
    if (element.role === 'alert' || element.role === 'status') notices.push(...wordsOf(element.name));
    if (element.ref !== null && element.role !== 'textbox') {
      const fresh = freshCount(moment, element.words);
      if (fresh > 0) openVerbs++;
      bestFresh = Math.max(bestFresh, fresh);
      if (element.role === 'link' && mentions.some(({ text, used }) => used === 0 && element.name.includes(text)))
        linkToPending = true;
    }
  }
  for (const choice of choices)
    if (choice.kind === 'fill' && choice.mention.used === 0 && labelFit(choice.element.words, choice.mention) > 1)
      fitsPending = true;
  const last = history.at(-1) ?? '';
  const lastElement =
    elements.find(element => element.ref !== null && last.includes(`${element.role} "${element.name}"`)) ?? null;
  const outline = (step = ''): string =>
    masked(mentions.reduce((text, { text: mention }) => text.replaceAll(mention, '<m>'), step))
      .replace(/ in ".*"/, ' in row')
      .replace(/\(refused.*/, '(refused)');
  return {
    moment,
    last: outline(last),
    lastKind: last.split(' ')[0] ?? '',
    beforeLast: outline(history.at(-2)),
    lastElement,
    nextButton:
      lastElement === null
        ? null
        : (elements.find(
            element => element.index > lastElement.index && element.ref !== null && element.role === 'button',
          ) ?? null),
    firstEmpty:
      elements.find(
        element => element.role === 'textbox' && element.value === '' && !element.words.includes('search'),
      ) ?? null,
    firstPending: mentions.find(mention => !mention.entered && !mention.opened)?.place ?? -1,
    refused: last.includes(' (refused: '),
    pending: Math.min(moment.pending, 3),
    steps: Math.min(history.length, 6),
    emptyFields,
    openVerbs: Math.min(openVerbs, 3),
    bestFresh,
    notices,
    isEmptyList: elements.some(({ role, name }) => (role === 'text' ? /^no /i.test(name) : /^(0|no) /i.test(name))),
    linkToPending,
    fitsPending,
  };
}

function write(sink: Sink, choice: Choice, shared: Shared): void {
  switch (choice.kind) {
    case 'finish':
      return writeFinish(sink, choice.how, shared);
    case 'answer':
      return writeAnswer(sink, choice, shared);
    default:
      return writeElement(sink, choice, shared);
  }
}

type ElementChoice = Extract<Choice, { element: Element }>;

function writeElement(sink: Sink, choice: ElementChoice, shared: Shared): void {
  const { moment, last, beforeLast, lastKind, pending, emptyFields } = shared;
  const { element, kind } = choice;
  const { role } = element;
  const groupRole = moment.elements[element.group]?.role ?? '';
  const what = `${kind} ${role} ${groupRole === 'navigation' ? 'nav' : groupRole === 'menu' ? 'menu' : ''}`;
  const name = nameOf(element, moment);
  const group = masked(moment.elements[element.group]?.name ?? '');
  const detail =
    choice.kind === 'select' ? optionClass(choice.option, moment) : choice.kind === 'fill' ? choice.mention.shape : '';
  const sig = `${what} ${name} ${detail}`;

  sink.worded('sig', sig);
  sink.worded('page sig', moment.page, sig);
  sink.worded('group sig', group, sig);
  sink.worded('last sig', last, sig);
  sink.worded('last2 sig', last, beforeLast, sig);
  for (const word of moment.frame) sink.worded('frame sig', word, sig);
  for (const word of moment.frame) if (!moment.done.has(word)) sink.worded('undone sig', word, sig);

  const freshWords = freshCount(moment, element.words);
  const fresh = bucket(share(element.words, word => moment.told.has(word) && !moment.done.has(word)));
  const overlap = bucket(overlapOf(moment, element.words));
  const best = freshWords > 0 && freshWords === shared.bestFresh;
  const { relation, near } = relationOf(element, moment);
  const repeated = repeats(choice, moment);
  const distance = shared.lastElement === null ? 9 : apart(shared.lastElement, element, moment);
  const sameGroup = distance < 3;
  const isNext = element === shared.nextButton;
  const empty = Math.min(emptyFields.get(element.group) ?? 0, 2);
  sink.general('what', what);
  sink.general('overlap', what, overlap, fresh);
  sink.general('best', what, best, fresh === 3);
  sink.general('best pending', what, best, fresh, shared.linkToPending, shared.fitsPending);
  sink.general('relation', what, relation, near);
  sink.general('relation overlap', what, relation, overlap, fresh);
  sink.general('relation pending', what, relation, pending);
  sink.general('repeated', what, repeated);
  sink.general('repeated fresh', what, repeated, relation, fresh);
  sink.general('refused', what, shared.refused, repeated > 2);
  sink.general('dialog', what, element.inDialog, moment.hasDialog, overlap);
  sink.general('apart', what, Math.min(distance, 5), lastKind);
  sink.general('next', what, isNext, lastKind, empty, shared.fitsPending);
  sink.general('next pending', what, isNext, lastKind, pending, overlap);
  sink.general('same group', what, sameGroup, lastKind, overlap);
  sink.general('steps', what, shared.steps === 0, relation, overlap);
  for (const state of element.states) sink.general('state', what, state, overlap, relation);
  if (element.states.length === 0) sink.general('no state', what, overlap, relation);
  if (kind === 'click') {
    sink.general('form', what, empty, pending, overlap);
    sink.general('submit', what, sameGroup, lastKind, empty, pending > 0, shared.fitsPending);
    sink.worded('form name', name, empty, pending > 0, shared.fitsPending);
    sink.general('open verbs', what, shared.openVerbs, overlap, relation);
    sink.general('empty list', what, shared.isEmptyList, relation);
    sink.general('last kind', lastKind, what, empty, overlap, pending > 0);
  } else if (choice.kind === 'fill') writeFill(sink, choice, shared);
  else if (choice.kind === 'select') writeSelect(sink, choice, shared);
}

function writeFill(sink: Sink, { element, mention }: Extract<Choice, { kind: 'fill' }>, shared: Shared): void {
  const { moment, pending, linkToPending } = shared;
  const used = Math.min(mention.used, 2);
  const fit = labelFit(element.words, mention);
  const best = bestFit(element, moment);
  const others = isWantedElsewhere(mention, element, moment);
  const value =
    element.value === '' ? 'empty' : moment.mentions.some(({ text }) => text === element.value) ? 'mention' : 'other';
  const search = element.words.includes('search');
  sink.general('fill', search, mention.shape, used, value, fit > 0);
  sink.general('fill fit', search, fit, best === fit, others, used);
  sink.general('fill search', search, mention.shape, used, mention.shown, value);
  sink.general('fill whole', mention.reading, mention.shape, mention.shown);
  sink.general('fill order', search, element === shared.firstEmpty, mention.place === shared.firstPending, fit);
  if (search) for (const word of mention.left) sink.worded('search left', word);
  sink.general('fill pending', search, pending, used, value);
  sink.general('fill first', search, mention.place === 0, used, mention.shown);
  sink.general('fill link', search, linkToPending, mention.shown, used);
  sink.worded('fill length', lengthBucket(mention.text), element.name);
  sink.worded('fill shape', mention.shape, element.name, used);
  for (const [index, word] of mention.left.entries()) {
    for (const field of element.words) sink.worded('fill left', index, word, field);
    sink.worded('fill left any', word, element.name);
  }
}

function writeSelect(
  sink: Sink,
  { element, option }: Extract<Choice, { kind: 'select' }>,
  { moment, pending }: Shared,
): void {
  const mention = moment.mentions.find(({ text }) => text === option);
  const stated = isStated(moment, option);
  const current =
    element.value === null || element.value === '' ? 'none' : isStated(moment, element.value) ? 'stated' : 'other';
  const fit = mention === undefined ? -1 : labelFit(element.words, mention);
  const overlap = bucket(overlapOf(moment, element.words));
  const paired =
    mention !== undefined &&
    moment.mentions.some(({ text, place }) => text === element.name && place === mention.place - 1);
  sink.general('select', stated, current, mention === undefined ? -1 : Math.min(mention.used, 2));
  sink.general('select fit', stated, fit, overlap);
  sink.general('select fit current', stated, fit, overlap, current, pending > 0);
  sink.general('select words', bucket(overlapOf(moment, wordsOf(option))), overlap, stated);
  sink.general('select paired', paired, stated, fit);
  for (const word of moment.frame) sink.worded('select frame', word, option, element.name);
  if (mention !== undefined)
    for (const [index, word] of mention.left.entries())
      for (const field of element.words) sink.worded('select left', index, word, field);
}

/** That a task is done shows in general; that it cannot be done is mostly a matter of words. */
function writeFinish(sink: Sink, how: string, shared: Shared): void {
  const { moment, last, lastKind, pending, steps, openVerbs, notices, isEmptyList, refused } = shared;
  sink.general('finish', how, refused, isEmptyList);
  if (how === 'done') {
    sink.general('finish asks', moment.asks);
    sink.general('finish pending', pending, moment.asks);
    sink.general('finish pending kind', pending, lastKind, refused);
    sink.general('finish verbs', openVerbs, pending);
    sink.general('finish best', shared.bestFresh > 0, shared.linkToPending, shared.fitsPending, pending > 0);
    sink.general('finish dialog', moment.hasDialog);
    sink.general('finish start', steps === 0);
  }
  sink.worded('finish last', how, last, pending > 0);
  sink.worded('finish last verbs', how, last, openVerbs);
  sink.worded('finish page', how, moment.page, pending);
  for (const word of notices) sink.worded('finish notice', how, word);
  for (const word of moment.frame) {
    sink.worded('finish frame', how, word);
    sink.worded('finish frame last', how, word, last);
    sink.worded('finish frame pending', how, word, pending);
    if (!moment.done.has(word)) sink.worded('finish undone', how, word);
  }
}

function writeAnswer(sink: Sink, { answer }: Extract<Choice, { kind: 'answer' }>, shared: Shared): void {
  const { moment, last, pending } = shared;
  const { shape, element, label, noun, part, rowNumber } = answer;
  const inRow = element.row !== '' && moment.mentions.some(({ text }) => element.row.includes(text));
  const isMention = moment.mentions.some(({ text }) => text === answer.text);
  const isLikeMention = moment.mentions.some(({ text }) => masked(text) === masked(answer.text) && /\d/.test(text));
  const place = rowNumber < 0 ? 'none' : rowNumber === 0 ? 'first' : 'later';
  const labelTold = moment.told.has(wordsOf(label)[0] ?? '');
  const nounTold = moment.told.has(wordsOf(noun)[0] ?? '');
  sink.general('answer', shape, isMention, isLikeMention);
  sink.general('answer row', shape, inRow, place);
  sink.general('answer told', shape, labelTold, nounTold, place);
  sink.general('answer told any', labelTold, nounTold, isMention);
  sink.general('answer pending', pending, inRow, isMention);
  sink.general('answer role', shape, element.role, place);
  sink.general('answer steps', shared.steps, pending, shared.linkToPending);
  sink.worded('answer page', shape, element.role, part, moment.page);
  sink.worded('answer label', shape, label, element.role);
  sink.worded('answer noun', shape, noun, element.role);
  sink.worded('answer last', shape, last, place);
  sink.general('answer in list', shape, element.role, place, inRow, nounTold);
  for (const word of moment.frame) {
    sink.worded('answer frame', word, shape, isMention);
    sink.worded('answer frame label', word, shape, label);
    sink.worded('answer frame noun', word, shape, noun);
    sink.worded('answer frame role', word, shape, element.role, part, place);
    sink.worded('answer frame page', word, moment.page, shape);
    sink.worded('answer frame row', word, shape, inRow, place);
  }
}

/** Steps up the page from one element to where it meets the other. */
function apart(from: Element, to: Element, { elements }: Moment): number {
  const above = new Set<number>();
  for (let at = from.index; at >= 0; at = elements[at]?.parent ?? -1) above.add(at);
  let steps = 0;
  for (let at = to.index; at >= 0 && !above.has(at); at = elements[at]?.parent ?? -1) steps++;
  return steps;
}

/** The name of an element with what the instruction mentions left open; names of data are no names. */
function nameOf(element: Element, { mentions }: Moment): string {
  const { name } = element;
  for (const { text } of mentions) if (name.includes(text)) return masked(name.replace(text, '<m>'));
  return element.row !== '' && element.role === 'link' ? '<data>' : masked(name);
}

function optionClass(option: string, moment: Moment): string {
  return moment.mentions.some(({ text }) => text === option) ? '<m>' : masked(option);
}

/** How an element stands to what the instruction mentions, and whether the instruction names it beside that. */
function relationOf(element: Element, { mentions }: Moment): { relation: string; near: number } {
  let relation = 'none';
  let near = 0;
  for (const mention of mentions) {
    const { text, used } = mention;
    const isIt = element.name === text;
    const found = isIt ? 'is' : element.name.includes(text) ? 'has' : element.row.includes(text) ? 'row' : 'none';
    if (found === 'none') continue;
    near = Math.max(near, bucket(share(element.words, word => mention.clause.includes(word))));
    const full = used > 0 ? `${found} used` : found;
    if (isIt) return { relation: full, near };
    if (relation === 'none' || relation.endsWith('used')) relation = full;
  }
  return { relation: relation === 'none' && element.row !== '' ? 'other row' : relation, near };
}

function repeats(choice: ElementChoice, { history }: Moment): number {
  const { element } = choice;
  const target = `${element.role} "${element.name}"`;
  const entered = choice.kind === 'select' ? choice.option : choice.kind === 'fill' ? choice.mention.text : '';
  let count = 0;
  for (const step of history) if (step.includes(target) && step.includes(entered)) count++;
  return Math.min(count, 2) + (history.at(-1)?.includes(target) === true ? 3 : 0);
}

function freshCount({ told, done }: Moment, words: readonly string[]): number {
  let count = 0;
  for (const word of words) if (told.has(word) && !done.has(word)) count++;
  return count;
}

function bucket(value: number): number {
  return value === 0 ? 0 : value < 0.5 ? 1 : value < 1 ? 2 : 3;
}

function lengthBucket(text: string): number {
  return text.length < 4 ? 0 : text.length < 12 ? 1 : text.length < 30 ? 2 : 3;
}
