import { isStopWord } from '../../learned/reading/words.ts';
import { findEntryTexts, withoutTexts, type EntryText } from '../entry-texts.ts';
import { comparedWords } from '../page-words.ts';

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

const synonymWeight = 0.5;

export interface TaskWords {
  readonly instruction: string;
  /** The instruction without the place that it begins with: `In Settings > General, change …`. */
  readonly request: string;
  /** Words of the instruction and their synonyms, with what each counts: synonyms count less than 1. */
  readonly weights: ReadonlyMap<string, number>;
  /** The first word, which most often says what is to be done, and its synonyms. */
  readonly deed: ReadonlySet<string>;
  readonly texts: readonly EntryText[];
  /** Quoted and other whole names, in lower case. */
  readonly names: readonly string[];
  /** Numbers that tell one object from others of its kind: `7156`, `inv-0058`. */
  readonly codes: readonly string[];
  /** Whether something is to be taken away. */
  readonly isClearing: boolean;
  /** Whether something is to be turned on or off; null when neither is told. */
  readonly turns: 'on' | 'off' | null;
}

/** Neither an amount nor a part of a date. */
const code = /(?<![$€£\d.,/:-])(?:[a-z]{1,6}-)?\d{3,}(?![\d.,/:%-]*\d)/gi;
const year = /^(?:19|20)\d\d$/;

function findCodes(instruction: string): string[] {
  const found = [...instruction.matchAll(code)].map(([text]) => text.toLowerCase());
  return [...new Set(found)].filter(text => !year.test(text));
}

const placeFirst = /^(?:In|On|From|Under|Within) [^,.]+, /;
const clearing = /\b(?:clear|remove|unset|empty|erase|delete|reset)\b/i;

const [settingsStem = ''] = comparedWords('settings');

export function readTask(instruction: string): TaskWords {
  const weights = new Map<string, number>();
  const told = comparedWords(instruction).filter(word => !isStopWord(word));
  for (const word of told) for (const other of synonymsOf(word)) weights.set(other, synonymWeight);
  for (const word of told) weights.set(word, 1);
  // To set something has nothing to do with settings, though the words have one stem.
  if (!/\bsettings?\b/i.test(instruction)) weights.delete(settingsStem);
  const texts = findEntryTexts(instruction);
  const names = texts.filter(({ kind, text }) => kind !== 'number' && text.length > 2);
  const request = instruction.replace(placeFirst, '');
  const [first = ''] = comparedWords(request);
  return {
    instruction,
    request,
    weights,
    deed: new Set([first, ...synonymsOf(first)]),
    texts,
    names: names.map(({ text }) => text.toLowerCase()),
    codes: findCodes(withoutTexts(instruction)),
    isClearing: clearing.test(instruction),
    turns: turnsOf(instruction),
  };
}

function synonymsOf(word: string): string[] {
  return synonyms.filter(group => group.includes(word)).flat();
}

function turnsOf(instruction: string): 'on' | 'off' | null {
  if (/\b(?:disable|turn off|uncheck|deselect|deactivate|unmute|hide)\b/i.test(instruction)) return 'off';
  return /\b(?:enable|turn on|check|select|activate|show)\b/i.test(instruction) ? 'on' : null;
}
