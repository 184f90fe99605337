import { patch } from '../../../core/diff.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { formatPath } from '../../../core/path.ts';
import { pluralOf } from '../../../core/text.ts';
import { nameMember } from '../../data/record-names.ts';
import { readTables, type RecordPlace } from '../../data/tables.ts';
import { formats, type ShownField } from '../../shown/shown-fields.ts';
import { stateAfter } from '../command-goal.ts';
import { asInstruction, type ForgeWorkshop } from '../command-template.ts';
import { memberNoun } from '../../wording/member-noun.ts';
import { quoted } from '../../wording/quoted.ts';
import { taskCallOf, type Conflict, type StageRequest, type Staging } from './conflict-template.ts';

/** Two records have the name: another member tells which one is meant. Whoever takes the first one may be wrong. */
export function duplicateName<S extends JsonObject>(workshop: ForgeWorkshop<S>): Conflict<S> {
  return {
    id: 'duplicate-name.forged',
    about:
      'Forged conflict: two records have the name, and another member tells which one is meant. In half of the tasks there is only one.',
    kind: 'feasible',
    stage: request => stageDuplicate(workshop, request),
    goal: null,
  };
}

function stageDuplicate<S extends JsonObject>(workshop: ForgeWorkshop<S>, request: StageRequest<S>): Staging<S> | null {
  const { state, forged, random } = request;
  const place = forged.call.members.find(({ role }) => role === 'record')?.places[0];
  const tables = readTables(state);
  const table = place === undefined ? undefined : tables.get(place.table);
  const key = table === undefined ? null : nameMember(tables, table);
  const name = key === null ? undefined : place?.row[key];
  if (place === undefined || place.owner !== null || key === null || typeof name !== 'string') return null;
  if (!Object.values(forged.names).includes(name)) return null;
  const other = pickOther(request, { place, places: table?.places ?? [] });
  const { fields, showsIn } = workshop.shownFields();
  const telling = fields.filter(
    shown =>
      other !== null && tellsApart(shown, place, other) && showsIn(shown, place.row) && showsIn(shown, other.row),
  );
  if (other === null || telling.length === 0) return null;
  const { field, format } = random.pick(telling);
  const path = formatPath([place.table, other.row.id, key]);
  const staged = patch(state, [{ op: 'replace', path, before: other.row[key] as Json, value: name }]) as S;
  const calls = [taskCallOf(forged)];
  if (stateAfter(workshop.app, staged, calls) === null) return null;
  const value = formats[format](place.row[field] as Json);
  const noun = table?.noun ?? 'record';
  const first = asInstruction(forged.sentence, random.fork('frame'));
  const which = `the one whose ${memberNoun(field, place.row[field])} is ${quoted(value)}`;
  const several = pluralOf(noun);
  const instruction = random.pick([
    `${first} If there are two ${several} called "${name}", ${which} is meant.`,
    `${first} Should several ${several} be called "${name}", take ${which}.`,
  ]);
  const version = { instruction, calls };
  const facts = { duplicate: other.row.id };
  return { conflict: { ...version, state: staged }, twin: { ...version, state }, facts, names: { [field]: value } };
}

/** A record of the table that the call has nothing to do with. */
function pickOther<S extends JsonObject>(
  { forged, random }: StageRequest<S>,
  { place, places }: { place: RecordPlace; places: readonly RecordPlace[] },
): RecordPlace | null {
  const used = new Set(forged.call.members.flatMap(member => member.places.map(({ row }) => row.id)));
  const touched = forged.call.changes.map(({ path }) => path);
  const free = places.filter(
    ({ row }) =>
      row !== place.row &&
      !used.has(row.id) &&
      !touched.some(path => path.startsWith(`${formatPath([place.table, row.id])}/`)),
  );
  return free.length === 0 ? null : random.pick(free);
}

function tellsApart({ table, field, format }: ShownField, place: RecordPlace, other: RecordPlace): boolean {
  if (table !== place.table) return false;
  const [own, theirs] = [place.row[field], other.row[field]];
  if (own === null || own === undefined || own === '' || theirs === null || theirs === undefined) return false;
  return formats[format](own) !== formats[format](theirs) && !/["\n]/.test(String(own));
}
