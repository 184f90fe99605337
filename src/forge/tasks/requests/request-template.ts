import { diff, patch, type Change } from '../../../core/diff.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { formatPath } from '../../../core/path.ts';
import type { Random } from '../../../core/random.ts';
import { onLine } from '../../../core/text.ts';
import { createScreen } from '../../../core/ui.ts';
import type { App } from '../../../worlds/app/app.ts';
import { isJoined } from '../../../worlds/joined/join-apps.ts';
import { drawn } from '../../../worlds/screen.ts';
import type { AppTemplate } from '../../../worlds/app/template.ts';
import { nameRecord } from '../../data/record-names.ts';
import { proseMember, readTables } from '../../data/tables.ts';
import { stateAfter, type TaskCall } from '../command-goal.ts';
import { asInstruction, forgeCall, goalOfCalls, type ForgedCall, type ForgeWorkshop } from '../command-template.ts';

const callsToTry = 24;

/**
 * Tasks whose instruction only names a record, and the record asks for something: a mail that asks for an issue in the
 * tracker. What to do stands nowhere else. Where apps are joined, the record is in one of them and the command in another.
 */
export function requestTemplate<S extends JsonObject>(workshop: ForgeWorkshop<S>): AppTemplate<S> {
  const { app, split } = workshop;
  return {
    id: 'request.forged',
    about: 'Forged request: a record asks for something; the instruction only names the record.',
    split,
    kind: 'feasible',
    steps: 45,
    kindOf: () => 'feasible',
    make(state, random) {
      for (let attempt = 0; attempt < callsToTry; attempt++) {
        const own = random.fork(`request ${attempt}`);
        const forged = forgeCall(workshop, own.pick(workshop.soloSamplers), { state, random: own });
        const staged = forged === null ? null : stageRequest(app, { state, forged, random: own.fork('asker') });
        if (forged === null || staged === null) continue;
        const { call, names } = forged;
        const calls = [{ command: call.command.name, input: call.input }];
        if (stateAfter(app, staged.state, calls) === null) continue;
        if (showsRequest(app, { state: staged.state, request: staged.request, name: staged.asker })) continue;
        return {
          parameters: {
            calls: calls as unknown as Json,
            names: { ...names, asker: staged.asker },
            told: staged.request,
          },
          instruction: staged.instruction,
          patch: staged.changes,
        };
      }
      return null;
    },
    goal(parameters, initial) {
      const calls = parameters['calls'] as unknown as readonly TaskCall[];
      const request = String(parameters['told']);
      const name = String((parameters['names'] as JsonObject)['asker']);
      return {
        kind: 'feasible',
        answer: null,
        shown: state => showsRequest(app, { state, request, name }),
        mustBeSeen: true,
        ...goalOfCalls(app, initial, calls),
      };
    },
  };
}

interface Staging<S extends JsonObject> {
  readonly state: S;
  readonly forged: ForgedCall<S>;
  readonly random: Random;
}

interface Request<S extends JsonObject> {
  readonly state: S;
  readonly changes: readonly Change[];
  readonly asker: string;
  readonly request: string;
  readonly instruction: string;
}

/** Writes the request into the prose of a record; null when no record can ask. */
function stageRequest<S extends JsonObject>(app: App<S>, { state, forged, random }: Staging<S>): Request<S> | null {
  const tables = readTables(state);
  const parts = isJoined(app) ? app.parts : [];
  const doer = parts.find(({ commands }) => commands.has(forged.call.command.name));
  const used = new Set(forged.call.members.flatMap(({ places }) => places.map(({ row }) => row)));
  const askers = [...tables.values()].flatMap(({ name, places }) => {
    const field = doer?.tables.has(name) === true ? null : proseMember(places);
    return field === null ? [] : places.filter(({ row }) => !used.has(row)).map(place => ({ place, field }));
  });
  if (askers.length === 0) return null;
  const { place, field } = random.pick(askers);
  const name = place.owner === null ? nameRecord(tables, place) : null;
  if (name === null || name.borrowedFrom !== null) return null;
  const request = asInstruction(forged.sentence, random.fork('frame'));
  const path = formatPath([place.table, place.row.id, field]);
  const staged = patch(state, [{ op: 'replace', path, before: place.row[field] as Json, value: request }]) as S;
  const where = doer === undefined ? '' : ` in ${doer.title}`;
  const instruction = random.pick([
    `The ${name.noun} "${name.text}" asks for something${where}. Do what it asks for.`,
    `Read the ${name.noun} "${name.text}" and do what it says${where}.`,
    `Somebody asks for something${where} in the ${name.noun} "${name.text}". See to it.`,
  ]);
  return { state: staged, changes: diff(state, staged as Json), asker: name.text, request, instruction };
}

interface Reading<S extends JsonObject> {
  readonly state: S;
  readonly request: string;
  readonly name: string;
}

/** A screen shows the request when it names the record and says all of it: a list that found it by a word does not. */
function showsRequest<S extends JsonObject>(app: App<S>, { state, request, name }: Reading<S>): boolean {
  const { text } = createScreen(drawn(app, state));
  return text.includes(name) && text.includes(onLine(request));
}
