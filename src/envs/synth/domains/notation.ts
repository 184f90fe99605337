import type { Effect, Field, Need } from '../spec/schema.ts';
import { pools } from './pools.ts';

/**
 * A vocabulary is written in lines. The first has titles of apps. An entity starts at the margin:
 * `patient/patients: Name = @person` (one, many, label of the title, its values), or `note/notes in patient: …` for
 * what is shown inside of another. Indented below it stand fields, `Phone: @phone; Age: 1..95; Ward: North|South;
 * Insured: yes/no; Doctor: -> doctor` (`=>` for a required link), and transitions:
 * `Waiting > admit|take in > Admitted [doctor; fee <= 90] {visits + 1} !`: from, verbs, to, what it needs, what else it
 * changes, and whether it cannot be undone. In a verb `~` is where the name of the record goes.
 */
export interface Vocabulary {
  readonly titles: readonly string[];
  readonly entities: readonly EntityWords[];
}

export interface EntityWords {
  readonly id: string;
  readonly table: string;
  readonly singular: string;
  readonly plural: string;
  readonly inside: string | null;
  /** The title first. */
  readonly fields: readonly Field[];
  readonly transitions: readonly TransitionWords[];
}

export interface TransitionWords {
  readonly from: readonly string[];
  readonly to: string;
  readonly verbs: readonly string[];
  readonly needs: readonly Need[];
  readonly effects: readonly Effect[];
  readonly isFinal: boolean;
}

export function readVocabulary(text: string): Vocabulary {
  const [titles = '', ...lines] = text.split('\n').filter(line => line.trim() !== '');
  const entities: { head: string; fields: string; transitions: string[] }[] = [];
  for (const line of lines) {
    const entity = entities.at(-1);
    if (!line.startsWith(' ')) entities.push({ head: line, fields: '', transitions: [] });
    else if (entity !== undefined && line.includes(' > ')) entity.transitions.push(line.trim());
    else if (entity !== undefined) entity.fields = line.trim();
  }
  return { titles: titles.split('|'), entities: entities.map(readEntity) };
}

function readEntity({
  head,
  fields,
  transitions,
}: {
  head: string;
  fields: string;
  transitions: string[];
}): EntityWords {
  const parts = /^(\w+)\/(\w+)(?: in (\w+))?: (.+) = (.+)$/.exec(head);
  if (parts === null) throw unreadable(head);
  const [, singular = '', plural = '', inside, label = '', values = ''] = parts;
  const title: Field = { ...named(label), type: 'text', required: true, values: readValues(values) };
  const others = fields === '' ? [] : fields.split('; ').map(readField);
  const link: Field[] =
    inside === undefined ? [] : [{ ...named(capitalised(inside)), type: 'link', target: inside, required: true }];
  return {
    id: singular,
    table: plural,
    singular,
    plural,
    inside: inside ?? null,
    fields: [title, ...link, ...others],
    transitions: transitions.map(readTransition),
  };
}

function readField(text: string): Field {
  const at = text.indexOf(': ');
  if (at < 0) throw unreadable(text);
  const [label, kind] = [text.slice(0, at), text.slice(at + 2)];
  const name = named(label);
  const range = /^(\d+)\.\.(\d+)$/.exec(kind);
  const link = /^([-=])> (\w+)$/.exec(kind);
  if (kind === 'yes/no') return { ...name, type: 'flag' };
  if (kind === '@date') return { ...name, type: 'date', from: '2026-01-05', to: '2026-12-18' };
  if (range !== null) return { ...name, type: 'number', min: Number(range[1]), max: Number(range[2]) };
  if (link !== null) return { ...name, type: 'link', target: link[2] ?? '', required: link[1] === '=' };
  if (kind.startsWith('@') || kind.startsWith('"'))
    return { ...name, type: 'text', required: false, values: readValues(kind) };
  return { ...name, type: 'choice', options: kind.split('|') };
}

function readValues(text: string): string[][] {
  const pool = text.startsWith('@') ? pools[text.slice(1)] : undefined;
  if (pool !== undefined) return pool.map(part => [...part]);
  if (!text.startsWith('"')) throw unreadable(text);
  return text.split(' + ').map(part => part.slice(1, -1).split('|'));
}

function readTransition(line: string): TransitionWords {
  const parts = /^(.+?) > (.+?) > ([^[{!]+?)(?: \[(.+?)\])?(?: \{(.+?)\})?( !)?$/.exec(line);
  if (parts === null) throw unreadable(line);
  const [, from = '', verbs = '', to = '', needs, effects, final] = parts;
  return {
    from: from.split(', '),
    to,
    verbs: verbs.split('|'),
    needs: needs?.split('; ').map(readNeed) ?? [],
    effects: effects?.split('; ').map(readEffect) ?? [],
    isFinal: final !== undefined,
  };
}

function readNeed(text: string): Need {
  const bound = /^(\w+) ([<>])= (\d+)$/.exec(text);
  if (bound !== null) {
    return { field: bound[1] ?? '', is: bound[2] === '>' ? 'at-least' : 'at-most', value: Number(bound[3]) };
  }
  const linked = /^(\w+) is (.+)$/.exec(text);
  if (linked !== null) return { field: linked[1] ?? '', is: 'in-state', value: linked[2] ?? '' };
  return text.startsWith('!') ? { field: text.slice(1), is: 'empty' } : { field: text, is: 'set' };
}

function readEffect(text: string): Effect {
  const [field = '', sign, value = ''] = text.split(' ');
  if (sign === '+') return { field, does: 'add', value: Number(value) };
  if (sign === 'to') return { field, does: 'move', value };
  if (value === 'yes' || value === 'no') return { field, does: 'set', value: value === 'yes' };
  return { field, does: 'set', value: value === 'none' ? null : value };
}

function named(label: string): { id: string; label: string } {
  return { id: fieldId(label), label };
}

/** `Deposit paid` is `depositPaid`. */
export function fieldId(label: string): string {
  const words = label.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.map((word, index) => (index === 0 ? word : capitalised(word))).join('');
}

export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function unreadable(text: string): Error {
  return new Error(`A vocabulary cannot be read at "${text}".`);
}
