import { diff, invert, isCovered, memberName, patch, type Change } from './diff.ts';
import { isJsonObject, scalars, type Json, type JsonObject } from './json.ts';
import { covers, formatPath, isOnScreen, parsePath, type Segments } from './path.ts';
import type { Random } from './random.ts';

/** A state that is nearly right. A good verifier fails every one of them. */
export interface Mutant {
  /** Whether something asked for is missing or wrong, or something else was touched. */
  readonly kind: 'wrong' | 'side-effect';
  readonly what: string;
  readonly state: Json;
}

export interface MutationOptions {
  readonly initial: Json;
  readonly final: Json;
  readonly allow: readonly string[];
  readonly incidental: readonly string[];
  /** The task's parameters: values that an added record must carry. */
  readonly parameters: JsonObject;
  readonly random: Random;
}

export function stateMutants(options: MutationOptions): Mutant[] {
  const changes = diff(options.initial, options.final).filter(({ path }) => !isOnScreen(path));
  const allowed = options.allow.map(parsePath);
  // Records that only changed places have no value of their own to alter.
  const asked = changes.filter(change => change.op !== 'order' && isCovered(allowed, change));
  const places = { changes, changed: changes.map(({ path }) => parsePath(path)), leaves: leaves(options.final) };
  return [
    ...asked.flatMap(change => wrongMutants(change, options)),
    ...licenceMutants(places, options),
    ...sideEffectMutants(places, options),
  ];
}

/** The places of a state, and which of them the solution changed; found once for all mutants. */
interface Places {
  readonly changes: readonly Change[];
  readonly changed: readonly Segments[];
  readonly leaves: readonly Leaf[];
}

function wrongMutants(change: Change, { final, parameters }: MutationOptions): Mutant[] {
  const make = (what: string, edits: readonly Change[]): Mutant => ({
    kind: 'wrong',
    what,
    state: patch(final, edits),
  });
  const { path } = change;
  const mutants = [make(`${path} put back`, invert([change]))];
  if (change.op === 'replace') {
    const other = perturb(change.value);
    if (other !== undefined && !same(other, change.before)) {
      mutants.push(make(`${path} set to ${JSON.stringify(other)}`, [replacing(path, change.value, other)]));
    }
  }
  if (change.op === 'add' && isJsonObject(change.value)) {
    mutants.push(...recordMutants(path, change.value, { parameters, make }));
  }
  return mutants;
}

/** Uses every permission that the solution did not need: each of them is one too many. */
function licenceMutants({ changes, changed, leaves: all }: Places, options: MutationOptions): Mutant[] {
  const { final, allow, random } = options;
  const patterns = allow.map(parsePath);
  const [toAdd, toChange] = [
    patterns.filter(pattern => pattern.at(-1) === '+'),
    patterns.filter(pattern => pattern.at(-1) !== '+'),
  ];
  const unused = all.filter(
    leaf => toChange.some(pattern => covers(pattern, leaf.segments)) && isFree(leaf, { changed, ignored: [] }),
  );
  const used = new Set(
    changes.filter(({ op }) => op === 'add').map(({ path }) => formatPath(parsePath(path).slice(0, -1))),
  );
  return [
    ...random.sample(unused, mostLicences).flatMap(leaf => touching(leaf, final)),
    ...toAdd
      .map(pattern => formatPath(pattern.slice(0, -1)))
      .filter(table => !used.has(table))
      .flatMap(table => adding(table, final)),
  ];
}

const mostLicences = 20;

function touching({ segments, value }: Leaf, final: Json): Mutant[] {
  const other = perturb(value);
  if (other === undefined) return [];
  const path = formatPath(segments);
  const what = `${path} set to ${JSON.stringify(other)}`;
  return [{ kind: 'side-effect', what, state: patch(final, [replacing(path, value, other)]) }];
}

/** A twin of the first record of the table, or a bare one where there is none. */
function adding(table: string, final: Json): Mutant[] {
  let value: Json | undefined = final;
  for (const segment of parsePath(table)) value = isJsonObject(value) ? value[segment] : undefined;
  if (!Array.isArray(value)) return [];
  const [model] = value as readonly Json[];
  const record = { ...(isJsonObject(model) ? model : {}), id: 'twin' };
  const edit: Change = { op: 'add', path: `${table}/twin`, value: record };
  return [{ kind: 'side-effect', what: `a record added to ${table}`, state: patch(final, [edit]) }];
}

function replacing(path: string, before: Json, value: Json): Change {
  return { op: 'replace', path, before, value };
}

interface RecordMutation {
  readonly parameters: JsonObject;
  make(what: string, edits: readonly Change[]): Mutant;
}

function recordMutants(path: string, record: JsonObject, { parameters, make }: RecordMutation): Mutant[] {
  const mutants: Mutant[] = [];
  if (typeof record['id'] === 'string') {
    const id = `${record['id']}-twin`;
    const twin = formatPath(parsePath(path).with(-1, id));
    mutants.push(make(`${path} added twice`, [{ op: 'add', path: twin, value: { ...record, id } }]));
  }
  const given = new Set(scalars(parameters).map(String));
  for (const [key, value] of Object.entries(record)) {
    const other = perturb(value);
    if (key === 'id' || other === undefined || typeof value === 'object' || !given.has(String(value))) continue;
    const place = `${path}${formatPath([key])}`;
    mutants.push(make(`${place} set to ${JSON.stringify(other)}`, [replacing(place, value, other)]));
  }
  return mutants;
}

/** How many unrelated places to touch. */
const sideEffectCount = 4;

function sideEffectMutants({ changed, leaves: all }: Places, options: MutationOptions): Mutant[] {
  const { final, incidental, random } = options;
  const ignored = [...incidental, '/ui'].map(parsePath);
  const touched = new Set(changed.map(([table]) => table));
  const free = all.filter(leaf => isFree(leaf, { changed, ignored }));
  // Neighbours of what was changed first: that is where a loose pattern lets things slip.
  const near = random.sample(
    free.filter(({ segments }) => touched.has(segments[0])),
    Math.ceil(sideEffectCount / 2),
  );
  const far = random.sample(
    free.filter(({ segments }) => !touched.has(segments[0])),
    sideEffectCount - near.length,
  );
  return [...near, ...far].flatMap(leaf => touching(leaf, final));
}

function isFree({ segments }: Leaf, at: { changed: readonly Segments[]; ignored: readonly Segments[] }): boolean {
  if (segments.at(-1) === 'id') return false;
  if (at.ignored.some(pattern => covers(pattern, segments))) return false;
  return !at.changed.some(path => covers(path, segments));
}

interface Leaf {
  readonly segments: Segments;
  readonly value: Json;
}

/** Every scalar with its path, as a patch would name it. */
function leaves(value: Json, segments: Segments = []): Leaf[] {
  if (typeof value !== 'object' || value === null) return value === null ? [] : [{ segments, value }];
  const found: Leaf[] = [];
  for (const [key, child] of Object.entries(value) as [string, Json][]) {
    const name = Array.isArray(value) ? memberName(value, Number(key)) : key;
    if (name !== null) found.push(...leaves(child, [...segments, name]));
  }
  return found;
}

/** Another value of the same type; undefined when there is none. */
function perturb(value: Json): Json | undefined {
  if (typeof value === 'string') return `${value}~`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.slice(1);
  return undefined;
}

function same(left: Json, right: Json): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
