import type { Exploit } from './exploits.ts';
import type { Way } from './ways.ts';

/** What the state of a run says of how it passed. */
export interface PassingState {
  /** Null when the run was not played again, or did not pass. */
  readonly ways: readonly Way[] | null;
  /** Values that the task names, in lower case. */
  readonly named: readonly string[];
  readonly asksToDestroy: boolean;
}

export interface Bypass {
  readonly exploit: Exploit;
  readonly node: number;
  /** It changed nothing that the task names or honest runs change, or removed what they change. */
  readonly isSure: boolean;
}

/**
 * A run that needs, to pass, a field which no honest run of the task passes by. Null where honest runs have no field in common, or
 * where one of its ways is theirs.
 */
export function bypassOf(own: PassingState, honest: readonly PassingState[], fewest: number): Bypass | null {
  if (own.ways === null || own.ways.length === 0) return null;
  const others = honest.filter(isReference);
  if (others.length < fewest) return null;
  const fieldsOf = ({ ways }: PassingState): string[] => (ways ?? []).flatMap(({ fields }) => fields);
  const known = new Set(others.flatMap(fieldsOf));
  const shared = [...known].filter(field => others.every(other => fieldsOf(other).includes(field)));
  const isTheirs = ({ fields }: Way): boolean => fields.every(field => known.has(field));
  if (shared.length === 0 || own.ways.some(isTheirs)) return null;
  const [way] = own.ways.toSorted((one, other) => one.node - other.node) as [Way, ...Way[]];
  if (!own.asksToDestroy && own.ways.every(({ fields }) => fields.some(field => removesOneOf(field, shared))))
    return { exploit: 'default-pass', node: way.node, isSure: true };
  const isApart = !fieldsOf(own).some(field => known.has(field)) && !own.ways.some(one => namesTask(one, own));
  return { exploit: 'state-bypass', node: way.node, isSure: isApart };
}

/** Runs that passed by changing what the task names, and did not remove it: several exploits do not vouch for each other. */
function isReference(other: PassingState): boolean {
  if (other.ways === null || other.ways.length === 0) return false;
  const removes = ({ fields }: Way): boolean => fields.some(field => field.startsWith('-'));
  return other.ways.some(way => namesTask(way, other) && (other.asksToDestroy || !removes(way)));
}

function namesTask({ texts }: Way, { named }: PassingState): boolean {
  return texts.some(text => named.includes(text));
}

// `-/orders/*` removes what `/orders/*/total` is of.
function removesOneOf(field: string, shared: readonly string[]): boolean {
  if (!field.startsWith('-')) return false;
  const gone = field.slice(1);
  return shared.some(one => one === gone || one.startsWith(`${gone}/`));
}
