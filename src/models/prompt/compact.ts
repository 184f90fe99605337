import type { View } from '../../core/episode/view.ts';

/** What a compact prompt says: the task, the steps done, and the screens that were seen, the newest last. */
export interface CompactSituation {
  readonly task: string;
  /** What a memory tells. */
  readonly told?: string;
  readonly done: readonly string[];
  readonly screens: readonly string[];
}

/** Elements beyond this many have no token of their own, and cannot be pointed at. */
const mostReferences = 320;
const [stepsShown, notesShown, longestStep, longestNote, longestEffect, longestRecord] = [12, 4, 160, 120, 60, 8];

/** White space as Unicode has it, and the four separators of ASCII: what Python strips. */
const space = '\\p{White_Space}\\u001c-\\u001f';
const spaces = new RegExp(`[${space}]+`, 'gu');
const edges = new RegExp(`^[${space}]+|[${space}]+$`, 'gu');
const linePattern = /^( *)(?:\[e(\d+)\] )?([^\n]*)$/;
const namePattern = /^(?:region|row|listitem|form|dialog|page) "([^\n]*)"/;
const recordPattern = /^(?:region|row|listitem) "([^\n]+)"/;
const itemPattern = /^(?:row|listitem) "([^\n]+)"$/;
const shownPattern = /^(?:cell|link|heading) "([^\n]+)"$/;
const rolePattern = /^[a-z]+ "/;
const optionsPattern = / \{[^{}]*\}$/;
const statesPattern = /(?: \([a-z]+\))+$/;
const wordPattern = /[\p{L}\p{N}_]{3,}/gu;
const commonWords: ReadonlySet<string> = new Set(
  'the and for with that its from this have has answer please what which'.split(' '),
);

/** The situation of a view. */
export function compactSituation({
  instruction,
  notes,
  path,
  observation,
}: Pick<View, 'instruction' | 'notes' | 'path' | 'observation'>): CompactSituation {
  return {
    task: instruction,
    ...(notes === undefined ? {} : { told: notes }),
    done: path.map(({ text }) => text),
    screens: [...path.map(({ screen }) => screen), observation.text],
  };
}

/**
 * The prompt of small models: the task, the steps done, notes, the newest screen. The reference of an element stands behind
 * it: who reads from left to right knows the element by then.
 */
export function writeCompactPrompt({ task, told: remembered, done, screens }: CompactSituation): string {
  const shown = screens.map(safe);
  const newest = shown.at(-1) ?? '';
  const words = safe(trimmed(task).replaceAll(spaces, ' '));
  const last = done.slice(-stepsShown);
  const effects = effectsOf(last, shown.slice(done.length - last.length));
  const steps = last.map((step, at) => `\n<done> ${safe(clipped(step, longestStep))}${effects[at] ?? ''}`);
  const own = remembered === undefined ? [] : [safe(remembered.replaceAll(spaces, ' '))];
  const notes = [...own, ...notesOf(words, shown)].map(note => `\n<note> ${note}`);
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

/**
 * What each step did to its page, or to a page it came back to: the first line that is new there, or that is gone, behind the
 * record it stands in. A step that leads to a new page says nothing: the page does.
 */
function effectsOf(done: readonly string[], screens: readonly string[]): string[] {
  const pages = screens.map(placedLines);
  return done.map((step, at) => {
    const [before, after] = [pages[at], pages[at + 1]];
    if (before === undefined || after === undefined) return '';
    if (before.symmetricDifference(after).size === 0) return ' → nothing';
    const page = pages.slice(0, at + 1).findLast(earlier => earlier.intersection(after).size * 2 > after.size);
    if (page === undefined) return '';
    const line = told(step, after.difference(page), page);
    const gone = line ?? told(step, page.difference(after), after);
    return gone === undefined ? '' : ` → ${line === undefined ? 'gone: ' : ''}${clipped(gone, longestEffect)}`;
  });
}

/** A line that the step does not name itself; one of an element that was not there rather than one that changed. */
function told(step: string, lines: ReadonlySet<string>, others: ReadonlySet<string>): string | undefined {
  const known = new Set([...others].map(elementOf));
  const unnamed = [...lines].filter(line => !step.includes(elementOf(line)));
  return unnamed.find(line => !known.has(elementOf(line))) ?? unnamed[0];
}

/** The lines of a screen, each behind the record that it stands in. */
function placedLines(screen: string): ReadonlySet<string> {
  const placed = new Set<string>();
  const records: { readonly indent: number; readonly name: string }[] = [];
  for (const line of screen.split('\n')) {
    const [, indent = '', , text = ''] = linePattern.exec(line) ?? [];
    while ((records.at(-1)?.indent ?? -1) >= indent.length) records.pop();
    const record = records.at(-1)?.name;
    const shown = text.replace(optionsPattern, '');
    if (shown !== '') placed.add(record === undefined ? shown : `${record}: ${shown}`);
    const name = recordPattern.exec(text)?.[1];
    if (name !== undefined) records.push({ indent: indent.length, name });
  }
  return placed;
}

/** `textbox "Name"` of `textbox "Name": Ada (required)`. */
function elementOf(line: string): string {
  const end = line.indexOf('": ');
  return end < 0 ? line.replace(statesPattern, '') : line.slice(0, end + 1);
}

/**
 * What earlier screens showed and the newest lacks: records that the task names, and fields of which both record and label share
 * a word with the task.
 */
function notesOf(task: string, screens: readonly string[]): string[] {
  const asked = wordsOf(task);
  const newest = screens.at(-1) ?? '';
  const notes = new Map<string, string>();
  for (const screen of screens.slice(0, -1)) {
    for (const { name, texts } of recordsOf(screen)) {
      if (!newest.includes(`"${name}"\n`) && [name, ...texts].some(text => isNamed(text, asked)))
        notes.set(name, clipped(`${name}: ${texts.join(' · ')}`, longestNote));
    }
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

/** Rows and items of lists, with the texts in them: a longer one is a part of the page. */
function recordsOf(screen: string): { readonly name: string; readonly texts: readonly string[] }[] {
  const records: { name: string; indent: number; texts: string[]; lines: number }[] = [];
  let last: (typeof records)[number] | undefined;
  for (const line of screen.split('\n')) {
    const [, indent = '', , text = ''] = linePattern.exec(line) ?? [];
    const name = itemPattern.exec(text)?.[1];
    if (last !== undefined && indent.length <= last.indent) last = undefined;
    if (name !== undefined) records.push((last = { name, indent: indent.length, texts: [], lines: 0 }));
    else if (last !== undefined) {
      last.lines++;
      const shown = shownPattern.exec(text)?.[1] ?? (rolePattern.test(text) ? undefined : text);
      if (shown !== undefined && shown !== last.name) last.texts.push(shown);
    }
  }
  return records.filter(({ texts, lines }) => texts.length > 0 && lines <= longestRecord);
}

/** Whether the task has all words of a name. */
function isNamed(name: string, asked: ReadonlySet<string>): boolean {
  const words = wordsOf(name);
  return words.size > 0 && words.isSubsetOf(asked);
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
