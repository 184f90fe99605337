import type { Action } from '../../../core/action.ts';
import { describeStep } from '../../../core/episode/view.ts';
import { isSearchName } from '../../learned/reading/search-fields.ts';
import type { EntryText } from '../entry-texts.ts';
import { comparedWords, type PageElement } from '../page-words.ts';
import { placeOf } from '../screen-texts.ts';
import { entryFeatures } from './entry-features.ts';
import { handWeights, scoreOf, type FeatureName, type FeatureValues } from './feature-weights.ts';
import { clickedWords, isNewIn, type Scene } from './scene.ts';
import type { TaskWords } from './task-words.ts';

/** An action, and what is told of it. */
export interface DescribedAction {
  readonly action: Action;
  readonly values: FeatureValues;
}

type Values = Partial<Record<FeatureName, number>>;

/** Everything that can be done in a state, with its features: the one reading that hand-set and learned weights share. */
export function describeActions(scene: Scene): readonly DescribedAction[] {
  const elements = scene.page.elements.map(element => ({ element, values: elementFeatures(scene, element) }));
  markBest(elements.map(({ values }) => values));
  const described = elements.flatMap(({ element, values }) => actionsOn(scene, element, values));
  if (scene.lastStep.startsWith('fill '))
    described.push({ action: { kind: 'press', key: 'Enter' }, values: { pressEnter: 1 } });
  return described;
}

function actionsOn(scene: Scene, element: PageElement, base: Values): DescribedAction[] {
  const { ref, role, value, options, words } = element;
  const describeOne = (action: Action, own: Values): DescribedAction =>
    describe(scene, element, { action, values: { ...base, ...own } });
  if (options.length > 0)
    return options
      .filter(option => option !== value)
      .map(option => describeOne({ kind: 'select', ref, option }, optionFeatures(scene, option)));
  if (role === 'textbox')
    return [...scene.texts, ...(scene.task.isClearing && value !== '' && !isSearchName(words) ? [nothing] : [])]
      .filter(({ text }) => text !== value)
      .map(entry => describeOne({ kind: 'fill', ref, text: entry.text }, entryFeatures(scene, element, entry)));
  return [describeOne({ kind: 'click', ref }, confirmFeatures(scene, element))];
}

/** To empty a field. */
const nothing: EntryText = { text: '', kind: 'quote', near: new Set(), label: [], doubt: 0, isNew: true };

/** What was done before in the same words is seldom to be done again. */
function describe(scene: Scene, element: PageElement, { action, values }: DescribedAction): DescribedAction {
  const { history, screen } = scene;
  const { name } = element;
  // A dialog that asks back has a button of the same name as the one that opened it.
  if (action.kind === 'click' && isNewIn(scene, element)) return { action, values };
  // To describe a step takes long: only those that may be repeated are.
  const mayRepeat = history.some(step => step.startsWith(action.kind) && step.includes(name));
  const isRepeated = mayRepeat && history.includes(describeStep(action, screen));
  return isRepeated ? { action, values: { ...values, repeated: 1 } } : { action, values };
}

function elementFeatures(scene: Scene, element: PageElement): Values {
  const isNew = isNewIn(scene, element);
  const own = ownFeatures(scene, element, isNew);
  const context = contextFeatures(scene, element, isNew);
  const about = { ...own, ...context, ...mapFeatures(scene, element) };
  // A choice that the page shows was made.
  if (isNew && isShownChoice(scene, element)) return scaled(about, madeShare);
  const isNoMatch = Object.keys(about).length === 0;
  const isLittle = scoreOf(about, handWeights) <= littleAbout;
  return {
    ...about,
    // Elements of a kind that nothing speaks for have the weight of one together.
    ...(isLittle ? { alikeUntold: Math.log(scene.page.alike(element)) } : {}),
    ...(isNoMatch ? { isNoMatch: 1 } : {}),
    ...(isLittle && element.isOtherTab ? { otherTab: 1 } : {}),
    ...newsFeatures(scene, isNew),
    ...generalFeatures(scene, element),
  };
}

function mapFeatures({ map, page }: Scene, element: PageElement): Values {
  const { words = 0, name = 0 } = map?.leads(element, page) ?? {};
  return { ...(words > 0 ? { leadsToWords: words } : {}), ...(name > 0 ? { leadsToName: name } : {}) };
}

/** What a choice that was made still counts. */
const madeShare = 0.2;
/** Elements with less than this have nothing to speak for them. */
const littleAbout = 0.6;

function scaled(values: Values, share: number): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, share * value]));
}

/** Whether it only shows what was clicked last: it stands where another choice stood before, as in `48 hours ▾`. */
function isShownChoice({ before, page, lastStep }: Scene, { role, words, labelWords }: PageElement): boolean {
  if (before === null || words.length === 0 || !lastStep.startsWith('click ')) return false;
  const clicked = new Set(clickedWords(lastStep));
  if (!words.every(word => clicked.has(word))) return false;
  const label = labelWords.join(' ');
  const isGone = (key: string): boolean => page.elements.every(other => other.key !== key);
  return before.elements.some(
    other => other.role === role && label !== '' && other.labelWords.join(' ') === label && isGone(other.key),
  );
}

/** Whether the row of an element that is not the whole row is one that the instruction names. */
function isInNamedRow({ task }: Scene, { rowText, isWhole }: PageElement): boolean {
  return !isWhole && (hasCode(task, rowText) || hasName(task, rowText));
}

function ownFeatures(scene: Scene, element: PageElement, isNew: boolean): Values {
  const { task, keysBefore } = scene;
  const { words, content } = element;
  // In the row that is meant, a button of every row is as telling as one that stands on the page once.
  const found = overlap(scene, words, isInNamedRow(scene, element) ? () => 1 : scene.page.rarity);
  const isFresh = isNew || keysBefore === null;
  const values: Values = {};
  if (found.told > 0) values.ownWords = found.told;
  if (found.synonyms > 0) values.ownSynonyms = found.synonyms;
  if (found.used > 0) values[isFresh ? 'ownUsedNew' : 'ownUsedOld'] = found.used;
  if (hasName(task, content)) values[nameFeature(isUsed(scene, content), isFresh, 'own')] = 1;
  if (hasCode(task, content)) values[isFresh ? 'ownCodeNew' : 'ownCodeOld'] = 1;
  if (found.matched > 0 && found.matched === words.length) values.isWholeMatch = 1;
  if (words.some(word => task.deed.has(word))) values.tellsDeed = 1 / Math.sqrt(words.length);
  return values;
}

function nameFeature(isKnown: boolean, isFresh: boolean, where: 'own' | 'row'): FeatureName {
  if (!isKnown) return `${where}Name`;
  return isFresh ? `${where}NameUsedNew` : `${where}NameUsedOld`;
}

/** The words of the row, or those of the label, whichever say more. */
function contextFeatures(scene: Scene, element: PageElement, isNew: boolean): Values {
  const { task, keysBefore } = scene;
  const { rowWords, labelWords, rowText, content, isWhole } = element;
  // The title of a row has the name of the row itself: it counts once, so that the buttons beside it are no worse.
  const isTitle = !isWhole && hasName(task, content);
  const isFresh = isNew || keysBefore === null;
  const [row, label] = [overlap(scene, rowWords), overlap(scene, labelWords)];
  const [rowFresh, labelFresh] = [row.told + row.synonyms, label.told + label.synonyms];
  const named = isTitle
    ? {}
    : hasCode(task, rowText)
      ? ({ rowCode: 1 } as const)
      : hasName(task, rowText)
        ? { [nameFeature(isUsed(scene, rowText), isFresh, 'row')]: 1 }
        : {};
  const nameShare = Object.keys(named).length === 0 ? 0 : isUsedName(named) ? usedShare(isFresh) : 1;
  // Inside of what was opened, its name on the page tells nothing.
  const rowSays = 2 * (rowFresh + usedShare(false) * row.used) + 1.5 * nameShare;
  const labelSays = 2 * (labelFresh + usedShare(true) * label.used);
  if (rowSays === 0 && labelSays === 0) return {};
  const found: Values =
    rowSays >= labelSays
      ? { rowWords: rowFresh, rowUsed: row.used, ...named }
      : { labelWords: labelFresh, labelUsed: label.used };
  if (isNew && rowSays > 0) found.rowOfNew = 1;
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== 0));
}

function isUsedName(named: Values): boolean {
  return 'rowNameUsedNew' in named || 'rowNameUsedOld' in named;
}

/** What the words of earlier steps still count: on what stood there before, and on what is new. */
function usedShare(isFresh: boolean): number {
  return isFresh ? 0.8 : 0.4;
}

function newsFeatures({ news }: Scene, isNew: boolean): Values {
  if (news === 'menu') return isNew ? { newInMenu: 1 } : { oldBesideMenu: 1 };
  if (!isNew) return {};
  return news === 'part' ? { newOnPage: 1 } : { newOnNewPage: 1 };
}

function generalFeatures(scene: Scene, element: PageElement): Values {
  const { role, words, states } = element;
  const { task, history, alike } = scene;
  const values: Values = {};
  if (isOtherDeed(scene, element)) values.otherDeed = 1;
  if (isDeedOf(scene, element)) values.rowDeed = 1;
  if (isAskedBack(scene, element)) values.askedBack = 1;
  if (isWayToSettings(scene, element)) values.wayToSettings = 1;
  if (isLikeChosen(scene, element)) values.likeChosen = 1;
  if (isShownAlready(scene, element)) values.showsChoice = 1;
  if (role === 'link') values.isLink = 1;
  if (words.length === 0) values.isUnnamed = 1;
  if (words.length > longName) values.isLongName = 1;
  if (history.length > 0 && words.length <= mostDeedWords && words.some(word => leaving.has(word)))
    values.isLeaving = 1;
  if (states.includes('current') || states.includes('selected')) values.isCurrent = 1;
  // What is chosen already needs no click.
  if (element.name !== '' && states.includes('selected')) values.isChosen = 1;
  const others = (alike.get(words.join(' ')) ?? 1) - 1;
  if (others > 0) values.isCommon = Math.log(1 + others);
  if (toggleRoles.has(role)) {
    values.isCheckbox = 1;
    if (task.turns !== null)
      values[(task.turns === 'off') === states.includes('checked') ? 'turnsRight' : 'turnsWrong'] = 1;
  }
  return values;
}

/** Whether it belongs to another row of a list whose row that is meant is selected. */
function isLikeChosen({ task, page }: Scene, { line, parent, kind, rowKind, isWhole }: PageElement): boolean {
  const isChosen = (other: PageElement): boolean =>
    other.isWhole && other.states.includes('selected') && hasName(task, other.content);
  return page.elements.some(
    other =>
      other.line !== line &&
      other.line !== parent &&
      isChosen(other) &&
      ((isWhole && kind === other.kind) || rowKind === other.kind),
  );
}

/** Whether a list that opens shows what is wanted: it need not be opened. */
function isShownAlready({ task }: Scene, { shownChoice }: PageElement): boolean {
  if (shownChoice === null) return false;
  const words = comparedWords(shownChoice);
  if (words.length === 0 || !words.every(word => task.weights.get(word) === 1)) return false;
  const at = task.instruction.toLowerCase().indexOf(shownChoice);
  return !/\bfrom ['"‘“]?$/i.test(task.instruction.slice(0, Math.max(0, at)));
}

const longName = 8;
const toggleRoles: ReadonlySet<string> = new Set(['checkbox', 'radio', 'switch']);

/** Elements that have more of the words than all others. */
function markBest(all: readonly Values[]): void {
  const mark = (name: 'isBestOwn' | 'isBestRow', say: (values: Values) => number): void => {
    const most = Math.max(0, ...all.map(say));
    if (most > 0) for (const values of all) if (say(values) === most) values[name] = 1;
  };
  mark('isBestOwn', ({ ownWords = 0, ownSynonyms = 0 }) => ownWords + ownSynonyms);
  mark('isBestRow', ({ rowWords = 0, rowName = 0, rowCode = 0 }) => rowWords + rowName + rowCode);
}

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

/** What is changed, and not to be seen on the first screen, is often a setting. */
function isWayToSettings({ task, history }: Scene, { words }: PageElement): boolean {
  if (history.length > 0 || words.length > mostDeedWords || !changing.test(task.request)) return false;
  return words.some(word => settingsWords.has(word));
}

/** A button in a named row that does what the instruction says: it stands in every row, so its words are not rare. */
function isDeedOf(scene: Scene, element: PageElement): boolean {
  const { role, words } = element;
  if (role !== 'button' || words.length > 2 || !isInNamedRow(scene, element)) return false;
  // To set something may be a deed of its own, and no edit.
  if (/^set\b/i.test(scene.task.request)) return false;
  return words.some(word => rowDeeds.has(word) && scene.task.weights.has(word));
}

/** Whether a button that came with a dialog says the same as the one that opened it. */
function isAskedBack(scene: Scene, element: PageElement): boolean {
  const { lastStep, news } = scene;
  const { role, words, name } = element;
  if (role !== 'button' || news === 'page' || !isNewIn(scene, element)) return false;
  if (!lastStep.startsWith('click ') || !/\p{L}{2}/u.test(name)) return false;
  const clicked = clickedWords(lastStep);
  if (clicked.length > mostDeedWords || words.length > mostDeedWords) return false;
  return words.some(word => deeds.has(word) && clicked.includes(word));
}

interface Overlap {
  /** Words of the instruction itself, those of synonyms, and those that led here. */
  readonly told: number;
  readonly synonyms: number;
  readonly used: number;
  /** How many words the instruction has, too. */
  readonly matched: number;
}

const noOverlap: Overlap = { told: 0, synonyms: 0, used: 0, matched: 0 };

/** Weight of the words that the instruction has too; long names need more of them. */
function overlap({ task, page, usedWords }: Scene, words: readonly string[], rarity = page.rarity): Overlap {
  if (words.length === 0) return noOverlap;
  let [told, synonyms, used, matched] = [0, 0, 0, 0];
  for (const word of words) {
    const weight = task.weights.get(word) ?? 0;
    if (weight === 0) continue;
    const value = weight * rarity(word);
    matched++;
    if (usedWords.has(word)) used += value;
    else if (weight === 1) told += value;
    else synonyms += value;
  }
  const length = Math.sqrt(words.length);
  return { told: told / length, synonyms: synonyms / length, used: used / length, matched };
}

function hasName({ names }: TaskWords, text: string): boolean {
  return text !== '' && names.some(name => text.includes(name));
}

function hasCode({ codes }: TaskWords, text: string): boolean {
  return text !== '' && codes.some(one => text.includes(one));
}

function optionFeatures(scene: Scene, option: string): Values {
  const { told, synonyms, used } = overlap(scene, comparedWords(option));
  const isName = scene.task.names.includes(option.toLowerCase());
  return { isSelect: 1, optionWords: told + synonyms + used, ...(isName ? { optionName: 1 } : { optionOther: 1 }) };
}

function confirmFeatures(scene: Scene, { words, name, ref, rowKind, shownChoice }: PageElement): Values {
  const { task, history, lastStep, isAllUsed, isForm, enteredAt } = scene;
  // A sign, a button in a row that can be clicked, and a list that opens carry nothing out.
  if (!/\p{L}{2}/u.test(name) || rowKind !== null || shownChoice !== null) return {};
  if (history.length === 0 || words.length > 4 || !words.some(word => confirming.has(word))) return {};
  const isEntered = lastStep.startsWith('fill ') || lastStep.startsWith('select ');
  if (!isEntered && isForm && !isAllUsed) return { confirmTooEarly: 1 };
  // The button that ends a form stands after its fields; one before them that does something else begins anew.
  const isBefore = enteredAt !== null && placeOf(ref) < enteredAt;
  if (isBefore && words.some(word => deeds.has(word) && !task.weights.has(word))) return { confirmTooEarly: 1 };
  const place: Values = enteredAt === null ? {} : isBefore ? { beforeEntered: 1 } : { afterEntered: 1 };
  if (isEntered) return { ...place, ...(isAllUsed ? { confirmAllEntered: 1 } : { confirmEntered: 1 }) };
  return { ...place, ...(isAllUsed && words.some(word => saving.has(word)) ? { saveAllUsed: 1 } : { confirm: 1 }) };
}

const changing = /^(?:change|disable|enable|turn|switch|toggle|block|unblock)\b/i;
const settingsWords: ReadonlySet<string> = new Set(comparedWords('settings preferences'));

const rowDeeds: ReadonlySet<string> = new Set(
  comparedWords(
    'edit rename delete remove archive star pin duplicate copy approve decline cancel enable disable confirm',
  ),
);

/** Buttons that carry out what was entered. */
const confirming: ReadonlySet<string> = new Set(
  comparedWords('save send apply create submit ok done confirm add update yes continue next'),
);

/** Those of them that end a form in which something was clicked. */
const saving: ReadonlySet<string> = new Set(comparedWords('save apply submit update confirm done'));

const leaving: ReadonlySet<string> = new Set(comparedWords('cancel close dismiss back previous undo'));

/** What buttons say that they do: seldom meant where the instruction says neither that nor a synonym of it. */
const deeds: ReadonlySet<string> = new Set(
  comparedWords(
    'cancel close dismiss back previous undo delete remove discard logout help new create add compose archive reopen send duplicate copy import export download upload print share merge',
  ),
);
