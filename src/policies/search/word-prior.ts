import type { Action } from '../../core/action.ts';
import { describeStep } from '../../core/episode/view.ts';
import { remembering } from '../learned/remembering.ts';
import { isSearchName } from '../learned/reading/search-fields.ts';
import { isStopWord } from '../learned/reading/words.ts';
import { findEntryTexts, searchFit, withoutTexts, type EntryText } from './entry-texts.ts';
import { comparedWords, readPageWords, type PageElement, type PageWords } from './page-words.ts';
import { findScreenTexts, lastEntered, placeOf } from './screen-texts.ts';
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
  'clear none reset unset',
  'invite add share',
  'show visible view display',
  'activate resume start enable',
  'pause stop suspend disable',
].map(group => [...new Set(comparedWords(group))]);

/** Buttons that carry out what was entered. */
const confirming: ReadonlySet<string> = new Set(
  comparedWords('save send apply create submit ok done confirm add update yes continue next'),
);

/** Those of them that end a form in which something was clicked. */
const saving: ReadonlySet<string> = new Set(comparedWords('save apply submit update confirm done'));

/** What buttons say that they do: seldom meant where the instruction says neither that nor a synonym of it. */
const deeds: ReadonlySet<string> = new Set(
  comparedWords(
    'cancel close dismiss back previous undo delete remove discard logout help new create add compose archive reopen send duplicate copy import export download upload print share merge',
  ),
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

/** To empty a field. */
const nothing: EntryText = { text: '', kind: 'quote', near: new Set(), label: [], doubt: 0, isNew: true };
const clearing = /\b(?:clear|remove|unset|empty|erase|delete|reset)\b/i;

interface TaskWords {
  readonly instruction: string;
  /** Words of the instruction and their synonyms, with what each counts. */
  readonly weights: ReadonlyMap<string, number>;
  readonly texts: readonly EntryText[];
  /** Quoted and other whole names, in lower case. */
  readonly names: readonly string[];
  /** Numbers that tell one object from others of its kind: `7156`, `inv-0058`. */
  readonly codes: readonly string[];
  /** Whether something is to be taken away. */
  readonly isClearing: boolean;
}

/** Neither an amount nor a part of a date. */
const code = /(?<![$€£\d.,/:-])(?:[a-z]{1,6}-)?\d{3,}(?![\d.,/:%-]*\d)/gi;
const year = /^(?:19|20)\d\d$/;

function findCodes(instruction: string): string[] {
  const found = [...instruction.matchAll(code)].map(([text]) => text.toLowerCase());
  return [...new Set(found)].filter(text => !year.test(text));
}

const [settingsStem = ''] = comparedWords('settings');

function readTask(instruction: string): TaskWords {
  const weights = new Map<string, number>();
  const told = comparedWords(instruction).filter(word => !isStopWord(word));
  for (const word of told)
    for (const group of synonyms)
      if (group.includes(word)) for (const other of group) weights.set(other, synonymWeight);
  for (const word of told) weights.set(word, 1);
  // To set something has nothing to do with settings, though the words have one stem.
  if (!/\bsettings?\b/i.test(instruction)) weights.delete(settingsStem);
  const texts = findEntryTexts(instruction);
  const names = texts.filter(({ kind, text }) => kind !== 'number' && text.length > 2);
  const codes = findCodes(withoutTexts(instruction));
  return {
    instruction,
    weights,
    texts,
    names: names.map(({ text }) => text.toLowerCase()),
    codes,
    isClearing: clearing.test(instruction),
  };
}

interface Scene extends Moment {
  readonly task: TaskWords;
  /** Texts to enter: of the instruction, and of the screens. */
  readonly texts: readonly EntryText[];
  readonly page: PageWords;
  /** Keys of the elements on the screen before; null at the start. */
  readonly keysBefore: ReadonlySet<string> | null;
  /** What it counts that an element is new. */
  readonly newness: number;
  readonly lastStep: string;
  /** Words of what was clicked and chosen so far. */
  readonly usedWords: ReadonlySet<string>;
  /** Names of what was clicked so far, in lower case. */
  readonly clickedNames: string;
  /** Whether all quoted texts were entered or clicked. */
  readonly isAllUsed: boolean;
  /** Whether there are fields to enter texts into, apart from those to search with. */
  readonly isForm: boolean;
  /** Place of the last field that something was entered into; null when there is none. */
  readonly enteredAt: number | null;
}

type ReadPage = (screen: string) => PageWords;

function scoreScreen(task: TaskWords, moment: Moment, read: ReadPage): readonly ScoredAction[] {
  const page = read(moment.screen);
  const before = moment.screenBefore === null ? null : read(moment.screenBefore);
  const keysBefore = before === null ? null : new Set(before.elements.map(({ key }) => key));
  const usedNames = moment.history.join('\n').toLowerCase();
  const clickedNames = moment.history.filter(isNoEntry).join('\n').toLowerCase();
  const quotes = task.texts.filter(({ kind }) => kind === 'quote');
  const scene: Scene = {
    ...moment,
    task,
    texts: [...task.texts, ...findScreenTexts(`${moment.screenBefore ?? ''}\n${moment.screen}`, task.instruction)],
    page,
    keysBefore,
    newness: newnessOf(page, keysBefore),
    lastStep: moment.history.at(-1) ?? '',
    usedWords: new Set(moment.history.flatMap(clickedWords)),
    clickedNames,
    isForm: page.elements.some(({ role, words }) => role === 'textbox' && !isSearchName(words)),
    enteredAt: lastEntered(page, moment.history),
    isAllUsed: quotes.every(({ text }) => usedNames.includes(text.toLowerCase())),
  };
  const scored = page.elements.flatMap(element => scoreElement(scene, element));
  if (scene.lastStep.startsWith('fill ')) scored.push({ action: { kind: 'press', key: 'Enter' }, score: 2 });
  return scored.map(({ action, score }) => ({ action, score: sharpness * score }));
}

/** Scores are added up by rule of thumb: so much sharper, they give steps that solved tasks the highest likelihood. */
const sharpness = 2;

/** `click button "Close issue"`: the words in quotes. What was entered may still be needed. */
function clickedWords(step: string): string[] {
  return isNoEntry(step) ? comparedWords(step.slice(step.indexOf('"') + 1)) : [];
}

function isNoEntry(step: string): boolean {
  return !step.startsWith('fill ');
}

/** Where nearly everything is new, that something is new says nothing; where a menu or a dialog opened, it says much. */
const mostNew = 0.7;
const mostInMenu = 15;

function newnessOf({ elements }: PageWords, keysBefore: ReadonlySet<string> | null): number {
  if (keysBefore === null) return 0;
  const fresh = elements.filter(({ key }) => !keysBefore.has(key)).length;
  if (fresh > mostNew * elements.length) return 0;
  return fresh <= mostInMenu ? 2.5 : 1.5;
}

function scoreElement(scene: Scene, element: PageElement): readonly ScoredAction[] {
  const { ref, role, value, options, words } = element;
  const { task } = scene;
  const base = elementScore(scene, element);
  if (options.length > 0)
    return options
      .filter(option => option !== value)
      .map(option => scoreAction(scene, element, [{ kind: 'select', ref, option }, base + optionScore(scene, option)]));
  if (role === 'textbox')
    return [...scene.texts, ...(task.isClearing && value !== '' && !isSearchName(words) ? [nothing] : [])]
      .filter(({ text }) => text !== value)
      .map(entry =>
        scoreAction(scene, element, [{ kind: 'fill', ref, text: entry.text }, base + fitScore(scene, element, entry)]),
      );
  return [scoreAction(scene, element, [{ kind: 'click', ref }, base + confirmScore(scene, element)])];
}

/** What was done before in the same words is seldom to be done again. */
function scoreAction(
  { history, screen, keysBefore }: Scene,
  { name, key }: PageElement,
  [action, score]: [Action, number],
): ScoredAction {
  // A dialog that asks back has a button of the same name as the one that opened it.
  if (keysBefore !== null && !keysBefore.has(key) && action.kind === 'click') return { action, score };
  // To describe a step takes long: only those that may be repeated are.
  const mayRepeat = history.some(step => step.startsWith(action.kind) && step.includes(name));
  const isRepeated = mayRepeat && history.includes(describeStep(action, screen));
  return { action, score: isRepeated ? score - 3 : score };
}

function elementScore(scene: Scene, element: PageElement): number {
  const { words, rowWords, labelWords, rowText, key, content } = element;
  const { task, keysBefore, newness } = scene;
  const isNew = keysBefore !== null && !keysBefore.has(key);
  const used = isNew || keysBefore === null ? usedNewWeight : usedWeight;
  const named = (text: string): number => (hasName(task, text) ? (isUsed(scene, text) ? used : 1) : 0);
  const own = 3 * overlap(scene, words, used) + 1.5 * named(content) + (hasCode(task, content) ? 3 * used : 0);
  const inRow = hasCode(task, rowText) ? 1 : named(rowText);
  // Inside of what was opened, its name on the page tells nothing.
  const row = 2 * overlap(scene, rowWords, usedWeight) + 1.5 * inRow;
  const label = 2 * overlap(scene, labelWords, usedNewWeight);
  const deed = inRow > 0 && isDeedOf(scene, element) ? 2.5 : 0;
  const asked = isNew && isAskedBack(scene, element) ? 2 : 0;
  const settings = isWayToSettings(scene, element) ? 2 : 0;
  return (
    own + Math.max(row, label) + deed + asked + settings + (isNew ? newness : 0) - (isOtherDeed(scene, element) ? 1 : 0)
  );
}

/** What is changed, and not to be seen on the first screen, is often a setting. */
function isWayToSettings({ task, history }: Scene, { words }: PageElement): boolean {
  if (history.length > 0 || words.length > mostDeedWords || !changing.test(task.instruction)) return false;
  return words.some(word => settingsWords.has(word));
}

const changing = /^(?:change|disable|enable|turn|switch|toggle|block|unblock)\b/i;
const settingsWords: ReadonlySet<string> = new Set(comparedWords('settings preferences'));

/** A button in a named row that does what the instruction says: it stands in every row, so its words are not rare. */
function isDeedOf({ task }: Scene, { role, words }: PageElement): boolean {
  // To set something may be a deed of its own, and no edit.
  if (/^set\b/i.test(task.instruction)) return false;
  return role === 'button' && words.length <= 2 && words.some(word => rowDeeds.has(word) && task.weights.has(word));
}

const rowDeeds: ReadonlySet<string> = new Set(
  comparedWords(
    'edit rename delete remove archive star pin duplicate copy approve decline cancel enable disable confirm',
  ),
);

/** Whether a button that came with a dialog says the same as the one that opened it. */
function isAskedBack({ lastStep, newness }: Scene, { role, words, name }: PageElement): boolean {
  if (role !== 'button' || newness <= 0 || !lastStep.startsWith('click ') || !/\p{L}{2}/u.test(name)) return false;
  const clicked = clickedWords(lastStep);
  return (
    clicked.length <= mostDeedWords &&
    words.length <= mostDeedWords &&
    words.some(word => deeds.has(word) && clicked.includes(word))
  );
}

/** What the words of earlier steps still count: on what stood there before, and on what is new. */
const usedWeight = 0.4;
const usedNewWeight = 0.8;

/** Whether all names of the instruction in a text were clicked before. */
function isUsed({ task, clickedNames }: Scene, text: string): boolean {
  return task.names.every(name => !text.includes(name) || clickedNames.includes(name));
}

function isOtherDeed({ task, history }: Scene, { words }: PageElement): boolean {
  if (words.length > mostDeedWords) return false;
  const isConfirming = history.length > 0 && words.some(word => confirming.has(word));
  return !isConfirming && words.some(word => deeds.has(word) && !task.weights.has(word));
}

const mostDeedWords = 4;

/** Weight of the words that the instruction has too; long names need more of them. */
function overlap({ task, page, usedWords }: Scene, words: readonly string[], used: number): number {
  if (words.length === 0) return 0;
  let sum = 0;
  for (const word of words) sum += (task.weights.get(word) ?? 0) * page.rarity(word) * (usedWords.has(word) ? used : 1);
  return sum / Math.sqrt(words.length);
}

function hasName({ names }: TaskWords, text: string): boolean {
  return text !== '' && names.some(name => text.includes(name));
}

function hasCode({ codes }: TaskWords, text: string): boolean {
  return text !== '' && codes.some(one => text.includes(one));
}

function optionScore(scene: Scene, option: string): number {
  return 3 * overlap(scene, comparedWords(option), 1) + (scene.task.names.includes(option.toLowerCase()) ? 2 : -0.5);
}

/** How well a text fits a field: by the words around it, by its kind, and by what was done before. */
function fitScore(scene: Scene, { words, labelWords, value }: PageElement, entry: EntryText): number {
  const { task, history, clickedNames, page } = scene;
  const { near, kind, text } = entry;
  // Only the field that the instruction speaks of is emptied: the score of its words decides.
  if (text === '') return 1.5;
  // A name such as `e.g. Follow-up` is an example; the label stands before the field.
  const isNamed = [...words, ...labelWords].some(word => near.has(word) && (kind === 'address' || !isStopWord(word)));
  const isEntered = history.some(step => step.startsWith('fill ') && step.endsWith(` with ${JSON.stringify(text)}`));
  const isFilled = value !== null && task.texts.some(other => other.text === value);
  const lower = text.toLowerCase();
  // What was clicked by its name was a place to go to, not a text to enter.
  const isClicked = clickedNames.includes(lower);
  const isSearch = isSearchName(words);
  // A text that stands on a button or a box is there to be clicked.
  const isOffered = page.elements.some(({ role, content }) => role !== 'textbox' && content.includes(lower));
  return (
    (isNamed && !isSearch ? 2.5 : 0) +
    0.75 * entry.label.filter(word => words.includes(word) || labelWords.includes(word)).length +
    kindFit(scene, entry, { words, value, isNamed }) +
    (isEntered ? -3 : 0) +
    (isClicked ? -2 : 0) +
    (isFilled ? -4 : 0) +
    (isSearch ? searchFit(entry, words, scene.screen) : 0.5) +
    (isOffered ? -2 : 0) -
    entry.doubt
  );
}

interface Field {
  readonly words: readonly string[];
  readonly value: string | null;
  readonly isNamed: boolean;
}

function kindFit({ task }: Scene, { kind, text }: EntryText, { words, value, isNamed }: Field): number {
  const isDateField = words.some(word => dateWords.has(word)) || isoStart.test(value ?? '');
  const isIsoField = words.includes('yyyy') || isoStart.test(value ?? '');
  if (kind === 'date') return !isDateField || (isIsoField && !isoStart.test(text)) ? -1 : 2;
  if (isDateField && !isNamed) return -1.5;
  if (!amountPattern.test(text) && words.some(word => amountWords.has(word))) return -2;
  if (!/\d/.test(text) && words.some(word => digitWords.has(word))) return -2;
  if (kind !== 'address' && !text.includes('@') && words.some(word => addressWords.has(word))) return -2;
  if (kind === 'address') return isNamed || isMailField(words) ? 1.5 : -1;
  if (kind === 'quote') return 1.5;
  return kind === 'name' && task.texts.some(other => other.kind === 'quote') ? -1 : 0;
}

const isoStart = /^\d{4}-\d{2}/;
const amountPattern = /^\D{0,3}\d[\d.,]*\D{0,3}$/;
const amountWords: ReadonlySet<string> = new Set(
  comparedWords('amount price cost quantity weight percent limit hours minutes days age size height width'),
);

const digitWords: ReadonlySet<string> = new Set(
  comparedWords('number month year code pin zip deposit phone points digits'),
);
const addressWords: ReadonlySet<string> = new Set(comparedWords('email mail'));

function isMailField(words: readonly string[]): boolean {
  return words.some(word => mailWords.has(word));
}

const mailWords: ReadonlySet<string> = new Set(comparedWords('email mail to recipient cc bcc invite'));
const dateWords: ReadonlySet<string> = new Set(comparedWords('date due start end until from time day when yyyy'));

function confirmScore(scene: Scene, { words, name, ref }: PageElement): number {
  const { task, history, lastStep, isAllUsed, isForm, enteredAt } = scene;
  // A sign in a row carries nothing out.
  if (!/\p{L}{2}/u.test(name)) return 0;
  if (history.length === 0 || words.length > 4 || !words.some(word => confirming.has(word))) return 0;
  const isEntered = lastStep.startsWith('fill ') || lastStep.startsWith('select ');
  if (!isEntered && isForm && !isAllUsed) return -1;
  // The button that ends a form stands after its fields; one before them that does something else begins anew.
  const isBefore = enteredAt !== null && placeOf(ref) < enteredAt;
  if (isBefore && words.some(word => deeds.has(word) && !task.weights.has(word))) return -1;
  const place = enteredAt === null ? 0 : isBefore ? -1.5 : 0.5;
  if (isEntered) return place + (isAllUsed ? 3.5 : 2);
  return place + (isAllUsed && words.some(word => saving.has(word)) ? 2 : 1);
}
