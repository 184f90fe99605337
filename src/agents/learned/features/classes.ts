import type { Choice } from '../reading/choices.ts';
import type { Element, StateFeatures, TrackedMention } from '../reading/situation.ts';
import { isStopWord, wordsOf } from '../reading/words.ts';

/** What a choice would be good for, in words that fit any app. */
export function classOf(choice: Choice, features: StateFeatures): string {
  switch (choice.kind) {
    case 'finish':
      return choice.how;
    case 'answer':
      return answerClass(choice.answer, features);
    case 'fill':
      return fillClass(choice.element, choice.mention, features);
    case 'select':
      return selectClass(choice.element, choice.option, features);
    case 'click':
      return clickClass(choice.element, features);
  }
}

function answerClass(
  { element, label, noun, text }: Extract<Choice, { kind: 'answer' }>['answer'],
  { mentions, told }: StateFeatures,
): string {
  if (mentions.some(mention => mention.text === text)) return 'answer mention';
  const named = [...wordsOf(label), ...wordsOf(noun)].some(word => told.has(word));
  const beside = element.row !== '' && mentions.some(mention => element.row.includes(mention.text));
  return `answer${named ? ' named' : ''}${beside ? ' beside' : ''}`;
}

function fillClass(element: Element, mention: TrackedMention, features: StateFeatures): string {
  if (element.isSearch) {
    if (mention.searched) return 'search again';
    if (mention.opened || mention.entered) return 'search late';
    return features.elements.some(({ role, name }) => role === 'link' && name === mention.text)
      ? 'search shown'
      : 'search';
  }
  if (mention.entered) return 'enter again';
  const filled = element.value !== '' && features.mentions.some(({ text }) => text === element.value) ? ' over' : '';
  if (labelFit(element.words, mention) > 0) return `enter fit${filled}`;
  if (bestFit(element, features) > 0 || isWantedElsewhere(mention, element, features)) return `enter misfit${filled}`;
  return `enter${filled}`;
}

function selectClass(element: Element, option: string, features: StateFeatures): string {
  const settled = element.value !== null && element.value !== '' && isStated(features, element.value) ? ' over' : '';
  const mention = features.mentions.find(({ text }) => text === option);
  const named = overlapOf(features, element.content) > 0;
  const where = rowFit(element, mention, features);
  if (mention === undefined)
    return `choose ${isStated(features, option) ? 'stated' : 'other'}${named ? ' named' : ''}${settled}`;
  const paired = features.mentions.some(({ text, place }) => text === element.name && place === mention.place - 1);
  return `choose ${paired || labelFit(element.words, mention) > 0 ? 'fit' : named ? 'named' : 'free'}${mention.entered ? ' again' : ''}${settled}${where}`;
}

/** In a row: whether the instruction names the row beside what would be chosen in it. */
function rowFit(element: Element, mention: TrackedMention | undefined, { mentions }: StateFeatures): string {
  if (element.row === '' || mention === undefined) return '';
  const named = mentions.filter(({ text }) => element.row.includes(text));
  if (named.length === 0) return ' other row';
  return named.some(({ place }) => Math.abs(place - mention.place) === 1) ? ' own row' : ' row';
}

function clickClass(element: Element, features: StateFeatures): string {
  const { role, states } = element;
  const fresh = freshOverlap(features, element.content);
  const named =
    fresh === 1 ? ' asked' : fresh > 0 ? ' hinted' : overlapOf(features, element.content) > 0 ? ' told' : '';
  if (states.includes('current')) return 'stay';
  const own = features.mentions.find(({ text }) => element.name.includes(text));
  if (role === 'switch' || role === 'checkbox' || role === 'radio') {
    const row = element.row !== '' && features.mentions.some(({ text }) => element.row.includes(text));
    return `toggle${named}${own === undefined ? '' : ' mention'}${row ? ' row' : ''}${states.includes('checked') ? ' off' : ''}`;
  }
  if (own !== undefined) return `${role === 'link' ? 'open' : 'pick'}${own.opened ? ' again' : ''}`;
  if (element.row !== '') {
    const mention = features.mentions.find(({ text }) => element.row.includes(text));
    if (mention === undefined) return `other row${named}`;
    const near = element.content.some(word => mention.clause.includes(word)) ? ' near' : '';
    return `row${near}${named}${mention.opened ? ' again' : ''}`;
  }
  if (features.elements[element.group]?.role === 'navigation') return `go${named}`;
  return `${role === 'menuitem' ? 'pick other' : 'press'}${named}`;
}

export function overlapOf({ told }: StateFeatures, content: readonly string[]): number {
  return share(content, word => told.has(word));
}

function freshOverlap({ told, done }: StateFeatures, content: readonly string[]): number {
  return share(content, word => told.has(word) && !done.has(word));
}

/** The words with a meaning of their own. */
export function contentOf(words: readonly string[]): readonly string[] {
  return words.filter(word => !isStopWord(word));
}

/** The share of the words that pass the test. */
export function share(content: readonly string[], test: (word: string) => boolean): number {
  let met = 0;
  for (const word of content) if (test(word)) met++;
  return content.length === 0 ? 0 : met / content.length;
}

/** How near the words before a mention come to naming the field: 3 right before, 0 not at all. */
export function labelFit(field: readonly string[], { left, right }: TrackedMention): number {
  for (let index = 0; index < left.length; index++) if (isLabel(left[index] as string, field)) return 3 - index;
  return right.some(word => isLabel(word, field)) ? 1 : 0;
}

function isLabel(word: string, field: readonly string[]): boolean {
  return field.includes(word) && !isStopWord(word);
}

/** The best fit that any mention has for a field. */
export function bestFit({ words }: Element, { mentions }: StateFeatures): number {
  let best = 0;
  for (const mention of mentions) best = Math.max(best, labelFit(words, mention));
  return best;
}

/** Whether another field on the screen is named by the words around this mention. */
export function isWantedElsewhere(mention: TrackedMention, element: Element, { fields }: StateFeatures): boolean {
  const here = labelFit(element.words, mention);
  return here < 3 && fields.some(other => other !== element && labelFit(other.words, mention) > here);
}

/** Whether the instruction says this, as whole words. */
export function isStated({ instruction, lowerCase }: StateFeatures, text: string): boolean {
  if (!lowerCase.includes(text.toLowerCase())) return false;
  if (text.length > 2) return true;
  if (!plain.test(text)) return withSigns(text).test(instruction);
  for (let at = instruction.indexOf(text); at >= 0; at = instruction.indexOf(text, at + 1)) {
    if (!endsInWord.test(instruction.slice(0, at)) && !startsInWord.test(instruction.slice(at + text.length)))
      return true;
  }
  return false;
}

const plain = /^[a-z\d]+$/i;
const endsInWord = /[\p{L}\p{N}]$/u;
const startsInWord = /^[\p{L}\p{N}]/u;

/** Any sign may stand for a sign. */
function withSigns(text: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${text.replaceAll(/[^\p{L}\p{N}]/gu, '.')}(?![\\p{L}\\p{N}])`, 'u');
}

/** Words that the instruction says and no step has named. */
export function freshCount({ told, done }: StateFeatures, words: readonly string[]): number {
  let count = 0;
  for (const word of words) if (told.has(word) && !done.has(word)) count++;
  return count;
}

export function bucket(value: number): number {
  return value === 0 ? 0 : value < 0.5 ? 1 : value < 1 ? 2 : 3;
}
