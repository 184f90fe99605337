import type { JsonObject } from '../../core/json.ts';
import { createRandom } from '../../core/random.ts';
import type { App } from '../../worlds/app/app.ts';
import type { AppCommand } from '../../worlds/app/command.ts';
import type { Tables } from '../data/tables.ts';
import { tablesFor } from '../data/tables-for.ts';
import { choicesInState, listedChoices } from './choices.ts';
import { drawInput, recordKeysOf, type DrawnInput } from './draw-input.ts';
import type { InputMember } from './members.ts';
import { homeTable, likelySources, type Source } from './sources.ts';
import { tryCall } from './try-call.ts';

type Weights = ReadonlyMap<string, ReadonlyMap<Source, number>>;

/** What a command has shown of its inputs. Learned once, in worlds of its own, so that tasks do not depend on each other. */
export interface LearnedInputs {
  readonly weights: Weights;
  readonly choices: ReadonlyMap<string, readonly string[]>;
  readonly home: string | null;
  readonly recordKeys: ReadonlySet<string>;
}

export interface Learning<S extends JsonObject> {
  readonly app: App<S>;
  readonly command: AppCommand<S>;
  readonly members: readonly InputMember[];
  readonly worlds: readonly S[];
}

const mostTries = 300;
const enoughSuccesses = 20;
const mostChoices = 80;

/** Tries inputs, and learns from what is accepted where each member takes its values. */
export function learnInputs<S extends JsonObject>(learning: Learning<S>): LearnedInputs {
  const { app, command, members, worlds } = learning;
  const random = createRandom(`inputs of ${app.id} ${command.name}`);
  const tables = worlds.map(world => tablesFor(app, command.name, world));
  const { guesses, choices } = guessesFrom(learning, tables[0] as Tables);
  const home = homeTable(tables[0] as Tables, command);
  const recordKeys = recordKeysOf(members, guesses);
  const flat = flattened(guesses);
  const record = createRecord();
  for (let attempt = 0; attempt < mostTries && record.successes() < enoughSuccesses; attempt++) {
    const world = attempt % worlds.length;
    const weights = attempt % 2 === 0 ? guesses : flat;
    const common = { tables: tables[world] as Tables, random, choices, home };
    const drawn = drawInput(members, { ...common, weights, recordKeys });
    if (drawn === null) continue;
    const outcome = tryCall(app, { command, state: worlds[world] as S, drawn });
    record.add(drawn, 'call' in outcome);
    if ('refusal' in outcome) addListed(choices, { members, drawn, refusal: outcome.refusal });
  }
  const weights = record.weigh(guesses);
  return { weights, choices, home, recordKeys: recordKeysOf(members, weights) };
}

function guessesFrom<S extends JsonObject>(
  { app, command, members }: Learning<S>,
  tables: Tables,
): { guesses: Weights; choices: Map<string, readonly string[]> } {
  const inState = choicesInState(app);
  const everyChoice = [...new Set([...inState.values()].flat())];
  const guesses = new Map<string, Map<Source, number>>();
  const choices = new Map<string, readonly string[]>();
  for (const member of members) {
    const listed = [...listedChoices(member.about), ...(inState.get(member.key) ?? [])];
    const mined = listed.length > 0 ? listed : [...listedChoices(command.about), ...everyChoice];
    choices.set(member.key, [...new Set(mined)]);
    const hasChoices = listed.length > 0 && member.kind === 'text';
    guesses.set(member.key, likelySources(tables, member, { command, hasChoices }));
  }
  return { guesses, choices };
}

/** Unlikely sources get a chance, too: the words around a member may be misleading. */
function flattened(weights: Weights): Weights {
  const flat = (sources: ReadonlyMap<Source, number>): ReadonlyMap<Source, number> =>
    new Map([...sources].map(([source, weight]) => [source, weight ** 0.3]));
  return new Map([...weights].map(([key, sources]) => [key, flat(sources)]));
}

interface Refused {
  readonly members: readonly InputMember[];
  readonly drawn: DrawnInput;
  readonly refusal: string;
}

/** A refusal often lists what would have been right. */
function addListed(choices: Map<string, readonly string[]>, { members, drawn, refusal }: Refused): void {
  const more = listedChoices(refusal).filter(choice => !drawn.texts.includes(choice));
  if (more.length === 0) return;
  for (const { key, kind } of members) {
    if (kind !== 'text') continue;
    choices.set(key, [...new Set([...(choices.get(key) ?? []), ...more])].slice(0, mostChoices));
  }
}

interface Tally {
  tries: number;
  successes: number;
}

const rewarded = 1.5;
const mostWeight = 200;
const triesToExclude = 8;

/** Counts for each member which sources were accepted. */
function createRecord() {
  const tallies = new Map<string, Tally>();
  let successes = 0;
  const tallyOf = (key: string, source: Source): Tally => tallies.get(`${key} ${source}`) ?? { tries: 0, successes: 0 };
  const weigh = (key: string, source: Source, guess: number): number => {
    const fresh = tallyOf(key, 'new');
    const tally = tallyOf(key, source);
    // Where no made-up text is ever accepted, what was accepted is what counts.
    const isPicky = fresh.successes === 0 && fresh.tries >= triesToExclude && tally.successes > 0;
    if (isPicky) return Math.max(guess, (mostWeight * tally.successes) / tally.tries);
    return Math.min(mostWeight, guess * rewarded ** tally.successes);
  };
  return {
    successes: () => successes,
    add({ members }: DrawnInput, isAccepted: boolean): void {
      if (isAccepted) successes++;
      for (const { key, source } of members) {
        if (source === null) continue;
        const { tries, successes: known } = tallyOf(key, source);
        tallies.set(`${key} ${source}`, { tries: tries + 1, successes: known + (isAccepted ? 1 : 0) });
      }
    },
    weigh: (guesses: Weights): Weights =>
      new Map(
        [...guesses].map(([key, sources]) => [
          key,
          new Map([...sources].map(([source, guess]) => [source, weigh(key, source, guess)])),
        ]),
      ),
  };
}
