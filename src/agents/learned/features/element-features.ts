import type { Choice } from '../reading/choices.ts';
import { bestFit, bucket, contentOf, isStated, isWantedElsewhere, labelFit, overlapOf, share } from './classes.ts';
import { clausePlace, closestClause } from '../reading/clauses.ts';
import { freshness, type Scene } from './scene.ts';
import { mixed, textHash, type Sink } from './sink.ts';
import { masked, type Element, type StateFeatures } from '../reading/situation.ts';

type ElementChoice = Extract<Choice, { element: Element }>;

/** What the choices about one element have in common. */
export interface ElementFacts {
  readonly element: Element;
  readonly what: number;
  readonly name: number;
  readonly fresh: number;
  readonly overlap: number;
  /** The part that its name plays in the instruction. */
  readonly role: number;
  readonly isBest: number;
  readonly relation: number;
  /** How much of its name stands in the clause that names its row, or else in the clause in progress. */
  readonly near: number;
  /** Steps up the page from it to where it meets the element of the last step. */
  readonly distance: number;
  /** 1: the first, 2: the last, 3: the only one of its role in its group. */
  readonly position: number;
  readonly isNext: number;
  readonly empty: number;
  readonly bestFit: number;
  /** The clause that its name and row come closest to; -1 for none. */
  readonly clause: number;
  /** How often an action on it was refused. */
  readonly refusals: number;
  /** Whether its row, its name or the page is about something mentioned. */
  readonly about: number;
  /** How much of the title of the part around it the instruction says. */
  readonly titleTold: number;
  /** Whether the last refusal names it. */
  readonly inRefusal: number;
}

export function factsOf(element: Element, kind: string, scene: Scene): ElementFacts {
  const { moment: features } = scene;
  const { words, content, role } = element;
  const group = features.elements[element.group];
  const place = group?.role === 'navigation' ? 'nav' : group?.role === 'menu' ? 'menu' : '';
  const freshWords = freshness(features, words, scene.rarity);
  const named = element.row === '' ? undefined : features.mentions.find(({ text }) => element.row.includes(text));
  const clause = named?.clause ?? scene.clause;
  const matched = words.find(word => features.told.has(word) && !features.done.has(word));
  return {
    element,
    what: textHash(`${kind} ${role} ${place}`),
    name: textHash(nameOf(element, features)),
    fresh: bucket(share(content, word => features.told.has(word) && !features.done.has(word))),
    overlap: bucket(overlapOf(features, content)),
    role: matched === undefined ? 0 : textHash(features.roles.get(matched) ?? ''),
    isBest: Number(freshWords > 0 && freshWords === scene.bestFresh),
    relation: relationOf(element, features),
    near: bucket(share(content, word => clause.includes(word))),
    distance: scene.lastElement === null ? 9 : apart(element, scene),
    position: positionOf(element, scene),
    isNext: Number(element === scene.nextButton),
    empty: Math.min(scene.emptyFields.get(element.group) ?? 0, 2),
    bestFit: kind === 'fill' ? bestFit(element, features) : 0,
    clause: closestClause(features.clauses, [...words, ...element.rowWords], features.progress.current),
    refusals: refusalsOf(element, scene),
    about: aboutOf(element, features),
    titleTold: bucket(overlapOf(features, group?.content ?? [])),
    inRefusal: Number(words.some(word => scene.refusal.has(word))),
  };
}

export function writeElement(sink: Sink, choice: ElementChoice, [facts, scene]: readonly [ElementFacts, Scene]): void {
  const { moment: features, last, lastKind, pending, refused, linkToPending, fitsPending } = scene;
  const { element, what, fresh, overlap, isBest, relation, distance, isNext, empty } = facts;
  const repeated = repeats(choice, features);
  const isFirst = Number(scene.steps === 0);
  const sameGroup = Number(distance < 3);
  const signature = mixed(mixed(what, facts.name), detailOf(choice, features));
  sink.worded('sig', signature);
  sink.worded('page sig', scene.page, signature);
  sink.worded('last sig', last, signature);
  sink.wordedEach('undone sig', scene.undone, signature);

  sink.general('overlap', what, overlap, fresh);
  sink.general('best pending', what, isBest, fresh, linkToPending, fitsPending);
  sink.general('role', what, facts.role, isBest);
  sink.general('role relation', what, facts.role, relation, pending);
  sink.general('role start', what, facts.role, isFirst, fresh);
  sink.general('near', what, relation, facts.near, isBest);
  sink.general('relation pending', what, relation, pending);
  sink.general('position', what, Number(element.inDialog), facts.position, overlap);
  sink.general('repeated', what, repeated);
  sink.general('repeated fresh', what, repeated, relation, fresh);
  sink.general('refused', what, refused, Number(repeated > 2));
  sink.general('dialog', what, Number(element.inDialog), Number(features.hasDialog), overlap);
  sink.general('apart', what, Math.min(distance, 5), lastKind);
  sink.general('next', what, isNext, lastKind, empty, fitsPending);
  sink.general('same group', what, sameGroup, lastKind, overlap);
  for (const state of element.states) sink.general('state', what, textHash(state), overlap, relation);
  if (element.states.length === 0) sink.general('no state', what, overlap, relation);
  const chosen = clauseOf(choice, facts, features);
  const clause = clausePlace(chosen, features.progress);
  const done = Math.min(features.progress.steps[chosen] ?? 0, 2);
  sink.general('about', what, facts.about, clause, fresh);
  sink.general('refusals', what, facts.refusals, refused);
  sink.general('refusal names', what, facts.inRefusal, refused);
  sink.general('title told', what, facts.titleTold, fresh, isBest);
  sink.general('notice', what, scene.notice, fresh);
  writeFacts(sink, facts, { clause, done, repeated, relation });
  if (choice.kind === 'fill') writeFill(sink, choice, [facts, scene]);
  else if (choice.kind === 'select') writeSelect(sink, choice, [facts, scene]);
  else writeClick(sink, facts, scene);
}

interface ChoiceFacts {
  readonly clause: number;
  readonly done: number;
  readonly repeated: number;
  readonly relation: number;
}

function writeFacts(sink: Sink, facts: ElementFacts, { clause, done, repeated, relation }: ChoiceFacts): void {
  sink.fact('what', facts.what);
  sink.fact('fresh', facts.fresh);
  sink.fact('overlap', facts.overlap);
  sink.fact('role', facts.role);
  sink.fact('best', facts.isBest);
  sink.fact('relation', relation);
  sink.fact('near', facts.near);
  sink.fact('distance', Math.min(facts.distance, 5));
  sink.fact('position', facts.position);
  sink.fact('next', facts.isNext);
  sink.fact('empty', facts.empty);
  sink.fact('clause', clause);
  sink.fact('clause steps', done);
  sink.fact('repeated', repeated);
  sink.fact('refusals', facts.refusals);
  sink.fact('about', facts.about);
  sink.fact('dialog', Number(facts.element.inDialog));
  sink.fact('title told', facts.titleTold);
  sink.fact('refusal names', facts.inRefusal);
  for (const state of facts.element.states) sink.fact('state', textHash(state));
}

function writeClick(sink: Sink, { what, overlap, distance, empty }: ElementFacts, scene: Scene): void {
  const { lastKind, pending, fitsPending } = scene;
  const isPending = Number(pending > 0);
  sink.general('submit', what, Number(distance < 3), lastKind, empty, isPending, fitsPending);
  sink.general('last kind', lastKind, what, empty, overlap, isPending);
}

function writeFill(
  sink: Sink,
  { element, mention }: Extract<Choice, { kind: 'fill' }>,
  [facts, { moment: features, pending, firstEmpty, firstPending, headings }]: readonly [ElementFacts, Scene],
): void {
  const used = Math.min(mention.used, 2);
  const fit = labelFit(element.words, mention);
  const others = Number(isWantedElsewhere(mention, element, features));
  const value = element.value === '' ? 0 : features.mentions.some(({ text }) => text === element.value) ? 1 : 2;
  const search = Number(element.isSearch);
  const shape = textHash(mention.shape);
  const shown = Number(mention.shown);
  const isFirst = Number(mention.place === 0);
  const isKin = Number(mention.noun.some(word => headings.has(word)));
  const field = textHash(element.name);
  sink.general('fill fit', search, fit, Number(facts.bestFit === fit), others, used);
  sink.general('fill whole', mention.reading, shape, shown);
  sink.general('fill order', search, Number(element === firstEmpty), Number(mention.place === firstPending), fit);
  sink.general('fill pending', search, pending, used, value);
  sink.general('fill kin', search, isKin, shape, isFirst);
  sink.general('fill alone', search, fit, facts.overlap, facts.empty, facts.bestFit);
  sink.general('fill first', search, isFirst, used, shown);
  sink.fact('fill fit', fit);
  sink.fact('fill best', Number(facts.bestFit === fit));
  sink.fact('fill others', others);
  sink.fact('fill used', used);
  sink.fact('fill search', search);
  sink.fact('fill shape', shape);
  sink.fact('fill shown', shown);
  sink.fact('fill value', value);
  sink.fact('fill reading', mention.reading);
  sink.fact('fill first empty', Number(element === firstEmpty));
  sink.fact('fill first pending', Number(mention.place === firstPending));
  sink.fact('fill first', isFirst);
  sink.fact('fill kin', isKin);
  sink.fact('fill entered', Number(mention.entered) + 2 * Number(mention.searched) + 4 * Number(mention.opened));
  sink.worded('fill length', lengthBucket(mention.text), field);
  sink.worded('fill shape', shape, field, used);
  for (const [index, word] of mention.left.entries()) {
    const left = textHash(word);
    if (search === 1) sink.worded('search left', left);
    for (const part of element.words) sink.worded('fill left', index, left, textHash(part));
    sink.worded('fill left any', left, field);
  }
}

function writeSelect(
  sink: Sink,
  { element, option, words: optionWords }: Extract<Choice, { kind: 'select' }>,
  [{ overlap }, { moment: features, pending }]: readonly [ElementFacts, Scene],
): void {
  const mention = features.mentions.find(({ text }) => text === option);
  const stated = Number(isStated(features, option));
  const { value, words, name } = element;
  const current = value === null || value === '' ? 0 : isStated(features, value) ? 1 : 2;
  const fit = mention === undefined ? -1 : labelFit(words, mention);
  const paired =
    mention !== undefined && features.mentions.some(({ text, place }) => text === name && place === mention.place - 1);
  const named = bucket(overlapOf(features, contentOf(optionWords)));
  sink.general('select', stated, current, mention === undefined ? -1 : Math.min(mention.used, 2));
  sink.general('select fit', stated, fit, overlap);
  sink.general('select fit current', stated, fit, overlap, current, Number(pending > 0));
  sink.general('select words', named, overlap, stated);
  sink.general('select paired', Number(paired), stated, fit);
  sink.fact('select stated', stated);
  sink.fact('select current', current);
  sink.fact('select fit', fit);
  sink.fact('select used', mention === undefined ? -1 : Math.min(mention.used, 2));
  sink.fact('select words', named);
  sink.fact('select paired', Number(paired));
  for (const [index, word] of mention?.left.entries() ?? []) {
    for (const part of words) sink.worded('select left', index, textHash(word), textHash(part));
  }
}

function clauseOf(choice: ElementChoice, facts: ElementFacts, { clauses, progress }: StateFeatures): number {
  if (choice.kind === 'click') return facts.clause;
  const entered = choice.kind === 'select' ? choice.words : choice.mention.words;
  return closestClause(clauses, [...entered, ...choice.element.words], progress.current);
}

function refusalsOf({ target }: Element, { refusedSteps }: Scene): number {
  let count = 0;
  for (const step of refusedSteps) if (step.includes(target)) count++;
  return Math.min(count, 2);
}

/** 1: something mentioned that no step named has its own page here; 2: one that a step named has; 0: none. */
function aboutOf(_element: Element, { opened }: StateFeatures): number {
  if (opened.length === 0) return 0;
  return opened.some(({ used }) => used === 0) ? 1 : 2;
}

function positionOf({ role, group, index }: Element, { spans }: Scene): number {
  const span = spans.get(`${role} ${group}`);
  return (span?.first === index ? 1 : 0) + (span?.last === index ? 2 : 0);
}

function apart(element: Element, { moment: { elements }, aboveLast }: Scene): number {
  let steps = 0;
  for (let at = element.index; at >= 0 && !aboveLast.has(at); at = elements[at]?.parent ?? -1) steps++;
  return steps;
}

/** The name of an element with what the instruction mentions left open; names of data are no names. */
function nameOf(element: Element, { mentions }: StateFeatures): string {
  const { name } = element;
  for (const { text } of mentions) if (name.includes(text)) return masked(name.replace(text, '<m>'));
  return element.row !== '' && element.role === 'link' ? '<data>' : masked(name);
}

function detailOf(choice: ElementChoice, { mentions }: StateFeatures): number {
  if (choice.kind === 'click') return 0;
  if (choice.kind === 'fill') return textHash(choice.mention.shape);
  return textHash(mentions.some(({ text }) => text === choice.option) ? '<m>' : masked(choice.option));
}

const relations = { none: 0, is: 1, has: 2, row: 3, otherRow: 4, used: 8 } as const;

/** How an element stands to what the instruction mentions. */
function relationOf({ name, row }: Element, { mentions }: StateFeatures): number {
  let relation: number = relations.none;
  for (const { text, used } of mentions) {
    const found = name.includes(text) ? relations.has : row.includes(text) ? relations.row : relations.none;
    if (found === relations.none) continue;
    const now = used > 0 ? relations.used : 0;
    if (name === text) return relations.is + now;
    if (relation === relations.none || relation > relations.used) relation = found + now;
  }
  return relation === relations.none && row !== '' ? relations.otherRow : relation;
}

/** How often the same was done before, and whether the last step was about the same element. */
function repeats(choice: ElementChoice, { history }: StateFeatures): number {
  if (history.length === 0) return 0;
  const { target } = choice.element;
  const entered = choice.kind === 'select' ? choice.option : choice.kind === 'fill' ? choice.mention.text : '';
  let count = 0;
  for (const step of history) if (step.includes(target) && step.includes(entered)) count++;
  return Math.min(count, 2) + (history.at(-1)?.includes(target) === true ? 3 : 0);
}

function lengthBucket({ length }: string): number {
  return length < 4 ? 0 : length < 12 ? 1 : length < 30 ? 2 : 3;
}
