import type { Json } from '../../../core/json.ts';
import { invalidApp, type EspalierError } from '../../../core/errors.ts';
import { describeIssues } from '../../../core/records.ts';
import { findProblems } from './check-spec.ts';
import { specSchema, type Page, type Spec } from './schema.ts';

const mostTold = 5;

/** A spec that somebody wrote: its shape and its meaning are checked, and pages that are left out are plain ones. */
export function readSpec(given: Json, where: string): Spec {
  const parsed = specSchema.safeParse(withPages(given));
  if (!parsed.success) throw invalidSpec(where, `${describeIssues(parsed.error)}.`);
  const spec = parsed.data;
  const problems = findProblems(spec);
  if (problems.length === 0) return spec;
  const more = problems.length > mostTold ? `; and ${problems.length - mostTold} more` : '';
  throw invalidSpec(where, `${problems.slice(0, mostTold).join('; ')}${more}.`);
}

/** Entities without a page get one that shows and changes everything. */
function withPages(given: Json): Json {
  if (typeof given !== 'object' || given === null || Array.isArray(given) || 'pages' in given) return given;
  const { entities } = given as { entities?: Json };
  if (!Array.isArray(entities)) return given;
  return { ...(given as object), pages: entities.filter(isAlone).map(plainPage) } as unknown as Json;
}

function isAlone(entity: Json): boolean {
  return typeof entity === 'object' && entity !== null && ((entity as { inside?: Json }).inside ?? null) === null;
}

function plainPage(entity: Json): Partial<Page> {
  const { id, fields, title, workflow } = entity as { id?: Json; fields?: Json; title?: Json; workflow?: Json };
  const known = (Array.isArray(fields) ? fields : []) as { id: string; type: string }[];
  const others = known.map(field => field.id).filter(field => field !== title);
  const state = (workflow ?? null) === null ? [] : ['state'];
  const ofType = (...types: string[]): string[] =>
    known.filter(({ type }) => types.includes(type)).map(field => field.id);
  return {
    entity: String(id),
    columns: [...state, ...others.slice(0, 3)],
    editable: known.map(field => field.id),
    creation: 'page',
    filters: [...state, ...ofType('choice', 'flag')],
    sorting: 'select',
    sorts: ofType('number', 'date'),
  };
}

function invalidSpec(where: string, reason: string): EspalierError {
  return invalidApp(
    `The spec ${where} cannot be used: ${reason}`,
    'Expected a spec as `espalier synth <seed>` prints one.',
  );
}
