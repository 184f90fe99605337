import { isAddressed, longest } from '../gate.ts';
import { utilityOf, type ContentOf, type MemoryItem } from '../item.ts';
import type { Memory } from '../memory.ts';
import type { Advice, Here, Reader } from './here.ts';
import { similarityOf } from './similarity.ts';
import { withLiterals } from './slots.ts';

const most = 3;

type Note = MemoryItem<ContentOf<'note'>>;

function notesFor({ memory, pattern, heading }: Pick<Here, 'memory' | 'pattern' | 'heading'>, tokens: number): Note[] {
  if (memory.index.ofKind('note').length === 0) return [];
  return memory.read({ environment: null, instruction: pattern, heading }, { most, tokens, kinds: ['note'] }) as Note[];
}

/** What programs read of the notes for a task: the steps that they speak for and against. */
export const readNotes: Reader = here =>
  notesFor(here, 300).flatMap(note => {
    const { prefer, avoid, title } = note.content;
    // What a note is about follows what it is: `Refused in: …`.
    const weight = utilityOf(note) * similarityOf(title.replace(/^[^:{]*: /, ''), here.pattern) ** 2;
    const advice = (how: Advice['how'], line: string): Advice => ({ item: note.id, how, line, weight });
    return [...prefer.map(line => advice('prefer', line)), ...avoid.map(line => advice('avoid', line))];
  });

/** What a model is told: notes, and solutions to be shown, within these tokens. The same in every step: its prompt only grows. */
export function toldItems(
  memory: Memory,
  here: Here,
  tokens: number,
): { readonly id: string; readonly text: string }[] {
  const notes = notesFor({ ...here, heading: '' }, tokens);
  const situation = { environment: null, instruction: here.pattern, heading: '' };
  const shown = memory.index.ofKind('program').some(({ content }) => content.use === 'show')
    ? memory.read(situation, { most: 1, tokens: 4 * tokens, kinds: ['program'] })
    : [];
  const told: { readonly id: string; readonly text: string }[] = [];
  for (const { id, content } of [...notes, ...shown]) {
    if (content.kind === 'program' && content.use === 'call') continue;
    // Of a title, no more than the gate has read.
    const whole = content.kind === 'program' ? `${content.title.slice(0, longest)}\n${content.code}` : content.text;
    const text = withLiterals(whole, here.literals) ?? whole;
    // An instruction may be split over items, each of which passes the gate.
    const isSplit = content.kind === 'note' && isAddressed([...told.map(one => one.text), text].join(' '));
    if (!isSplit) told.push({ id, text });
  }
  return told;
}
