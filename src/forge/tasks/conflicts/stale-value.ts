import { standsIn } from '../../../core/text.ts';
import { patch } from '../../../core/diff.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { formatPath } from '../../../core/path.ts';
import { nameRecord } from '../../data/record-names.ts';
import { readTables, type Row } from '../../data/tables.ts';
import { createFieldEvidence, formats, type ShownField } from '../../shown/shown-fields.ts';
import { valueAt } from '../../../core/value-at.ts';
import type { ForgeWorkshop } from '../command-template.ts';
import { memberNoun } from '../../wording/member-noun.ts';
import { quoted } from '../../wording/quoted.ts';
import { isAnsweredDifferently } from './answered-differently.ts';
import { taskCallOf, type Conflict, type StageRequest, type Staging } from './conflict-template.ts';

/** A member of the record that was changed since the instruction was written. */
interface StaleField extends ShownField {
  readonly id: string;
  readonly value: Json;
  /** What it was when the instruction was written. */
  readonly before: Json;
}

/** The record was changed since: what is asked for no longer applies, and whoever does it blindly is wrong. */
export function staleValue<S extends JsonObject>(workshop: ForgeWorkshop<S>): Conflict<S> {
  const { app } = workshop;
  return {
    id: 'stale-value.forged',
    about:
      'Forged conflict: the record was changed since, so that nothing is to be done. Half of the tasks are ordinary ones in the same words.',
    kind: 'already-done',
    stage: request => stageStale(workshop, request),
    goal({ initial, facts }) {
      const { table, field, format, id, value, before } = facts as unknown as StaleField;
      const path = formatPath([table, id, field]);
      return {
        checks: [
          {
            id: 'left-as-it-is',
            name: `${table} ${id} ${field} is as somebody has left it`,
            test: final => valueAt(final, [table, id, field]) === value,
          },
        ],
        shown: createFieldEvidence(app, initial, { table, field, format, ids: [id] }),
        told: call => isAnsweredDifferently(app, call, [{ op: 'replace', path, before, value }]),
      };
    },
  };
}

function stageStale<S extends JsonObject>(
  workshop: ForgeWorkshop<S>,
  { state, forged, random }: StageRequest<S>,
): Staging<S> | null {
  const place = forged.call.members.find(({ role }) => role === 'record')?.places[0];
  const tables = readTables(state);
  const name = place === undefined ? null : nameRecord(tables, place);
  if (place === undefined || name === null || place.owner !== null || name.borrowedFrom !== null) return null;
  const path = (field: string): string => formatPath([place.table, place.row.id, field]);
  const changed = new Set(forged.call.changes.map(change => change.path));
  const { fields: allFields, showsIn } = workshop.shownFields();
  const fields = allFields.filter(
    shown =>
      shown.table === place.table &&
      isPlain(place.row[shown.field]) &&
      !changed.has(path(shown.field)) &&
      showsIn(shown, place.row),
  );
  if (fields.length === 0) return null;
  const shown = random.pick(fields);
  const before = place.row[shown.field] as Json;
  const others = tables.get(place.table)?.places.flatMap(({ row }) => {
    const value = row[shown.field];
    const isVisible = isPlain(value) && showsIn(shown, { ...place.row, [shown.field]: value as Json } as Row);
    return isVisible && value !== before ? [value as Json] : [];
  });
  if (others === undefined || others.length === 0) return null;
  const value = random.pick(others);
  const staged = patch(state, [{ op: 'replace', path: path(shown.field), before, value }]) as S;
  const expected = quoted(formats[shown.format](before));
  const lowered = `${forged.sentence.charAt(0).toLowerCase()}${forged.sentence.slice(1)}`;
  const sentence = /[.!?]"$/.test(lowered) ? lowered : `${lowered}.`;
  // A record goes by one name in an instruction: CORE-41 here is not "Sort the changelog" there.
  const isCoded = name.code !== null && standsIn(sentence, name.code) && !standsIn(sentence, name.text);
  const called = isCoded ? name.code : `"${name.text}"`;
  const what = `the ${memberNoun(shown.field, before)} of the ${name.noun} ${called}`;
  const isMany = typeof before === 'string' && /[^su]s$/.test(memberNoun(shown.field, before));
  const instruction = random.pick([
    `If ${what} ${isMany ? 'are' : 'is'} still ${expected}, ${sentence} If somebody has changed it since, leave everything as it is.`,
    `When this was written, ${what} ${isMany ? 'were' : 'was'} ${expected}. If ${isMany ? 'they still are' : 'it still is'}, ${sentence} Otherwise change nothing.`,
  ]);
  const version = { instruction, calls: [taskCallOf(forged)] };
  const facts = { ...shown, id: place.row.id, value, before } as unknown as JsonObject;
  const names = { expected: formats[shown.format](before), [name.noun]: isCoded ? name.code : name.text };
  return { conflict: { ...version, state: staged }, twin: { ...version, state }, facts, names };
}

function isPlain(value: Json | undefined): boolean {
  return (typeof value === 'string' && value !== '' && !/["\n]/.test(value)) || typeof value === 'number';
}
