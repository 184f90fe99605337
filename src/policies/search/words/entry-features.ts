import { isSearchName } from '../../learned/reading/search-fields.ts';
import { isStopWord } from '../../learned/reading/words.ts';
import type { EntryText } from '../entry-texts.ts';
import { comparedWords, type PageElement } from '../page-words.ts';
import type { FeatureName } from './feature-weights.ts';
import type { Scene } from './scene.ts';

type Values = Partial<Record<FeatureName, number>>;

/** How well a text fits a field: by the words around it, by its kind, and by what was done before. */
export function entryFeatures(scene: Scene, { words, labelWords, value }: PageElement, entry: EntryText): Values {
  const { task, history, clickedNames, page } = scene;
  const { near, kind, text } = entry;
  // A name such as `e.g. Follow-up` is an example; the label stands before the field.
  const isNamed = [...words, ...labelWords].some(word => near.has(word) && (kind === 'address' || !isStopWord(word)));
  const lower = text.toLowerCase();
  const isSearch = isSearchName(words);
  const fit = kindFit(scene, entry, { words, value, isNamed });
  return {
    isFill: 1,
    ...(isNamed && !isSearch ? { fieldNamed: 1 } : {}),
    ...(fit === null ? {} : { [fit]: 1 }),
    ...(history.some(step => step.startsWith('fill ') && step.endsWith(` with ${JSON.stringify(text)}`))
      ? { textEntered: 1 }
      : {}),
    // What was clicked by its name was a place to go to, not a text to enter.
    ...(clickedNames.includes(lower) ? { textClicked: 1 } : {}),
    ...(value !== null && task.texts.some(other => other.text === value) ? { fieldFilled: 1 } : {}),
    ...(isSearch ? { searchField: 1, ...(isSought(scene, entry) ? { soughtName: 1 } : {}) } : { otherField: 1 }),
    // A text that stands on a button or a box is there to be clicked.
    ...(page.elements.some(({ role, content }) => role !== 'textbox' && content.includes(lower))
      ? { textOffered: 1 }
      : {}),
  };
}

/** Whether somebody or something by that name is nowhere to be seen. What is quoted may be a text to enter elsewhere. */
function isSought({ screen }: Scene, { kind, text }: EntryText): boolean {
  const words = text.toLowerCase().split(' ');
  if (kind !== 'name' || words.length < 2) return false;
  const lines = screen.toLowerCase().split('\n');
  return !lines.some(line => words.every(word => line.includes(word)));
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
  if (isDateField && !isNamed) return 'noDateInDateField';
  if (!amountPattern.test(text) && words.some(word => amountWords.has(word))) return 'noAmountInAmountField';
  if (kind === 'address') return isNamed || isMailField(words) ? 'addressFits' : 'addressMisfits';
  if (kind === 'quote') return 'quote';
  return kind === 'name' && task.texts.some(other => other.kind === 'quote') ? 'nameBesideQuote' : null;
}

const isoStart = /^\d{4}-\d{2}/;
const amountPattern = /^\D{0,3}\d[\d.,]*\D{0,3}$/;
const amountWords: ReadonlySet<string> = new Set(
  comparedWords('amount price cost quantity weight percent limit hours minutes days age size height width'),
);

function isMailField(words: readonly string[]): boolean {
  return words.some(word => mailWords.has(word));
}

const mailWords: ReadonlySet<string> = new Set(comparedWords('email mail to recipient cc bcc invite'));
const dateWords: ReadonlySet<string> = new Set(comparedWords('date due start end until from time day when yyyy'));
