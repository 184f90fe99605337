import type { Action } from '../../core/action.ts';
import { describeStep } from '../../core/episode/view.ts';
import { remembering } from '../learned/remembering.ts';
import { isSearchName } from '../learned/reading/search-fields.ts';
import { isStopWord, wordsOf } from '../learned/reading/words.ts';
import { findEntryTexts, type EntryText } from './entry-texts.ts';
import { readPageWords, type PageElement, type PageWords } from './page-words.ts';
import { findScreenTexts } from './screen-texts.ts';
import type { Moment, ScoredAction, Scorer } from './prior.ts';

/** Verbs and nouns of user interfaces that stand for each other. */
const synonyms: readonly (readonly string[])[] = [
  'delete remove trash discard unlink disconnect',
  'create new add compose plus',
  'edit rename change modify update set',
  'settings preferences options configure setup account',
  'theme appearance display dark light',
  'disable enable turn toggle switch off on',
  'save apply submit confirm ok done',
  'more menu actions',
  'send reply forward',
  'mark flag set',
  'cancel void',
  'archive move',
  'duplicate copy clone',
  'close resolve complete finish',
  'accept approve confirm',
  'decline reject deny',
  'phone telephone mobile',
  'email mail message',
  'photo picture avatar image',
  'customer client contact',
  'assign assignee owner',
  'language locale region',
  'notification alert reminder',
  'password security login',
].map(group => [...new Set(wordsOf(group))]);

/** Buttons that carry out what was entered. */
const confirming: ReadonlySet<string> = new Set(
  wordsOf('save send apply create submit ok done confirm add update yes continue next'),
);

const synonymWeight = 0.5;

/** Scores actions by words alone: nothing is learned, and nothing is known of any app. */
export function createWordScorer(): Scorer {
  let task = readTask('');
  const read = remembering(mostScreens, readPageWords);
  return moment => {
    if (task.instruction !== moment.instruction) task = readTask(moment.instruction);
    return scoreScreen(task, moment, screen => read(screen, screen));
  };
}

/** The same screens are weighed again with another temperature, and as the screen before others. */
const mostScreens = 64;

interface TaskWords {
  readonly instruction: string;
  /** Words of the instruction and their synonyms, with what each counts. */
  readonly weights: ReadonlyMap<string, number>;
  readonly texts: readonly EntryText[];
  /** Quoted and other whole names, in lower case. */
  readonly names: readonly string[];
}

function readTask(instruction: string): TaskWords {
  const weights = new Map<string, number>();
  const told = wordsOf(instruction).filter(word => !isStopWord(word));
  for (const word of told)
    for (const group of synonyms)
      if (group.includes(word)) for (const other of group) weights.set(other, synonymWeight);
  for (const word of told) weights.set(word, 1);
  const texts = findEntryTexts(instruction);
  const names = texts.filter(({ kind, text }) => kind !== 'number' && text.length > 2);
  return { instruction, weights, texts, names: names.map(({ text }) => text.toLowerCase()) };
}

interface Scene extends Moment {
  readonly task: TaskWords;
  /** Texts to enter: of the instruction, and of the screens. */
  readonly texts: readonly EntryText[];
  readonly page: PageWords;
  /** Keys of the elements on the screen before; null when most of the screen is new. */
  readonly keysBefore: ReadonlySet<string> | null;
  readonly lastStep: string;
}

type ReadPage = (screen: string) => PageWords;

function scoreScreen(task: TaskWords, moment: Moment, read: ReadPage): readonly ScoredAction[] {
  const page = read(moment.screen);
  const scene: Scene = {
    ...moment,
    task,
    texts: [...task.texts, ...findScreenTexts(`${moment.screenBefore ?? ''}\n${moment.screen}`, task.instruction)],
    page,
    keysBefore: keysBefore(page, moment.screenBefore === null ? null : read(moment.screenBefore)),
    lastStep: moment.history.at(-1) ?? '',
  };
  const scored = page.elements.flatMap(element => scoreElement(scene, element));
  if (scene.lastStep.startsWith('fill ')) scored.push({ action: { kind: 'press', key: 'Enter' }, score: 2 });
  return scored;
}

/** Where nearly everything is new, that something is new says nothing. */
const mostNew = 0.7;

function keysBefore(page: PageWords, before: PageWords | null): ReadonlySet<string> | null {
  if (before === null) return null;
  const keys = new Set(before.elements.map(({ key }) => key));
  const fresh = page.elements.filter(({ key }) => !keys.has(key)).length;
  return fresh > mostNew * page.elements.length ? null : keys;
}

function scoreElement(scene: Scene, element: PageElement): readonly ScoredAction[] {
  const { ref, role, value, options } = element;
  const base = elementScore(scene, element);
  if (options.length > 0)
    return options
      .filter(option => option !== value)
      .map(option => scoreAction(scene, element, [{ kind: 'select', ref, option }, base + optionScore(scene, option)]));
  if (role === 'textbox')
    return scene.texts
      .filter(({ text }) => text !== value)
      .map(entry =>
        scoreAction(scene, element, [{ kind: 'fill', ref, text: entry.text }, base + fitScore(scene, element, entry)]),
      );
  return [scoreAction(scene, element, [{ kind: 'click', ref }, base + confirmScore(scene, element)])];
}

/** What was done before in the same words is seldom to be done again. */
function scoreAction(
  { history, screen }: Scene,
  { name }: PageElement,
  [action, score]: [Action, number],
): ScoredAction {
  // To describe a step takes long: only those that may be repeated are.
  const mayRepeat = history.some(step => step.startsWith(action.kind) && step.includes(name));
  const isRepeated = mayRepeat && history.includes(describeStep(action, screen));
  return { action, score: isRepeated ? score - 3 : score };
}

function elementScore(scene: Scene, element: PageElement): number {
  const { words, rowWords, rowText, key, name } = element;
  const isNew = scene.keysBefore !== null && !scene.keysBefore.has(key);
  const own = 3 * overlap(scene, words) + (hasName(scene.task, name.toLowerCase()) ? 1.5 : 0);
  const row = 2 * overlap(scene, rowWords) + (hasName(scene.task, rowText) ? 1.5 : 0);
  return own + row + (isNew ? 1.5 : 0);
}

/** Weight of the words that the instruction has too; long names need more of them. */
function overlap({ task, page }: Scene, words: readonly string[]): number {
  if (words.length === 0) return 0;
  let sum = 0;
  for (const word of words) sum += (task.weights.get(word) ?? 0) * page.rarity(word);
  return sum / Math.sqrt(words.length);
}

function hasName({ names }: TaskWords, text: string): boolean {
  return text !== '' && names.some(name => text.includes(name));
}

function optionScore(scene: Scene, option: string): number {
  return 3 * overlap(scene, wordsOf(option)) + (scene.task.names.includes(option.toLowerCase()) ? 2 : -0.5);
}

/** How well a text fits a field: by the words around it, by its kind, and by what was entered before. */
function fitScore({ task, history }: Scene, { words, value }: PageElement, entry: EntryText): number {
  const { near, kind, text } = entry;
  const isNamed = words.some(word => near.has(word) && !isStopWord(word));
  const isEntered = history.some(step => step.startsWith('fill ') && step.endsWith(` with ${JSON.stringify(text)}`));
  const isFilled = value !== null && task.texts.some(other => other.text === value);
  const isDateField = words.some(word => dateWords.has(word)) || /^\d{4}-\d{2}/.test(value ?? '');
  return (
    (isNamed ? 2.5 : 0) +
    (kind === 'quote' || kind === 'address' ? 1.5 : kind === 'date' ? (isDateField ? 2 : -1) : 0) +
    (isEntered ? -3 : 0) +
    (isFilled ? -4 : 0) +
    (isSearchName(words) ? -1.5 : 0.5)
  );
}

const dateWords: ReadonlySet<string> = new Set(wordsOf('date due start end until from time day when'));

function confirmScore({ history, lastStep }: Scene, { words }: PageElement): number {
  if (history.length === 0 || words.length > 4 || !words.some(word => confirming.has(word))) return 0;
  return lastStep.startsWith('fill ') || lastStep.startsWith('select ') ? 2.5 : 1;
}
