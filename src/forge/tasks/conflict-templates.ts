import { diff, invert, patch, type Change } from '../../core/diff.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { formatPath, parsePath } from '../../core/path.ts';
import type { Random } from '../../core/random.ts';
import type { TaskKind } from '../../core/records.ts';
import { createScreen } from '../../core/ui.ts';
import type { App } from '../../kernel/app.ts';
import { drawn } from '../../kernel/screen.ts';
import type { AppTemplate, Goal } from '../../kernel/template.ts';
import { nameMember } from '../data/record-names.ts';
import { readTables, type RecordPlace } from '../data/tables.ts';
import { freshText } from '../inputs/fresh-values.ts';
import { withScreenOf } from './chain-template.ts';
import { valueAt } from './command-goal.ts';
import { asInstruction, forgeCall, goalOfCalls, type ForgedCall, type ForgeWorkshop } from './command-template.ts';

const callsToTry = 24;

/** A conflict between what an instruction expects and what the data say. */
interface Conflict<S extends JsonObject> {
  readonly id: string;
  readonly about: string;
  readonly kind: Exclude<TaskKind, 'feasible'>;
  /** The data with the conflict; null when this call allows none. */
  stage(state: S, forged: ForgedCall<S>, random: Random): S | null;
  /** What must hold although nothing is to be done, given the changes that make the conflict. */
  checks(changes: readonly Change[]): Goal<S>['checks'];
}

/** What was asked for is there already: whoever does it again spoils it. */
function alreadyDone<S extends JsonObject>(): Conflict<S> {
  return {
    id: 'already-done.forged',
    about: 'Forged conflict: what is asked for was done before. Half of the tasks are ordinary ones in the same words.',
    kind: 'already-done',
    stage: (state, { call }) => (call.changes.length <= 3 ? withScreenOf(state, call.after) : null),
    checks: changes =>
      changes.map(({ path, ...change }) => ({
        id: 'done-before',
        name: `${path} is as it was asked for`,
        test: final =>
          JSON.stringify(valueAt(final, parsePath(path))) ===
          ('value' in change ? JSON.stringify(change.value) : undefined),
      })),
  };
}

/** No record has the name that the instruction gives: it cannot be done. */
function missing<S extends JsonObject>(): Conflict<S> {
  return {
    id: 'missing-record.forged',
    about:
      'Forged conflict: the record that is named is not there. Half of the tasks are ordinary ones in the same words.',
    kind: 'infeasible',
    stage(state, { call, names }, random) {
      const place = call.members.find(({ role }) => role === 'record')?.places[0];
      return place === undefined ? null : renamed(state, place, { names, random });
    },
    checks: changes =>
      changes.flatMap(change => (change.op === 'replace' ? [namedCheck<S>(change.path, String(change.before))] : [])),
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

export function conflictTemplates<S extends JsonObject>(workshop: ForgeWorkshop<S>): AppTemplate<S>[] {
  return [alreadyDone<S>(), missing<S>()].map(conflict => conflictTemplate(workshop, conflict));
}

function conflictTemplate<S extends JsonObject>(workshop: ForgeWorkshop<S>, conflict: Conflict<S>): AppTemplate<S> {
  const { app, split } = workshop;
  const { id, about, kind } = conflict;
  const kindOf = (parameters: JsonObject): TaskKind => (parameters['conflict'] === undefined ? 'feasible' : kind);
  return {
    id,
    about,
    split,
    kind,
    steps: 30,
    kindOf,
    make(state, random) {
      const isTwin = random.chance(0.5);
      for (let attempt = 0; attempt < callsToTry; attempt++) {
        const own = random.fork(`conflict ${attempt}`);
        const sampler = own.pick(workshop.samplers);
        const forged = forgeCall(workshop, sampler, { state, random: own });
        if (forged === null || Object.keys(forged.names).length === 0 || !workshop.isShown(sampler)) continue;
        const staged = conflict.stage(state, forged, own.fork('stage'));
        if (staged === null) continue;
        const changes = diff(state, staged as Json);
        const { call, names, sentence } = forged;
        const calls = [{ command: call.command.name, input: call.input }];
        return {
          parameters: { calls, names, ...(isTwin ? {} : { conflict: changes as unknown as Json }) },
          instruction: asInstruction(sentence, own.fork('frame')),
          patch: isTwin ? [] : changes,
        };
      }
      return null;
    },
    goal(parameters, initial) {
      const changes = parameters['conflict'] as unknown as readonly Change[] | undefined;
      const calls = parameters['calls'] as unknown as Parameters<typeof goalOfCalls<S>>[2];
      if (changes === undefined)
        return { kind: 'feasible', answer: null, shown: null, ...goalOfCalls(app, initial, calls) };
      const texts = Object.values(parameters['names'] as JsonObject).flat() as string[];
      const shown = (state: S): boolean => showsDifference(app, { state, changes, texts });
      return { kind, checks: conflict.checks(changes), allow: [], answer: null, shown };
    },
  };
}

interface Evidence<S extends JsonObject> {
  readonly state: S;
  readonly changes: readonly Change[];
  readonly texts: readonly string[];
}

/** A screen is evidence when it names the record and would look different without the conflict. */
export function showsDifference<S extends JsonObject>(app: App<S>, { state, changes, texts }: Evidence<S>): boolean {
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
