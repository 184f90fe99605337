import { isCovered } from '../../../core/diff.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { parsePath } from '../../../core/path.ts';
import type { Random } from '../../../core/random.ts';
import type { AppTemplate } from '../../../worlds/app/template.ts';
import { nameRecord } from '../../data/record-names.ts';
import { tablesFor } from '../../data/tables-for.ts';
import { inWords, readTables } from '../../data/tables.ts';
import { strangeValues } from '../../inputs/strange-value.ts';
import type { SampledCall } from '../../inputs/try-call.ts';
import { collide, sayChain } from '../chain-template.ts';
import { stateAfter, type TaskCall } from '../command-goal.ts';
import { asInstruction, goalOfCalls, type ForgedCall, type ForgeWorkshop } from '../command-template.ts';
import { phraseCall } from '../../wording/phrase-call.ts';
import { dataChanges, explore, type WalkedCall } from './explore.ts';
import { readCall } from './read-call.ts';

interface WalkOptions {
  readonly id: string;
  readonly about: string;
  readonly changes: number;
}

const walks: readonly WalkOptions[] = [
  { id: 'walk.forged', about: 'Forged from a walk through the screens that changed data once.', changes: 1 },
  { id: 'long-walk.forged', about: 'Forged from a walk through the screens that changed data twice.', changes: 2 },
];

const walksToTry = 24;
const textsToType = 6;

/** Tasks that ask for what a walk through the screens has changed for good. */
export function walkTemplates<S extends JsonObject>(workshop: ForgeWorkshop<S>): AppTemplate<S>[] {
  return walks.map(options => walkTemplate(workshop, options));
}

function walkTemplate<S extends JsonObject>(
  workshop: ForgeWorkshop<S>,
  { id, about, changes }: WalkOptions,
): AppTemplate<S> {
  const { app, split, samplers, soloSamplers } = workshop;
  const commands = (changes === 1 ? soloSamplers : samplers).map(({ command }) => command.name);
  return {
    id,
    about,
    split,
    kind: 'feasible',
    steps: 15 + 15 * changes,
    kindOf: () => 'feasible',
    make(state, random) {
      const texts = namesIn(state, random.fork('texts'));
      const examples = createExamples(state);
      for (let attempt = 0; attempt < walksToTry; attempt++) {
        const own = random.fork(`walk ${attempt}`);
        // A walk that may do everything mostly does what stands on every screen.
        const allowed = new Set(own.fork('allowed').sample(commands, Math.ceil(commands.length / 2)));
        const walked = explore(app, { start: state, random: own, allowed, changes, texts, examples });
        const told = tellWalk(workshop, { state, walked, random: own, texts });
        if (told === null || told.length !== changes) continue;
        const calls = told.map(({ call }): TaskCall => ({ command: call.command.name, input: call.input }));
        const first = told[0] as ForgedCall<S>;
        const frame = own.fork('frame');
        return {
          parameters: { calls: calls as unknown as Json, names: told.map(({ names }) => names) },
          instruction: told.length === 1 ? asInstruction(first.sentence, frame) : sayChain(told, false, frame),
          patch: [],
        };
      }
      return null;
    },
    goal(parameters, initial) {
      const calls = parameters['calls'] as unknown as readonly TaskCall[];
      return { kind: 'feasible', answer: null, shown: null, ...goalOfCalls(app, initial, calls) };
    },
  };
}

/** Names of records, to search for and to fill in. */
function namesIn(state: JsonObject, random: Random): string[] {
  const tables = readTables(state);
  const places = [...tables.values()].flatMap(table => table.places);
  return random.sample(places, textsToType).flatMap(place => nameRecord(tables, place)?.text ?? []);
}

/** The texts that records have under the name of a field: of `plate`, those of all cars. */
function createExamples(state: JsonObject): (field: string) => readonly string[] {
  const rows = [...readTables(state).values()].flatMap(({ places }) => places.map(({ row }) => row));
  return field => {
    const wanted = field.toLowerCase().replace(/^new /, '');
    const texts = rows.flatMap(row =>
      Object.entries(row).flatMap(([key, value]) =>
        typeof value === 'string' && value !== '' && inWords(key) === wanted ? [value] : [],
      ),
    );
    return [...new Set(texts)];
  };
}

interface Walk<S extends JsonObject> {
  readonly state: S;
  /** Names of records that the walk may have typed into any field. */
  readonly texts: readonly string[];
  readonly walked: readonly WalkedCall<S>[];
  readonly random: Random;
}

/**
 * What a walk did, in words. Null when nothing lasts, when a part of it hides or undoes another one, when the same calls
 * without the walk lead elsewhere, or when a record in it has no name.
 */
function tellWalk<S extends JsonObject>(
  { app, phrasesFor }: ForgeWorkshop<S>,
  { state, walked, random, texts }: Walk<S>,
): ForgedCall<S>[] | null {
  const last = walked.at(-1);
  if (last === undefined || !isReproduced(app, state, walked)) return null;
  const told: ForgedCall<S>[] = [];
  for (const [index, step] of walked.entries()) {
    const command = app.commands.find(({ name }) => name === step.command);
    const call = command === undefined ? null : readCall(app, command, step);
    if (call === null || call.changes.some(({ op }) => op === 'order') || isMisplaced(call, texts)) return null;
    if (strangeValues(call, tablesFor(app, step.command, step.before)).length > 0) return null;
    const words = { tables: tablesFor(app, step.command, step.before), random: random.fork(`words ${index}`) };
    const phrase = phraseCall(call, { ...words, phrases: phrasesFor(step.command) });
    const forged = phrase === null ? null : { call, ...phrase };
    if (forged === null || told.some(earlier => collide(earlier, forged))) return null;
    told.push(forged);
  }
  return told;
}

/** Whether a name was typed where no record has it, such as the title of a book as its reader; or a text was emptied. */
function isMisplaced<S extends JsonObject>({ members, changes }: SampledCall<S>, texts: readonly string[]): boolean {
  const isEmptied = changes.some(change => change.op === 'replace' && change.value === '' && change.before !== '');
  const typed = members.filter(({ role, value }) => role === 'text' && texts.includes(String(value)));
  return isEmptied || typed.some(({ places }) => places.length === 0);
}

/** Whether the calls alone change the data as the walk did: all that it did is said by them. */
function isReproduced<S extends JsonObject>(
  app: ForgeWorkshop<S>['app'],
  state: S,
  walked: readonly WalkedCall<S>[],
): boolean {
  const after = stateAfter(app, state, walked);
  const last = walked.at(-1)?.after;
  if (after === null || last === undefined) return false;
  const changes = dataChanges(state, after);
  const isTask = changes.length > 0 && changes.every(({ op }) => op !== 'order');
  // Looking around may have changed something as well, such as the read flag of a message.
  const passing = app.incidental.map(parsePath);
  return isTask && dataChanges(after, last).every(change => isCovered(passing, change));
}
