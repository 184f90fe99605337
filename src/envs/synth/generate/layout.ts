import type { Random } from '../../../core/random.ts';
import {
  actionPlaces,
  creations,
  editings,
  filterPlaces,
  gates,
  openings,
  searches,
  type Entity,
  type Field,
  type Page,
} from '../spec/schema.ts';

/** How the page of an entity looks, and what it offers. */
export function drawPage(entity: Entity, { random, isLinked, targets }: Surroundings): Page {
  const layout = drawLayout(entity, random);
  const others = entity.fields.filter(({ id }) => id !== entity.title);
  const columns = drawColumns(entity, others, random);
  const sorts = others.filter(({ type }) => type === 'number' || type === 'date').map(({ id }) => id);
  const sorting = drawSorting({ layout, sorts, columns }, random);
  const filters = drawFilters(entity, { others, targets, random });
  const actions = random.pick(actionPlaces);
  const isTabbed = filters[0] === 'state' || others.find(({ id }) => id === filters[0])?.type === 'choice';
  const page: Page = {
    entity: entity.id,
    layout,
    columns,
    opening: random.pick(openings),
    editing: random.pick(editings),
    editable: drawEditable(entity, others, random),
    creation: random.chance(0.8)
      ? random.pick(creations.filter(style => style !== 'quick' || entity.fields.length < 5))
      : null,
    removable: !isLinked && random.chance(0.5),
    actions,
    gate: actions === 'row' ? random.pick(gates.filter(gate => gate !== 'refuse')) : random.pick(gates),
    search: random.pick([...searches, 'live', 'button']),
    filters,
    filterPlace: random.pick(isTabbed ? filterPlaces : filterPlaces.filter(place => place !== 'tabs')),
    sorting,
    sorts: sorting === 'headers' ? sorts.filter(id => columns.includes(id)) : sorts,
    pageSize: actions === 'row' ? random.between(4, 7) : random.between(5, 12),
    radios: random.chance(0.3),
    switches: random.chance(0.4),
    longLabels: random.chance(0.3),
  };
  // Where nothing can be searched for, records must not lie many pages away.
  return page.search === 'none' ? { ...page, pageSize: Math.max(page.pageSize, fewestShown) } : page;
}

const fewestShown = 9;

export interface Surroundings {
  readonly random: Random;
  /** Whether records of others are linked to this one, so that it is better kept. */
  readonly isLinked: boolean;
  /** How many records each entity has. */
  readonly targets: ReadonlyMap<string, number>;
}

function drawLayout({ workflow, records }: Entity, random: Random): Page['layout'] {
  const isBoard = workflow !== null && workflow.states.length <= 5 && records <= 16;
  return random.pick(isBoard ? ['table', 'list', 'cards', 'board'] : ['table', 'list', 'cards']);
}

function drawColumns({ workflow }: Entity, others: readonly Field[], random: Random): string[] {
  const fields = random.sample(others, random.between(1, 3)).map(({ id }) => id);
  return workflow !== null && random.chance(0.75) ? ['state', ...fields] : fields;
}

interface Sortable {
  readonly layout: Page['layout'];
  readonly sorts: readonly string[];
  readonly columns: readonly string[];
}

function drawSorting({ layout, sorts, columns }: Sortable, random: Random): Page['sorting'] {
  if (sorts.length === 0 || layout === 'board') return 'none';
  const byHeader = layout === 'table' && sorts.some(id => columns.includes(id));
  return random.pick(byHeader ? ['headers', 'headers', 'select', 'none'] : ['select', 'none']);
}

/** Links to more records than this make poor filters. */
const longestChoice = 12;

function drawFilters({ workflow }: Entity, { others, targets, random }: Filterable): string[] {
  const fitting = others.filter(
    field =>
      field.type === 'choice' ||
      field.type === 'flag' ||
      (field.type === 'link' && (targets.get(field.target) ?? 0) <= longestChoice),
  );
  const all = [...(workflow === null ? [] : ['state']), ...fitting.map(({ id }) => id)];
  return random.sample(all, random.pick([0, 1, 1, 2, 3]));
}

interface Filterable extends Pick<Surroundings, 'targets' | 'random'> {
  readonly others: readonly Field[];
}

function drawEditable({ title, inside }: Entity, others: readonly Field[], random: Random): string[] {
  const kept = others.filter(({ id }) => id !== inside && random.chance(0.85)).map(({ id }) => id);
  return random.chance(0.5) ? [title, ...kept] : kept;
}
