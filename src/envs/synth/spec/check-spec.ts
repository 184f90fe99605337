import type { Effect, Entity, Field, LinkField, Need, Page, Spec, Transition } from './schema.ts';

/** What is wrong with a spec that has the right shape, each with the place it is at; empty when nothing is. */
export function findProblems(spec: Spec): string[] {
  const ids = new Set(spec.entities.map(({ id }) => id));
  return [
    ...repeated(spec.entities.map(({ id }) => id)).map(id => `entities: "${id}" stands twice`),
    ...repeated(spec.entities.map(({ table }) => table)).map(table => `entities: two have the table "${table}"`),
    ...alike(spec.entities.map(({ plural }) => plural)).map(label => `entities: two are called "${label}"`),
    ...spec.entities.flatMap(entity => entityProblems(spec, entity)),
    ...requiredCycle(spec.entities),
    ...spec.pages.flatMap((page, index) => pageProblems(spec, page, `pages[${index}]`)),
    ...repeated(spec.pages.map(({ entity }) => entity)).map(id => `pages: "${id}" has two`),
    ...repeated(spec.settings.map(({ id }) => id)).map(id => `settings: "${id}" stands twice`),
    ...alike(spec.settings.map(({ label }) => label)).map(label => `settings: two are called "${label}"`),
    ...(spec.start === 'home' || (ids.has(spec.start) && spec.pages.some(({ entity }) => entity === spec.start))
      ? []
      : [
          `start: there is no page "${spec.start}"; use "home" or one of ${spec.pages.map(({ entity }) => entity).join(', ')}`,
        ]),
  ];
}

/** Members of a state and of a record that are not for the spec to name. */
const reserved = { tables: ['ui', 'settings'], fields: ['id', 'state'] };

function entityProblems(spec: Spec, entity: Entity): string[] {
  const place = `entities.${entity.id}`;
  const title = entity.fields.find(({ id }) => id === entity.title);
  const problems = [
    ...repeated(entity.fields.map(({ id }) => id)).map(id => `${place}.fields: "${id}" stands twice`),
    ...alike([
      ...entity.fields.map(({ label }) => label),
      ...(entity.workflow === null ? [] : [entity.workflow.label]),
    ]).map(label => `${place}.fields: two are called "${label}", so nobody can tell them apart on a screen`),
    ...entity.fields
      .filter(({ id }) => reserved.fields.includes(id))
      .map(({ id }) => `${place}.fields: "${id}" is reserved; use another name`),
    ...entity.fields.flatMap(field => fieldProblems(spec, field, `${place}.fields.${field.id}`)),
    ...insideProblems(entity, place),
    ...workflowProblems(spec, entity, place),
  ];
  if (reserved.tables.includes(entity.table))
    problems.push(`${place}.table: "${entity.table}" is reserved; use another name`);
  if (title?.type !== 'text') problems.push(`${place}.title: "${entity.title}" is not a text field of it`);
  else if (varietyOf(title.values) < entity.records)
    problems.push(
      `${place}.records: ${entity.records} records, but "${title.id}" has only ${varietyOf(title.values)} different values; add values`,
    );
  if (title?.type === 'text' && !title.required)
    problems.push(`${place}.fields.${title.id}: the title must be required`);
  return problems;
}

function insideProblems({ inside, fields }: Entity, place: string): string[] {
  if (inside === null) return [];
  const link = fields.find(({ id }) => id === inside);
  return link?.type === 'link' && link.required ? [] : [`${place}.inside: "${inside}" is not a required link of it`];
}

function fieldProblems({ entities }: Spec, field: Field, place: string): string[] {
  if (field.type === 'number' && field.min > field.max) return [`${place}: min ${field.min} is above max ${field.max}`];
  if (field.type === 'date' && field.from > field.to) return [`${place}: from ${field.from} is after to ${field.to}`];
  if (field.type === 'choice') return alike(field.options).map(option => `${place}.options: "${option}" stands twice`);
  if (field.type !== 'link' || entities.some(({ id }) => id === field.target)) return [];
  return [
    `${place}: there is no entity "${field.target}"; the entities are ${entities.map(({ id }) => id).join(', ')}`,
  ];
}

function workflowProblems(spec: Spec, entity: Entity, place: string): string[] {
  const { workflow } = entity;
  if (workflow === null) return [];
  const at = `${place}.workflow`;
  if (workflow.states.length === 0 || workflow.transitions.length === 0)
    return [
      `${at}: it has no ${workflow.states.length === 0 ? 'states' : 'transitions'}; give some, or set workflow to null`,
    ];
  const unknown = (state: string): boolean => !workflow.states.includes(state);
  const problems = [
    ...alike(workflow.states).map(state => `${at}.states: "${state}" stands twice`),
    ...repeated(workflow.transitions.map(({ id }) => id)).map(id => `${at}.transitions: "${id}" stands twice`),
    ...alike(workflow.transitions.map(({ label }) => label)).map(
      label => `${at}.transitions: two are called "${label}"`,
    ),
    ...workflow.transitions.flatMap(transition => [
      ...[...transition.from, transition.to]
        .filter(unknown)
        .map(state => `${at}.transitions.${transition.id}: there is no state "${state}"`),
      ...conditionProblems(spec, { entity, transition }, `${at}.transitions.${transition.id}`),
    ]),
  ];
  if (unknown(workflow.initial)) return [...problems, `${at}.initial: there is no state "${workflow.initial}"`];
  const reached = reachable(entity, movedTo(spec, entity));
  const lost = workflow.states.filter(state => !reached.has(state));
  return [...problems, ...lost.map(state => `${at}.states: "${state}" cannot be reached from "${workflow.initial}"`)];
}

/** States that transitions of other entities bring this one into. */
function movedTo({ entities }: Spec, { id }: Entity): string[] {
  return entities.flatMap(other =>
    (other.workflow?.transitions ?? []).flatMap(({ effects }) =>
      effects.flatMap(effect => {
        const link = other.fields.find(field => field.id === effect.field);
        return effect.does === 'move' && link?.type === 'link' && link.target === id ? [effect.value] : [];
      }),
    ),
  );
}

function reachable({ workflow }: Entity, others: readonly string[]): ReadonlySet<string> {
  const reached = new Set([workflow?.initial ?? '', ...others]);
  for (const state of reached) {
    for (const { from, to } of workflow?.transitions ?? []) if (from.includes(state)) reached.add(to);
  }
  return reached;
}

interface Conditioned {
  readonly entity: Entity;
  readonly transition: Transition;
}

/** Needs and effects that name fields which are not there, or not of the right type. */
function conditionProblems(spec: Spec, { entity, transition }: Conditioned, place: string): string[] {
  return [...transition.needs, ...transition.effects].flatMap(condition => {
    const field = entity.fields.find(({ id }) => id === condition.field);
    if (field === undefined) return [`${place}: "${entity.id}" has no field "${condition.field}"`];
    const reason = misfit(spec, field, condition);
    return reason === null ? [] : [`${place}: "${field.id}" ${reason}`];
  });
}

function misfit(spec: Spec, field: Field, condition: Need | Effect): string | null {
  const kind = 'is' in condition ? condition.is : condition.does;
  if (kind === 'at-least' || kind === 'at-most' || kind === 'add')
    return field.type === 'number' ? null : 'is not a number';
  if (kind === 'in-state' || kind === 'move') {
    if (field.type !== 'link') return 'is not a link';
    const states = spec.entities.find(({ id }) => id === field.target)?.workflow?.states ?? [];
    const { value } = condition as { value: string };
    return states.includes(value) ? null : `is linked to "${field.target}", which has no state "${value}"`;
  }
  return 'does' in condition && condition.does === 'set' ? unfitValue(field, condition.value) : null;
}

function unfitValue(field: Field, value: string | number | boolean | null): string | null {
  if (value === null) return field.type === 'link' && field.required ? 'is required and cannot be emptied' : null;
  const fits = {
    text: typeof value === 'string',
    date: typeof value === 'string',
    number: typeof value === 'number',
    flag: typeof value === 'boolean',
    choice: field.type === 'choice' && field.options.includes(String(value)),
    link: false,
  }[field.type];
  return fits ? null : `cannot be set to ${JSON.stringify(value)}`;
}

/** Records that need each other before they are there could never be made. */
function requiredCycle(entities: readonly Entity[]): string[] {
  const required = new Map(entities.map(entity => [entity.id, entity.fields.filter(isRequiredLink)]));
  const walk = (id: string, path: readonly string[]): string[] | null => {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id];
    for (const { target } of required.get(id) ?? []) {
      const found = walk(target, [...path, id]);
      if (found !== null) return found;
    }
    return null;
  };
  for (const { id } of entities) {
    const cycle = walk(id, []);
    if (cycle !== null)
      return [`entities: required links go in a circle, ${cycle.join(' → ')}; make one of them optional`];
  }
  return [];
}

function isRequiredLink(field: Field): field is LinkField {
  return field.type === 'link' && field.required;
}

function pageProblems({ entities }: Spec, page: Page, place: string): string[] {
  const entity = entities.find(({ id }) => id === page.entity);
  if (entity === undefined) return [`${place}.entity: there is no entity "${page.entity}"`];
  const columns = new Set([...entity.fields.map(({ id }) => id), ...(entity.workflow === null ? [] : ['state'])]);
  const lists = { columns: page.columns, filters: page.filters, sorts: page.sorts, editable: page.editable };
  const unknown = Object.entries(lists).flatMap(([name, fields]) =>
    fields
      .filter(id => !columns.has(id) || (name === 'editable' && id === 'state'))
      .map(id => `${place}.${name}: "${entity.id}" has no field "${id}" to show here`),
  );
  const needsFlow = page.layout === 'board' && entity.workflow === null;
  return needsFlow ? [...unknown, `${place}.layout: a board needs a workflow`] : unknown;
}

function varietyOf(values: readonly (readonly string[])[]): number {
  return values.reduce((product, part) => product * new Set(part).size, 1);
}

/** Labels that stand twice: people do not tell them apart by capitals or spaces. */
function alike(labels: readonly string[]): string[] {
  const plain = labels.map(label => label.toLowerCase().replaceAll(/\s+/g, ' ').trim());
  return labels.filter((_, index) => plain.indexOf(plain[index] as string) !== index);
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
