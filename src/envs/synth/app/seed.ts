import type { Random } from '../../../core/random.ts';
import type { Entity, Field, TextField } from '../spec/schema.ts';
import { linksOf, prefixOf, rowsOf, type Model, type Row, type SynthState, type Ui, type Value } from './model.ts';

export const closedUi: Omit<Ui, 'page'> = {
  record: '',
  tab: '',
  overlay: 'none',
  formOf: '',
  field: '',
  step: 0,
  row: '',
  pending: '',
  typed: '',
  query: '',
  filter: {},
  sort: '',
  number: 1,
  selected: [],
  form: {},
  notice: '',
};

/** The data of an app: as many records as the spec says, linked and in any state of their workflow. */
export function seedState(model: Model, random: Random): SynthState {
  const { spec } = model;
  const tables = Object.fromEntries(spec.entities.map(({ table }) => [table, [] as Row[]]));
  const settings = Object.fromEntries(spec.settings.map(({ id, options }) => [id, random.pick(options)]));
  const state = { ...tables, settings, ui: { ...closedUi, page: spec.start } } as unknown as SynthState;
  for (const entity of inOrderOfLinks(spec.entities)) {
    const draw = random.fork(entity.id);
    const rows = rowsOf(state, entity);
    const titles = someTexts(titleField(entity), entity.records, draw);
    for (const [index, title] of titles.entries()) {
      const row: Row = { id: `${prefixOf(model, entity)}${index + 1}` };
      for (const field of entity.fields) {
        row[field.id] = field.id === entity.title ? title : seedValue(model, { state, field }, draw);
      }
      if (entity.workflow !== null) row['state'] = draw.pick(entity.workflow.states);
      rows.push(row);
    }
  }
  return state;
}

/** Entities after those that they are linked to, where links do not go in a circle. */
function inOrderOfLinks(entities: readonly Entity[]): Entity[] {
  const done = new Set<string>();
  const ordered: Entity[] = [];
  const visit = (entity: Entity): void => {
    if (done.has(entity.id)) return;
    done.add(entity.id);
    for (const { target } of linksOf(entity)) for (const other of entities) if (other.id === target) visit(other);
    ordered.push(entity);
  };
  for (const entity of entities) visit(entity);
  return ordered;
}

export function titleField(entity: Entity): TextField {
  const field = entity.fields.find(({ id }) => id === entity.title);
  if (field?.type !== 'text') throw new Error(`the title of "${entity.id}" is no text field`);
  return field;
}

/** How many different texts a field can have. */
export function variety({ values }: TextField): number {
  return values.reduce((product, part) => product * part.length, 1);
}

/** Different texts, in any order. */
function someTexts(field: TextField, count: number, random: Random): string[] {
  const texts = new Set<string>();
  while (texts.size < count) texts.add(anyText(field, random));
  return [...texts];
}

export function anyText({ values }: TextField, random: Random): string {
  return values.map(part => random.pick(part)).join(' ');
}

const day = 86_400_000;
/** A link that may be empty is, as often as this. */
const emptyLinks = 0.25;

interface Seeding {
  readonly state: SynthState;
  readonly field: Field;
}

function seedValue(model: Model, { state, field }: Seeding, random: Random): Value {
  if (field.type !== 'link') return anyValue(field, random);
  const targets = rowsOf(state, model.entity(field.target));
  if (targets.length === 0 || (!field.required && random.chance(emptyLinks))) return null;
  return random.pick(targets).id;
}

/** A value of a field that is not a link. */
export function anyValue(field: Exclude<Field, { type: 'link' }>, random: Random): Value {
  switch (field.type) {
    case 'number':
      return random.between(field.min, field.max);
    case 'flag':
      return random.chance(0.5);
    case 'choice':
      return random.pick(field.options);
    case 'date': {
      const [first, last] = [Date.parse(field.from) / day, Date.parse(field.to) / day];
      return new Date(random.between(first, last) * day).toISOString().slice(0, 10);
    }
    default:
      return anyText(field, random);
  }
}
