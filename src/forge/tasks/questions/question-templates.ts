import type { JsonObject } from '../../../core/json.ts';
import type { Random } from '../../../core/random.ts';
import { pluralOf } from '../../../core/text.ts';
import type { AppTemplate } from '../../../worlds/app/template.ts';
import { nameRecord } from '../../data/record-names.ts';
import { readTables, type RecordPlace, type Tables } from '../../data/tables.ts';
import type { ForgeWorkshop } from '../command-template.ts';
import { memberNoun } from '../../wording/member-noun.ts';
import { createFieldEvidence, formats, type ShownField, type ShownFields } from '../../shown/shown-fields.ts';

/** A question as it stands in the parameters: what to look at, never the answer. */
interface Question {
  readonly table: string;
  readonly field: string;
  readonly format: ShownField['format'];
  readonly ids: readonly string[];
  /** For counts: the value that is counted. */
  readonly wanted?: string;
  readonly order?: 'most' | 'least';
  readonly names: readonly string[];
}

interface QuestionKind {
  readonly id: string;
  readonly about: string;
  ask(screens: ShownFields, tables: Tables, random: Random): { question: Question; words: string } | null;
  answer(question: Question, tables: Tables): string;
}

const worldsToAsk = 12;
const mostCompared = 6;

const lookUp: QuestionKind = {
  id: 'look-up.forged',
  about: 'Forged question: what a screen shows of a record.',
  ask(screens, tables, random) {
    const shown = random.pick(screens.fields);
    const [record] = pickNamed(tables, shown, { screens, random, count: 1 });
    if (record === undefined) return null;
    const [noun, what] = [record.noun, memberNoun(shown.field, record.place.row[shown.field])];
    const words = random.pick([
      `What is the ${what} of the ${noun} "${record.name}"?`,
      `Look up the ${what} of the ${noun} "${record.name}" and answer with it.`,
      `Find the ${noun} "${record.name}". What is the ${what}?`,
    ]);
    return { question: asked(shown, [record]), words };
  },
  answer: ({ table, field, format, ids }, tables) => {
    const row = tables.get(table)?.places.find(place => place.row.id === ids[0])?.row;
    return formats[format](row?.[field] ?? '');
  },
};

const compare: QuestionKind = {
  id: 'compare.forged',
  about: 'Forged question: which of two records has more of something.',
  ask: (screens, tables, random) => askExtreme(screens, tables, { random, count: 2 }),
  answer: extremeOf,
};

const extreme: QuestionKind = {
  id: 'extreme.forged',
  about: 'Forged question: which of several records has the most or the least of something.',
  ask: (screens, tables, random) => askExtreme(screens, tables, { random, count: 3 }),
  answer: extremeOf,
};

const countWith: QuestionKind = {
  id: 'count.forged',
  about: 'Forged question: how many records have a value.',
  ask(screens, tables, random) {
    const shown = random.pick(screens.fields);
    const places = tables.get(shown.table)?.places ?? [];
    const texts = places.flatMap(({ row }) => (typeof row[shown.field] === 'string' ? [String(row[shown.field])] : []));
    const repeated = [...new Set(texts)].filter(text => {
      const times = texts.filter(other => other === text).length;
      return times > 1 && times <= mostCompared;
    });
    if (shown.format !== 'plain' || repeated.length === 0) return null;
    const wanted = random.pick(repeated);
    const found = places.filter(({ row }) => row[shown.field] === wanted);
    if (!found.every(({ row }) => screens.showsIn(shown, row))) return null;
    const noun = tables.get(shown.table)?.noun ?? '';
    const question = { ...asked(shown, []), ids: found.map(({ row }) => row.id), wanted, names: [wanted] };
    const words = random.pick([
      `How many ${pluralOf(noun)} have the ${memberNoun(shown.field, wanted)} "${wanted}"? Answer with the number.`,
      `Count the ${pluralOf(noun)} whose ${memberNoun(shown.field, wanted)} is "${wanted}".`,
    ]);
    return { question, words };
  },
  answer: ({ table, field, wanted }, tables) =>
    String(tables.get(table)?.places.filter(({ row }) => row[field] === wanted).length ?? 0),
};

interface Named {
  readonly place: RecordPlace;
  readonly noun: string;
  readonly name: string;
}

interface Picking {
  readonly screens: ShownFields;
  readonly random: Random;
  readonly count: number;
}

/** Records with names of their own whose member some screen shows. */
function pickNamed(tables: Tables, shown: ShownField, { screens, random, count }: Picking): Named[] {
  const places = tables.get(shown.table)?.places ?? [];
  const found: Named[] = [];
  for (const place of random.sample(places, 4 * count)) {
    const name = nameRecord(tables, place);
    const value = place.row[shown.field];
    const isUsable = name !== null && name.of === null && name.borrowedFrom === null && value !== null && value !== '';
    if (!isUsable || /["\n]/.test(String(value)) || !screens.showsIn(shown, place.row)) continue;
    found.push({ place, noun: name.noun, name: name.text });
    if (found.length === count) break;
  }
  return found;
}

function asked({ table, field, format }: ShownField, records: readonly Named[]): Question {
  const ids = records.map(({ place }) => place.row.id);
  return { table, field, format, ids, names: records.map(({ name }) => name) };
}

/** Numbers that are names: no locker is lower than another. */
const namesPlace = /(?:locker|room|desk|bench|seat|pen|gate|track|platform|bay|number|code|postcode)$/i;

/** Of two, one is later; of three, one is the latest. */
const degrees = {
  date: { two: { most: 'later', least: 'earlier' }, more: { most: 'latest', least: 'earliest' } },
  number: { two: { most: 'higher', least: 'lower' }, more: { most: 'highest', least: 'lowest' } },
} as const;

function askExtreme(
  screens: ShownFields,
  tables: Tables,
  { random, count }: { random: Random; count: number },
): { question: Question; words: string } | null {
  const ordered = screens.fields.filter(({ isOrdered, field }) => isOrdered && !namesPlace.test(field));
  if (ordered.length === 0) return null;
  const shown = random.pick(ordered);
  const records = pickNamed(tables, shown, { screens, random, count });
  const values = new Set(records.map(({ place }) => place.row[shown.field]));
  if (records.length < count || values.size < count) return null;
  const order = random.pick(['most', 'least'] as const);
  const isDate = records.every(({ place }) => typeof place.row[shown.field] === 'string');
  const degree = degrees[isDate || /year$/i.test(shown.field) ? 'date' : 'number'][count === 2 ? 'two' : 'more'][order];
  const names = records.map(({ name }) => `"${name}"`);
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const what = memberNoun(shown.field, records[0]?.place.row[shown.field]);
  const noun = records[0]?.noun ?? '';
  const words = random.pick([
    `Which of the ${pluralOf(noun)} ${list} has the ${degree} ${what}? Answer with its name.`,
    `Of ${list}, which ${noun} has the ${degree} ${what}?`,
  ]);
  return { question: { ...asked(shown, records), order }, words };
}

function extremeOf({ table, field, ids, order }: Question, tables: Tables): string {
  const places = tables.get(table)?.places.filter(({ row }) => ids.includes(row.id)) ?? [];
  const sorted = places.toSorted((left, right) => ((left.row[field] ?? 0) < (right.row[field] ?? 0) ? -1 : 1));
  const best = order === 'least' ? sorted[0] : sorted.at(-1);
  return best === undefined ? '' : (nameRecord(tables, best)?.text ?? '');
}

/** Questions about what screens show. Their answers stand nowhere in the task: they are read from the data. */
export function questionTemplates<S extends JsonObject>(workshop: ForgeWorkshop<S>): AppTemplate<S>[] {
  return [lookUp, compare, extreme, countWith].map(kind => questionTemplate(workshop, kind));
}

function questionTemplate<S extends JsonObject>(workshop: ForgeWorkshop<S>, kind: QuestionKind): AppTemplate<S> {
  const { app, split } = workshop;
  return {
    id: kind.id,
    about: kind.about,
    split,
    kind: 'feasible',
    steps: 30,
    kindOf: () => 'feasible',
    make(state, random) {
      const tables = readTables(state);
      const { fields: all, showsIn } = workshop.shownFields();
      const fields = all.filter(({ table }) => tables.has(table));
      const screens = { fields, showsIn };
      if (fields.length === 0) return null;
      for (let attempt = 0; attempt < worldsToAsk; attempt++) {
        const made = kind.ask(screens, tables, random.fork(`question ${attempt}`));
        if (
          made === null ||
          made.words.toLowerCase().includes(kind.answer(made.question, tables).toLowerCase()) !== isNamed(kind) ||
          isSeenAtOnce(createFieldEvidence(app, state, made.question)(state))
        )
          continue;
        return { parameters: made.question as unknown as JsonObject, instruction: made.words, patch: [] };
      }
      return null;
    },
    goal(parameters, initial) {
      const question = parameters as unknown as Question;
      const { table, field, format, ids } = question;
      return {
        kind: 'feasible',
        checks: [],
        allow: [],
        answer: kind.answer(question, readTables(initial)),
        shown: createFieldEvidence(app, initial, { table, field, format, ids }),
      };
    },
  };
}

/** What the first screen shows needs no look-up. */
function isSeenAtOnce(seen: readonly boolean[]): boolean {
  return seen.some(Boolean);
}

/** Comparisons name their answer among others; all other questions must not give it away. */
function isNamed({ id }: QuestionKind): boolean {
  return id === compare.id || id === extreme.id;
}
