import { diff, patch, type Change } from '../../../core/diff.ts';
import type { EpisodeRecord } from '../../../core/episode/record.ts';
import { EspalierError } from '../../../core/errors.ts';
import { isJsonObject, scalars, type Json } from '../../../core/json.ts';
import { formatPath, parsePath } from '../../../core/path.ts';
import type { Ending } from '../../../core/records.ts';
import type { Trace } from '../trace.ts';
import type { ForkWorld } from '../signal.ts';

/** Changes that are enough to pass: made to the first state, without any others, they give the verdict. */
export interface Way {
  // `/orders/*/total`, whatever the order; `-/orders/*` for one that is gone.
  readonly fields: readonly string[];
  /** Ids of the records changed and values written, in lower case. */
  readonly texts: readonly string[];
  /** The step that first changed one of the fields. */
  readonly node: number;
}

/** States with more changed fields are not taken apart. */
const mostFields = 40;
const longestText = 80;
const mostTexts = 40;

/**
 * The ways by which the state of a passing run passes. None where the first state passes as well (the answer decides), or where the
 * state alone does not say why.
 */
export function waysOf(episode: EpisodeRecord, { main }: Trace, world: ForkWorld): readonly Way[] {
  const first = world.at(0).state();
  const changes = diff(first, world.at(episode.end.leaf).state());
  const byField = Map.groupBy(changes, change => fieldOf(change, first));
  const fields = [...byField.keys()];
  if (fields.length === 0 || fields.length > mostFields) return [];
  const ending = endingOf(main.at(-1)?.action);
  const suffices = (some: readonly string[]): boolean => {
    const own = changes.filter(change => some.includes(fieldOf(change, first)));
    return passesWith(world, patched(first, own), ending);
  };
  if (suffices([]) || !suffices(fields)) return [];
  const alone = fields.filter(field => suffices([field])).map(field => [field]);
  const found = alone.length > 0 ? alone : [shrunk(fields, suffices), shrunk(fields.toReversed(), suffices)];
  const nodes = firstNodes({ main, world, first });
  return found.map(own => ({
    fields: own.toSorted(),
    texts: textsOf(own.flatMap(field => byField.get(field) ?? [])),
    node: Math.min(...own.map(field => nodes.get(field) ?? Infinity), episode.end.leaf),
  }));
}

/** Leaves out one field after another, as long as the rest passes. */
function shrunk(fields: readonly string[], suffices: (some: readonly string[]) => boolean): readonly string[] {
  return fields.reduce<readonly string[]>((kept, field) => {
    const rest = kept.filter(one => one !== field);
    return suffices(rest) ? rest : kept;
  }, fields);
}

/** The path of a change with `*` for members of tables and for members that were not there at first. */
function fieldOf({ path, op }: Change, first: Json): string {
  let here: Json | undefined = first;
  const segments = parsePath(path).map(segment => {
    const parent: Json | undefined = here;
    here = memberOf(parent, segment);
    return Array.isArray(parent) || here === undefined ? '*' : segment;
  });
  return `${op === 'remove' ? '-' : ''}${formatPath(segments)}`;
}

function memberOf(parent: Json | undefined, segment: string): Json | undefined {
  if (Array.isArray(parent))
    return parent.find(item => isJsonObject(item) && item['id'] === segment) ?? parent[Number(segment)];
  return isJsonObject(parent) && Object.hasOwn(parent, segment) ? parent[segment] : undefined;
}

/** The first state with some of the changes; null where these cannot be made without the others. */
function patched(first: Json, changes: readonly Change[]): Json | null {
  try {
    return patch(first, changes);
  } catch (cause) {
    if (cause instanceof EspalierError) return null;
    throw cause;
  }
}

function passesWith({ verifier }: ForkWorld, state: Json | null, ending: Ending | null): boolean {
  return state !== null && verifier.verify(state, ending).pass;
}

function endingOf(action: Trace['main'][number]['action'] | undefined): Ending | null {
  if (action?.kind !== 'finish') return null;
  return { answer: action.answer ?? null, infeasible: action.infeasible === true };
}

interface Played extends Pick<Trace, 'main'> {
  readonly world: ForkWorld;
  readonly first: Json;
}

/** For every field the step that first changed it. */
function firstNodes({ main, world, first }: Played): ReadonlyMap<string, number> {
  const nodes = new Map<string, number>();
  let before = first;
  for (const step of main) {
    if (step.before === step.after) continue;
    const after = world.at(step.id).state();
    for (const change of diff(before, after)) {
      const field = fieldOf(change, first);
      if (!nodes.has(field)) nodes.set(field, step.id);
    }
    before = after;
  }
  return nodes;
}

function textsOf(changes: readonly Change[]): readonly string[] {
  const texts = changes.flatMap(change => [...parsePath(change.path), ...valuesOf(change)]);
  return [...new Set(texts.map(text => text.toLowerCase().slice(0, longestText)))].slice(0, mostTexts);
}

function valuesOf(change: Change): readonly string[] {
  if (change.op === 'remove') return [];
  return scalars(change.value as Json).map(String);
}
