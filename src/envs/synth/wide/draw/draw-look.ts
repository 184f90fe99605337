import type { Random } from '../../../../core/random.ts';
import { capitalised } from '../../domains/notation.ts';
import type { Entity, Field } from '../../spec/schema.ts';
import {
  counting,
  listKinds,
  pagers,
  places,
  recordKinds,
  tellings,
  type ListLook,
  type Operation,
  type RecordLook,
  type Wide,
} from '../../spec/wide-schema.ts';

interface Looked {
  readonly entity: Entity;
  readonly operations: readonly Operation[];
  readonly random: Random;
}

/** Kinds of lists that people write most. */
const common: readonly ListLook['kind'][] = ['links', 'links', 'rows', 'items', 'items'];

/** How the records of an entity are listed. */
export function drawList({ entity, operations, random }: Looked): ListLook {
  const others = entity.fields.filter(({ id }) => id !== entity.title && id !== entity.inside);
  const kind = random.pick([...listKinds, ...common].filter(one => groupsFor(one, entity).length > 0));
  const group = random.pick(groupsFor(kind, entity));
  const columns = [...(entity.workflow === null ? [] : ['state']), ...others.map(({ id }) => id)];
  const [first = '', second = ''] = random.sample(columns, 2);
  const plain = operations.filter(({ asks }) => asks.length === 0).map(({ id }) => id);
  const searched = random.sample(
    others.filter(({ type }) => type === 'text' || type === 'link' || type === 'choice'),
    random.pick([0, 0, 1, 2]),
  );
  const isLong = entity.records > 14;
  const size = kind === 'table' || kind === 'board' ? random.between(6, 12) : random.between(5, 9);
  return {
    kind,
    name: drawName(kind, { first, second }, random),
    aside: random.sample(columns, random.pick([0, 1, 1, 2, 2, 3])),
    isJoined: random.chance(0.6),
    group,
    count: random.pick(counting),
    pager: random.pick(pagers),
    size: isGrouped(kind) ? 60 : size,
    find: isLong || kind === 'calendar' || random.chance(0.5) ? drawFind(entity, searched, random) : '',
    isSent: random.chance(0.3),
    searched: searched.map(({ id }) => id),
    filters: drawFilters(entity, random),
    sorts: others
      .filter(({ type }) => type === 'number' || type === 'date')
      .map(({ id }) => id)
      .slice(0, random.between(0, 2)),
    tools: random.chance(0.5) ? random.sample(plain, random.between(1, 3)) : [],
    isNamed: random.chance(0.5),
    flags: random.chance(0.3)
      ? others
          .filter(({ type }) => type === 'flag')
          .map(({ id }) => id)
          .slice(0, 1)
      : [],
    isSelectable: plain.length > 0 && random.chance(0.2),
  };
}

/** Whether a list shows a part of the records by where they belong, instead of a page of them. */
export function isGrouped(kind: ListLook['kind']): boolean {
  return kind === 'tree' || kind === 'calendar' || kind === 'folders' || kind === 'board';
}

/** What a list of this kind can go by; one empty entry where it needs nothing. */
function groupsFor(kind: ListLook['kind'], { fields, workflow }: Entity): string[] {
  const ofType = (type: Field['type']): string[] => fields.filter(field => field.type === type).map(({ id }) => id);
  const state = workflow !== null && workflow.states.length <= 6 ? ['state'] : [];
  if (kind === 'calendar') return ofType('date');
  if (kind === 'board') return [...state, ...ofType('choice')];
  if (kind === 'folders') return [...state, ...ofType('choice')];
  if (kind === 'tree') return [...ofType('choice'), ...state];
  return [''];
}

function drawName(
  kind: ListLook['kind'],
  { first, second }: { first: string; second: string },
  random: Random,
): string {
  const plain = '{title}';
  if (first === '') return plain;
  const ways = [
    plain,
    plain,
    `{title}, {${first}}`,
    `{title} ({${first}})`,
    `{title}: {${first}}`,
    `{title} · {${first}}`,
    `{title} – {${first}}`,
    `{${first}}: {title}`,
    ...(second === '' ? [] : [`{${first}}, {${second}}: {title}`, `{title}, {${first}}, {${second}}`]),
    ...(kind === 'items' && second !== '' ? [`{${first}}, {${second}}`] : []),
  ];
  return random.pick(ways);
}

function drawFind({ singular, plural, fields, title }: Entity, searched: readonly Field[], random: Random): string {
  const label = fields.find(({ id }) => id === title)?.label ?? 'Name';
  const more = searched[0]?.label.toLowerCase();
  const ways = [
    `Search ${plural}`,
    `Find ${plural}`,
    `Find a ${singular}`,
    `Search by ${label.toLowerCase()}`,
    `Look up ${singular}`,
    'Search',
    'Quick search',
    `Filter ${plural}`,
    `${label} contains`,
    ...(more === undefined ? [] : [`Search ${label.toLowerCase()} or ${more}`, `${label} or ${more}`]),
  ];
  return random.pick(ways);
}

function drawFilters({ workflow, fields }: Entity, random: Random): string[] {
  const all = [
    ...(workflow === null ? [] : ['state']),
    ...fields.filter(({ type }) => type === 'choice').map(({ id }) => id),
  ];
  return random.sample(all, random.pick([0, 1, 1, 2]));
}

interface Around {
  readonly list: ListLook;
  readonly shell: Wide['shell'];
}

const deskNames = ['Actions', 'Desk', 'What to do', 'Tools', 'Options', 'Manage', 'Next steps', 'More', 'Do', 'Work'];

/** How many screens lie between the first one and what is to be done, at most: people do not hide things deeper. */
const deepest = 3;
const shellDepth = { none: 0, side: 1, banner: 1, tabs: 1, dashboard: 1, menu: 2, nested: 3 } as const;
const placeDepth = { forms: 0, buttons: 0, dialog: 0, toolbar: 0, menu: 1, wizard: 1, submenu: 2 } as const;

export function drawRecord({ entity, random }: Looked, { list, shell }: Around): RecordLook {
  const noun = capitalised(entity.singular);
  const left = deepest - shellDepth[shell] - (isGrouped(list.kind) && list.kind !== 'board' ? 1 : 0);
  const kinds = recordKinds.filter(one => (one !== 'tabs' || left > 0) && (one !== 'expand' || list.kind !== 'table'));
  const kind = random.pick(kinds);
  const below = left - (kind === 'tabs' ? 1 : 0);
  return {
    kind,
    name: random.pick(['', noun, noun, `${noun} details`, 'Details', `About this ${entity.singular}`]),
    back: random.pick([
      `Back to ${entity.plural}`,
      'Back',
      `All ${entity.plural}`,
      'Close',
      '← Back',
      'Done',
      `‹ ${capitalised(entity.plural)}`,
    ]),
    telling: random.pick(tellings),
    hasStatus: random.chance(0.5),
    place: random.pick(places.filter(one => placeDepth[one] <= Math.max(0, below))),
    desk: random.pick(deskNames),
    isTyped: random.chance(0.5),
  };
}

const units: Readonly<Record<string, readonly string[]>> = {
  price: ['€{v}', '${v}', '{v} €', 'EUR {v}'],
  money: ['€{v}', '${v}', '{v} €'],
  weight: ['{v} kg', '{v} kg'],
  minutes: ['{v} min', '{v} minutes'],
  nights: ['{v} nights'],
  age: ['{v} years old', '{v} years'],
};
const unitOf: Readonly<Record<string, string>> = {
  price: 'price',
  fee: 'money',
  budget: 'money',
  rent: 'price',
  amount: 'money',
  value: 'money',
  weight: 'weight',
  minutes: 'minutes',
  age: 'age',
};

/** How a value is told on screens: `{L}: {v}`, `{v} seats`, `by {v}`. */
export function drawTold(field: Field, random: Random): string {
  const l = field.label.toLowerCase();
  const labelled = [`${field.label}: {v}`, `${field.label}: {v}`, `${l} {v}`, `${field.label} {v}`];
  switch (field.type) {
    case 'number': {
      const unit = units[unitOf[field.id] ?? ''] ?? ['{v}'];
      const shown = random.pick(unit);
      return random.pick([`${field.label}: ${shown}`, `${l} ${shown}`, shown === '{v}' ? `{v} ${l}` : shown]);
    }
    case 'date':
      return random.pick([...labelled, `${l} on {v}`, '{v}', `on {v}`]);
    case 'link':
      return random.pick([...labelled, '{v}', 'with {v}', 'by {v}', 'for {v}', `${l}: {v}`, `{v} (${l})`]);
    case 'flag':
      return random.pick([`${field.label}: {v}`, `${l}: {v}`, `${field.label}: {v}`]);
    default:
      return random.pick([...labelled, '{v}', '{v}', '"{v}"']);
  }
}
