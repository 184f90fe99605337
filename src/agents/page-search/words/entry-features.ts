import { isSearchName } from '../../learned/reading/search-fields.ts';
import { isStopWord } from '../../learned/reading/words.ts';
import { isShown, searchFit, type EntryText } from '../entry-texts.ts';
import { comparedWords, type PageElement } from '../page-words.ts';
import type { FeatureName } from './feature-weights.ts';
import type { Scene } from './scene.ts';

type Values = Partial<Record<FeatureName, number>>;

/** How well a text fits a field: by the words around it, by its kind, and by what was done before. */
export function entryFeatures(scene: Scene, { words, labelWords, value }: PageElement, entry: EntryText): Values {
  const { task, history, clickedNames, page } = scene;
  const { near, kind, text, label, doubt } = entry;
  // Only the field that the instruction speaks of is emptied: the score of its words decides.
  if (text === '') return { isFill: 1, emptied: 1 };
  // A name such as `e.g. Follow-up` is an example; the label stands before the field.
  const isNamed = [...words, ...labelWords].some(word => near.has(word) && (kind === 'address' || !isStopWord(word)));
  const lower = text.toLowerCase();
  const isSearch = isSearchName(words);
  const labelled = label.filter(word => words.includes(word) || labelWords.includes(word)).length;
  const fit = kindFit(scene, entry, { words, value, isNamed });
  return {
    isFill: 1,
    ...(isNamed && !isSearch ? { fieldNamed: 1 } : {}),
    ...(fit === null ? {} : { [fit]: 1 }),
    ...(labelled > 0 ? { fieldLabel: labelled } : {}),
    ...(doubt === 0 ? {} : { doubt }),
    ...(history.some(step => step.startsWith('fill ') && step.endsWith(` with ${JSON.stringify(text)}`))
      ? { textEntered: 1 }
      : {}),
    // What was clicked by its name was a place to go to, not a text to enter.
    ...(clickedNames.includes(lower) ? { textClicked: 1 } : {}),
    ...(value !== null && task.texts.some(other => other.text === value) ? { fieldFilled: 1 } : {}),
    ...(isSearch ? { searchField: 1, ...soughtFeatures(scene, entry, words) } : { otherField: 1 }),
    // A text that stands on a button or a box is there to be clicked.
    ...(page.elements.some(({ role, content }) => role !== 'textbox' && content.includes(lower))
      ? { textOffered: 1 }
      : {}),
  };
}

/** To search for something is worth it where it is named and not shown. */
function soughtFeatures(scene: Scene, entry: EntryText, words: readonly string[]): Values {
  const fit = searchFit(entry, words, scene.screen);
  if (fit === 'object') return { soughtObject: 1 };
  // A name of somebody or something; what is quoted may be a text to enter elsewhere.
  const isName = entry.kind === 'name' && entry.text.includes(' ');
  if (isName && !isShown(entry.text, scene.screen)) return { soughtName: 1 };
  return fit === 'other' ? { soughtOther: 1 } : {};
}

interface Field {
  readonly words: readonly string[];
  readonly value: string | null;
  readonly isNamed: boolean;
}

function kindFit({ task }: Scene, { kind, text }: EntryText, { words, value, isNamed }: Field): FeatureName | null {
  const isDateField = words.some(word => dateWords.has(word)) || isoStart.test(value ?? '');
  const isIsoField = words.includes('yyyy') || isoStart.test(value ?? '');
  if (kind === 'date') return !isDateField || (isIsoField && !isoStart.test(text)) ? 'dateMisfits' : 'dateFits';
  const shape = valueFit(value ?? '', text);
  if (shape !== null) return shape;
  if (isDateField && !isNamed) return 'noDateInDateField';
  if (!amountPattern.test(text) && words.some(word => amountWords.has(word))) return 'noAmountInAmountField';
  if (!/\d/.test(text) && words.some(word => digitWords.has(word))) return 'noDigitsInNumberField';
  if (kind !== 'address' && !text.includes('@') && words.some(word => addressWords.has(word)))
    return 'noAddressInMailField';
  if (kind === 'address') return isNamed || isMailField(words) ? 'addressFits' : 'addressMisfits';
  if (kind === 'quote') return 'quote';
  return kind === 'name' && task.texts.some(other => other.kind === 'quote') ? 'nameBesideQuote' : null;
}

/** What a field holds tells what it takes: a number, or a colour. */
function valueFit(value: string, text: string): 'colourFits' | 'misfitsValue' | null {
  if (colour.test(text)) return colour.test(value) ? 'colourFits' : value === '' ? null : 'misfitsValue';
  if (colour.test(value)) return 'misfitsValue';
  return plainNumber.test(value) && !amountPattern.test(text) ? 'misfitsValue' : null;
}

const colour = /^#[\da-f]{3,8}$/i;
const plainNumber = /^-?\d+(?:\.\d+)?$/;
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
