import { invalidApp, type EspalierError } from '../../../core/errors.ts';
import type { Json } from '../../../core/json.ts';
import { readSpec } from '../spec/read-spec.ts';
import type { Field, Spec } from '../spec/schema.ts';
import { inferFields } from './infer-fields.ts';
import { inferWorkflow, keyOf, type RecordedStep } from './infer-workflow.ts';
import { findGroups, nounOf, type ShownRecord } from './record-groups.ts';

const mostEntities = 6;
const mostRecords = 40;

/**
 * Mines the spec of an app from recorded steps on somebody's pages: lists are entities, their texts are fields, what
 * buttons of records do is a workflow, and pages with a search field can be searched.
 */
export function mineSpec(steps: readonly RecordedStep[], name: string): Spec {
  const screens = [...new Set(steps.flatMap(({ screen, after }) => [screen, after]))];
  const groups = Map.groupBy(
    screens.flatMap(screen => findGroups(screen)),
    ({ label }) => nounOf(label),
  );
  const mined = [...groups]
    .map(([noun, shown]) => ({ noun, records: uniqueRecords(shown.flatMap(({ records }) => records)) }))
    .filter(({ records }) => records.length >= 2)
    .toSorted((left, right) => right.records.length - left.records.length)
    .slice(0, mostEntities);
  if (mined.length === 0) throw nothingToMine(name, screens.length);
  const parts = mined.map(({ noun, records }) => entityOf({ noun, records, steps, screens }));
  const title = /^page "(.+)"/.exec(screens[0] ?? '')?.[1] ?? name;
  const id = `mined-${keyOf(title).toLowerCase()}`;
  const spec = {
    id,
    title: title.slice(0, 60),
    about: `A made-up app, mined from a recording of "${title}".`.slice(0, 200),
    entities: parts.map(({ entity }) => entity),
    pages: parts.map(({ page }) => page),
    start: parts[0]?.entity.id ?? 'home',
  };
  return readSpec(spec as unknown as Json, `the spec mined from ${name}`);
}

interface Source {
  readonly noun: string;
  readonly records: readonly ShownRecord[];
  readonly steps: readonly RecordedStep[];
  readonly screens: readonly string[];
}

function entityOf({ noun, records, steps, screens }: Source) {
  const singular = noun.slice(0, 40);
  const plural = /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`;
  const id = keyOf(singular);
  const table = keyOf(plural).toLowerCase();
  const titles = records.map(({ title }) => title.slice(0, 120));
  const title: Field = { id: 'title', label: 'Title', type: 'text', required: true, values: [titles] };
  const fields = [title, ...inferFields(records)];
  const { workflow, removable } = inferWorkflow(steps, noun);
  const choices = fields.filter(({ type }) => type === 'choice').map(field => field.id);
  const canCreate = screens.some(
    screen => /textbox "/.test(screen) && /button "(?:Save|Add|Create|Post)\b/.test(screen),
  );
  return {
    entity: {
      id,
      table: table === 'settings' || table === 'ui' ? `${table}list` : table,
      singular,
      plural,
      title: 'title',
      fields,
      workflow,
      records: Math.min(mostRecords, titles.length),
    },
    page: {
      entity: id,
      columns: fields.slice(1, 4).map(field => field.id),
      editable: fields.filter(({ type }) => type !== 'text').map(field => field.id),
      creation: canCreate ? ('page' as const) : null,
      removable,
      search: screens.some(screen => /textbox "(?:Search|Find)/i.test(screen)) ? ('live' as const) : ('none' as const),
      filters: choices,
    },
  };
}

function uniqueRecords(records: readonly ShownRecord[]): ShownRecord[] {
  return [...new Map(records.map(record => [record.title.toLowerCase(), record])).values()];
}

function nothingToMine(name: string, screens: number): EspalierError {
  return invalidApp(
    `No app can be mined from ${name}: none of its ${screens} screens shows a list of two or more records.`,
    'Expected a run in pages that list records; collect more episodes with --student random.',
  );
}
