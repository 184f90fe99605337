import { diff, invert, patch, type Change } from '../../../core/diff.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { formatPath, parsePath } from '../../../core/path.ts';
import type { Random } from '../../../core/random.ts';
import { createScreen } from '../../../core/ui.ts';
import type { App } from '../../../worlds/app/app.ts';
import { drawn } from '../../../worlds/screen.ts';
import type { Goal } from '../../../worlds/app/template.ts';
import { nameMember } from '../../data/record-names.ts';
import { readTables, type RecordPlace } from '../../data/tables.ts';
import { freshText } from '../../inputs/fresh-values.ts';
import { withScreenOf } from '../chain-template.ts';
import { valueAt } from '../../../core/value-at.ts';
import { asInstruction, leavesTrace, type ForgeWorkshop } from '../command-template.ts';
import { isAnsweredDifferently } from './answered-differently.ts';
import { taskCallOf, type Conflict, type StageRequest, type Staging } from './conflict-template.ts';

const mostDoneBefore = 3;

/** What was asked for is there already: whoever does it again spoils it. */
export function alreadyDone<S extends JsonObject>({ app }: ForgeWorkshop<S>): Conflict<S> {
  return {
    id: 'already-done.forged',
    about: 'Forged conflict: what is asked for was done before. Half of the tasks are ordinary ones in the same words.',
    kind: 'already-done',
    stage(request) {
      const { state, forged } = request;
      const { changes, after } = forged.call;
      return changes.length <= mostDoneBefore && leavesTrace(app, forged)
        ? inSameWords(request, withScreenOf(state, after))
        : null;
    },
    goal: ({ facts, texts }) => {
      const changes = changesIn(facts);
      return {
        checks: changes.map(doneCheck<S>),
        shown: state => showsDifference(app, { state, changes, texts }),
        told: call => isAnsweredDifferently(app, call, changes),
      };
    },
  };
}

function doneCheck<S extends JsonObject>({ path, ...change }: Change): Goal<S>['checks'][number] {
  const wanted = 'value' in change ? JSON.stringify(change.value) : undefined;
  return {
    id: 'done-before',
    name: `${path} is as it was asked for`,
    test: final => JSON.stringify(valueAt(final, parsePath(path))) === wanted,
  };
}

/** No record has the name that the instruction gives: it cannot be done. */
export function missingRecord<S extends JsonObject>({ app }: ForgeWorkshop<S>): Conflict<S> {
  return {
    id: 'missing-record.forged',
    about:
      'Forged conflict: the record that is named is not there. Half of the tasks are ordinary ones in the same words.',
    kind: 'infeasible',
    stage(request) {
      const { state, forged, random } = request;
      const place = forged.call.members.find(({ role }) => role === 'record')?.places[0];
      const staged = place === undefined ? null : renamed(state, place, { names: forged.names, random });
      return staged === null ? null : inSameWords(request, staged);
    },
    goal: ({ facts, texts }) => {
      const changes = changesIn(facts);
      const checks = changes.flatMap(change =>
        change.op === 'replace' ? [namedCheck<S>(change.path, String(change.before))] : [],
      );
      return {
        checks,
        shown: state => showsDifference(app, { state, changes, texts }),
        told: call => isAnsweredDifferently(app, call, changes),
      };
    },
  };
}

/** A check that can never hold, so that a search for a way to do it all the same has a goal. */
function namedCheck<S extends JsonObject>(path: string, name: string): Goal<S>['checks'][number] {
  return {
    id: 'record-is-there',
    name: `a record is called "${name}"`,
    test: final => valueAt(final, parsePath(path)) === name,
  };
}

/** The same instruction and calls on the data with the conflict, and on the data as they are. */
function inSameWords<S extends JsonObject>({ state, forged, random }: StageRequest<S>, staged: S): Staging<S> {
  const version = {
    instruction: asInstruction(forged.sentence, random.fork('frame')),
    calls: [taskCallOf(forged)],
  };
  const facts = { changes: diff(state, staged as Json) as unknown as Json };
  return { conflict: { ...version, state: staged }, twin: { ...version, state }, facts };
}

function changesIn(facts: JsonObject): readonly Change[] {
  return facts['changes'] as unknown as readonly Change[];
}

/** The state in which the record is called differently; null when the instruction does not name it by its own text. */
function renamed<S extends JsonObject>(
  state: S,
  { table, row, owner }: RecordPlace,
  { names, random }: { names: JsonObject; random: Random },
): S | null {
  const tables = readTables(state);
  const known = tables.get(table);
  const key = known === undefined ? null : nameMember(tables, known);
  const before = key === null ? undefined : row[key];
  if (owner !== null || key === null || typeof before !== 'string' || !Object.values(names).includes(before))
    return null;
  const value = freshText(key, known?.places.map(place => String(place.row[key])) ?? [], random);
  return patch(state, [{ op: 'replace', path: formatPath([table, row.id, key]), before, value }]) as S;
}

interface Evidence<S extends JsonObject> {
  readonly state: S;
  readonly changes: readonly Change[];
  readonly texts: readonly string[];
}

/** A screen is evidence when it names the record and would look different without the conflict. */
function showsDifference<S extends JsonObject>(app: App<S>, { state, changes, texts }: Evidence<S>): boolean {
  const textOf = (shown: S): string => createScreen(drawn(app, shown)).text;
  const now = textOf(state);
  if (!texts.some(text => now.toLowerCase().includes(text.toLowerCase()))) return false;
  try {
    return textOf(patch(state, invert(changes)) as S) !== now;
  } catch {
    // Something else was changed meanwhile: this state is no evidence of how things stood.
    return false;
  }
}
