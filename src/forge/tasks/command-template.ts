import { diff } from '../../core/diff.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { createRandom, type Random } from '../../core/random.ts';
import { standsIn } from '../../core/text.ts';
import type { Split } from '../../core/records.ts';
import type { App } from '../../worlds/app/app.ts';
import type { AppTemplate } from '../../worlds/app/template.ts';
import type { InputSampler } from '../inputs/input-sampler.ts';
import { tryCall, type SampledCall } from '../inputs/try-call.ts';
import { tablesFor } from '../data/tables-for.ts';
import { nameMember, nameRecord } from '../data/record-names.ts';
import type { Tables } from '../data/tables.ts';
import { formats, type ShownFields } from '../shown/shown-fields.ts';
import { phraseCall } from '../wording/phrase-call.ts';
import { goalOfDifference, stateAfter, type TaskCall } from './command-goal.ts';

/** What forged templates of one app share. */
export interface ForgeWorkshop<S extends JsonObject> {
  readonly app: App<S>;
  readonly split: Split;
  readonly samplers: readonly InputSampler<S>[];
  /** Those whose command a task may ask for by itself. */
  readonly soloSamplers: readonly InputSampler<S>[];
  /** The state as other people have left it, so that this command is more likely to be possible. */
  aged(state: S, sampler: InputSampler<S>, random: Random): S;
  /** The seeded data from which the forge learns about the app: always the same. */
  worlds(): readonly S[];
  phrasesFor(command: string): readonly string[];
  /** Whether some screen looks different after a call of the command: only then can anybody tell that it was made. */
  isShown(sampler: InputSampler<S>): boolean;
  /** The members of records that screens show. */
  shownFields(): ShownFields;
  /** The lists of options that screens offer. */
  shownOptions(): readonly (readonly string[])[];
}

export interface ForgedCall<S extends JsonObject> {
  readonly call: SampledCall<S>;
  readonly sentence: string;
  readonly names: JsonObject;
}

const roundsToForge = 8;
const callsToTry = 4;
/** How often a world is aged although the command would do without. */
const agedShare = 0.15;

/** A sentence as an instruction; null where it does not do. */
export type Frame = (sentence: string, random: Random) => string | null;

/** A family of tasks: each asks for one call of a command, whose input comes from the seeded data. */
export function commandTemplate<S extends JsonObject>(
  workshop: ForgeWorkshop<S>,
  sampler: InputSampler<S>,
  frame: Frame = asInstruction,
): AppTemplate<S> {
  const { app, split } = workshop;
  const { name, about } = sampler.command;
  return {
    id: `${name.replaceAll('_', '-')}.forged`,
    about: `Forged from the command ${name}: ${about}`,
    split,
    kind: 'feasible',
    steps: 30,
    kindOf: () => 'feasible',
    make(state, random) {
      for (let round = 0; round < roundsToForge; round++) {
        const own = random.fork(`round ${round}`);
        const isAged = round % 2 === 1 || own.chance(agedShare);
        const start = isAged ? workshop.aged(state, sampler, own.fork('age')) : state;
        const forged = forgeCall(workshop, sampler, { state: start, random: own });
        const instruction = forged === null ? null : frame(forged.sentence, own.fork('frame'));
        if (forged === null || instruction === null) continue;
        const { call, names } = forged;
        return {
          parameters: { input: call.input, names },
          instruction,
          patch: diff(state, start as Json),
        };
      }
      return null;
    },
    whyNone: state => whyNoCall(workshop, sampler, state),
    goal(parameters, initial) {
      const call = { command: name, input: parameters['input'] as JsonObject };
      return { kind: 'feasible', answer: null, shown: null, ...goalOfCalls(app, initial, [call]) };
    },
  };
}

/** Samples a call and says it in words; null when this state offers none. */
export function forgeCall<S extends JsonObject>(
  { app, phrasesFor, shownFields }: ForgeWorkshop<S>,
  sampler: InputSampler<S>,
  { state, random }: { state: S; random: Random },
): ForgedCall<S> | null {
  const tables = tablesFor(app, sampler.command.name, state);
  for (let attempt = 0; attempt < callsToTry; attempt++) {
    const own = random.fork(`call ${attempt}`);
    const call = sampler.sample(state, own);
    if (call === null) return null;
    const words = { tables, random: own.fork('words'), phrases: phrasesFor(sampler.command.name) };
    const phrase =
      phraseCall(call, { ...words, tables: withoutChanging(tables, call) }) ??
      phraseCall(call, { ...words, tables: withTelling(tables, shownFields(), call) }) ??
      phraseCall(call, words);
    if (phrase !== null) return { call, ...phrase };
  }
  return null;
}

/**
 * Whether a state tells that the call was made. Two trainers that were swapped, or a date that was put off by a week, look
 * like two others: who finds them so cannot know. Then a second call changes the same members again, to values not said.
 */
export function leavesTrace<S extends JsonObject>(app: App<S>, { call, sentence }: ForgedCall<S>): boolean {
  const again = tryCall(app, { command: call.command, state: call.after, drawn: call });
  const changed = new Set('call' in again ? again.call.changes.map(({ path }) => path) : []);
  return call.changes.some(({ path, ...change }) => {
    if (change.op !== 'replace' || !changed.has(path) || typeof change.value === 'boolean') return true;
    return standsIn(sentence, String(change.value));
  });
}

function changedMembers(changes: SampledCall<JsonObject>['changes']): ReadonlySet<string> {
  return new Set(changes.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)));
}

/** Tables whose records do not go by others to which the call makes them point: "the plot of Ada" may be Bo's then. */
function withoutChanging<S extends JsonObject>(tables: Tables, { changes }: SampledCall<S>): Tables {
  const changing = changedMembers(changes.filter(({ op }) => op === 'replace'));
  return new Map([...tables].map(([name, table]) => [name, { ...table, changing }]));
}

/** Tables whose records go by what screens show of them, where they have no name: by nothing that the call changes. */
function withTelling<S extends JsonObject>(
  tables: Tables,
  { fields }: ShownFields,
  { changes }: SampledCall<S>,
): Tables {
  const changed = changedMembers(changes);
  return new Map(
    [...tables].map(([name, table]) => {
      const telling = fields
        .filter(shown => shown.table === name && !changed.has(shown.field) && nameMember(tables, table) === null)
        .map(({ field, format }) => ({ field, write: formats[format] }));
      return [name, { ...table, telling, changing: changed, known: {} }];
    }),
  );
}

/** Why a command gives no task in some data. */
function whyNoCall<S extends JsonObject>(workshop: ForgeWorkshop<S>, sampler: InputSampler<S>, state: S): string {
  const { name } = sampler.command;
  const call = sampler.sample(state, createRandom(`why ${name}`));
  if (call === null)
    return `No input was found that ${name} accepts and that changes data. Describe its members, with an example ("such as b1") or z.enum.`;
  const tables = withTelling(tablesFor(workshop.app, name, state), workshop.shownFields(), call);
  const places = call.members.flatMap(member => member.places);
  const nameless = places.find(place => nameRecord(tables, place) === null);
  if (nameless === undefined)
    return `What ${name} needs cannot be said in a sentence: a text has quotation marks or line breaks.`;
  return `An instruction cannot tell the records of ${nameless.table} apart: give them a name, or let screens show members that differ.`;
}

/** The goal of some calls; one that nothing meets when they cannot be made in this state. */
export function goalOfCalls<S extends JsonObject>(app: App<S>, initial: S, calls: readonly TaskCall[]) {
  const wanted = stateAfter(app, initial, calls);
  if (wanted !== null) return goalOfDifference(initial, wanted);
  return { checks: [{ id: 'calls-possible', name: 'the calls can be made', test: () => false }], allow: [] };
}

const frames: readonly ((sentence: string) => string)[] = [
  sentence => sentence,
  sentence => sentence,
  sentence => sentence,
  sentence => `Please ${lowered(sentence)}`,
  sentence => `Your task: ${lowered(sentence)}`,
];

/** A sentence as an instruction. */
export function asInstruction(sentence: string, random: Random): string {
  const frame = random.pick(frames);
  // Only what starts with a verb can be asked for with "please".
  const framed = /^(?:In|On|At|From|For|With|After|Before|If|When|New) /.test(sentence) ? sentence : frame(sentence);
  return /[.!?]"?$/.test(framed) ? framed : `${framed}.`;
}

function lowered(sentence: string): string {
  return /^\p{Lu}\p{Ll}/u.test(sentence) ? `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}` : sentence;
}
