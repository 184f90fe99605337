import type { Json, JsonObject } from '../../../core/json.ts';
import type { App } from '../../../worlds/app/app.ts';
import type { AppCommand } from '../../../worlds/app/command.ts';
import { recordsWithId, type RecordPlace, type Tables } from '../../data/tables.ts';
import { tablesFor } from '../../data/tables-for.ts';
import type { DrawnMember } from '../../inputs/draw-input.ts';
import { inputMembers } from '../../inputs/members.ts';
import type { SampledCall } from '../../inputs/try-call.ts';
import { dataChanges, type WalkedCall } from './explore.ts';

/** Reads what the input of a call says, as if it had been sampled; null when its schema is no plain object. */
export function readCall<S extends JsonObject>(
  app: App<S>,
  command: AppCommand<S>,
  { input, before, after }: WalkedCall<S>,
): SampledCall<S> | null {
  const members = inputMembers(command);
  if (members === null) return null;
  const tables = tablesFor(app, command.name, before);
  const read: DrawnMember[] = [];
  for (const { key } of members) {
    const target = read.find(({ role }) => role === 'record')?.places[0] ?? null;
    read.push(readMember(tables, target, { key, value: input[key] }));
  }
  const said = read.filter(({ role }) => role !== 'left-out');
  return {
    members: read,
    given: input,
    texts: said.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
    command,
    input,
    after,
    changes: dataChanges(before, after),
  };
}

function readMember(
  tables: Tables,
  target: RecordPlace | null,
  { key, value }: { key: string; value: Json | undefined },
): DrawnMember {
  const member = (role: DrawnMember['role'], places: readonly RecordPlace[] = []): DrawnMember => ({
    key,
    role,
    value: value ?? null,
    places,
    source: null,
  });
  if (value === undefined || value === null || value === '') return member('left-out');
  if (typeof value === 'boolean') return member('flag');
  if (target !== null && JSON.stringify(target.row[key]) === JSON.stringify(value)) return member('kept');
  if (Array.isArray(value)) {
    const places = (value as readonly Json[]).flatMap(id => recordsWithId(tables, String(id)).slice(0, 1));
    return places.length === value.length && places.length > 0 ? member('records', places) : member('text');
  }
  const [place] = typeof value === 'string' ? recordsWithId(tables, value) : [];
  return place === undefined ? member('text') : member('record', [place]);
}
