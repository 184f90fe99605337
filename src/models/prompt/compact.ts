import type { View } from '../../core/episode/view.ts';

/** What a compact prompt says: the task, the steps done, and the screens that were seen, the newest last. */
export interface CompactSituation {
  readonly task: string;
  readonly done: readonly string[];
  readonly screens: readonly string[];
}

/** Elements beyond this many have no token of their own, and cannot be pointed at. */
const mostReferences = 320;
const [stepsShown, notesShown, longestStep, longestNote] = [12, 4, 160, 120];

/** White space as Unicode has it, and the four separators of ASCII: what Python strips. */
const space = '\\p{White_Space}\\u001c-\\u001f';
const spaces = new RegExp(`[${space}]+`, 'gu');
const edges = new RegExp(`^[${space}]+|[${space}]+$`, 'gu');
const linePattern = /^( *)(?:\[e(\d+)\] )?([^\n]*)$/;
const namePattern = /^(?:region|row|listitem|form|dialog|page) "([^\n]*)"/;
const wordPattern = /[\p{L}\p{N}_]{3,}/gu;
const commonWords: ReadonlySet<string> = new Set(
  'the and for with that its from this have has answer please what which'.split(' '),
);

/** The situation of a view. */
export function compactSituation({
  instruction,
  path,
  observation,
}: Pick<View, 'instruction' | 'path' | 'observation'>): CompactSituation {
  return {
    task: instruction,
    done: path.map(({ text }) => text),
    screens: [...path.map(({ screen }) => screen), observation.text],
  };
}

/**
 * The prompt of small models: the task, the steps done, notes, the newest screen. The reference of an element stands behind
 * it: who reads from left to right knows the element by then.
 */
export function writeCompactPrompt({ task, done, screens }: CompactSituation): string {
  const shown = screens.map(safe);
  const newest = shown.at(-1) ?? '';
  const words = safe(trimmed(task).replaceAll(spaces, ' '));
  const steps = done.slice(-stepsShown).map(step => `\n<done> ${safe(clipped(step, longestStep))}`);
  const notes = notesOf(words, shown.slice(0, -1), newest).map(note => `\n<note> ${note}`);
  return `<task> ${words}${steps.join('')}${notes.join('')}\n<screen>${writeScreen(newest)}\n<act>`;
}

/** Text of an app cannot spell the marks of the prompt. */
function safe(text: string): string {
  return text.replaceAll('<', '‹');
}

/** Text of a prompt as the app has it. */
export function unsafe(text: string): string {
  return text.replaceAll('‹', '<');
}

function writeScreen(screen: string): string {
  const lines = screen.split('\n').filter(line => trimmed(line) !== '');
  return lines.map(writeLine).join('');
}

function writeLine(line: string): string {
  const [, indent = '', reference, text = ''] = linePattern.exec(line) ?? [];
  const mark = reference === undefined || Number(reference) > mostReferences ? '' : ` <e${reference}>`;
  return `\n${' '.repeat(Math.floor(indent.length / 2))}${text}${mark}`;
}

/** Fields of earlier screens that the newest lacks; both record and label share a word with the task. */
function notesOf(task: string, earlier: readonly string[], newest: string): string[] {
  const asked = wordsOf(task);
  const notes = new Map<string, string>();
  for (const screen of earlier) {
    let record = '';
    for (const line of screen.split('\n')) {
      const text = trimmed(line);
      record = namePattern.exec(text)?.[1] ?? record;
      const colon = text.indexOf(': ');
      const label = text.slice(0, Math.max(0, colon));
      if (colon < 0 || label.includes('[e') || newest.includes(text)) continue;
      if (sharesWord(asked, label) && sharesWord(asked, record))
        notes.set(`${record}: ${label}`, `${record}: ${clipped(text, longestNote)}`);
    }
  }
  return [...notes.values()].slice(-notesShown);
}

function sharesWord(asked: ReadonlySet<string>, text: string): boolean {
  return !asked.isDisjointFrom(wordsOf(text));
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = (text.match(wordPattern) ?? []).map(word => word.toLowerCase());
  return new Set(words.filter(word => !commonWords.has(word)));
}

function trimmed(text: string): string {
  return text.replaceAll(edges, '');
}

/** The first characters; a pair of surrogates is one. */
function clipped(text: string, most: number): string {
  return text.length <= most ? text : Array.from(text).slice(0, most).join('');
}
