import type { JsonObject } from '../../core/json.ts';
import { createRandom, type Random } from '../../core/random.ts';
import { diff, type Change } from '../../core/diff.ts';
import { isOnScreen } from '../../core/path.ts';
import type { App } from '../../kernel/app.ts';
import type { AppCommand } from '../../kernel/command.ts';
import { execute } from '../../kernel/execute.ts';
import { readTables, type Tables } from '../data/tables.ts';
import { choicesInState, listedChoices } from './choices.ts';
import { inputMembers, type InputMember } from './members.ts';
import { drawInput, type DrawnInput } from './draw-input.ts';
import { homeTable, likelySources, type Source } from './sources.ts';

/** A call of a command that changes data, and what it changes. */
export interface SampledCall<S extends JsonObject> extends DrawnInput {
  readonly command: AppCommand<S>;
  /** The input as the command takes it. */
  readonly input: JsonObject;
  readonly after: S;
  readonly changes: readonly Change[];
}

export interface InputSampler<S extends JsonObject> {
  readonly command: AppCommand<S>;
  /** Null when no input was found that the command accepts and that changes data. */
  sample(state: S, random: Random): SampledCall<S> | null;
}

/** What a command has shown of its inputs. Learned once, in worlds of its own, so that tasks do not depend on each other. */
interface Lessons {
  readonly weights: ReadonlyMap<string, ReadonlyMap<Source, number>>;
  readonly choices: ReadonlyMap<string, readonly string[]>;
  readonly home: string | null;
}

const triesToLearn = 400;
const successesToLearn = 16;
const triesToSample = 60;
/** A source that was accepted counts more from then on. */
const rewarded = 1.5;
const mostWeight = 200;
const mostChanges = 60;

/** Samples inputs that a command accepts. Null when its schema is not an object of members. */
export function createInputSampler<S extends JsonObject>(
  app: App<S>,
  command: AppCommand<S>,
  worlds: () => readonly S[],
): InputSampler<S> | null {
  const members = inputMembers(command);
  if (members === null) return null;
  let lessons: Lessons | null = null;
  const known = (): Lessons => (lessons ??= learn({ app, command, members, worlds: worlds() }));
  return {
    command,
    sample(state, random) {
      const lessonsNow = known();
      const tables = readTables(state);
      for (let attempt = 0; attempt < triesToSample; attempt++) {
        const drawn = drawInput(members, { tables, random, ...lessonsNow });
        const outcome = drawn === null ? null : tried(app, { command, state, drawn });
        if (outcome !== null && 'call' in outcome) return outcome.call;
      }
      return null;
    },
  };
}

interface Learning<S extends JsonObject> {
  readonly app: App<S>;
  readonly command: AppCommand<S>;
  readonly members: readonly InputMember[];
  readonly worlds: readonly S[];
}

function learn<S extends JsonObject>({ app, command, members, worlds }: Learning<S>): Lessons {
  const random = createRandom(`inputs of ${app.id} ${command.name}`);
  const tables = worlds.map(readTables);
  const inState = choicesInState(app);
  const everyChoice = [...new Set([...inState.values()].flat())];
  const weights = new Map<string, Map<Source, number>>();
  const choices = new Map<string, readonly string[]>();
  for (const member of members) {
    const listed = [...listedChoices(member.about), ...(inState.get(member.key) ?? [])];
    const mined = listed.length > 0 ? listed : [...listedChoices(command.about), ...everyChoice];
    choices.set(member.key, [...new Set(mined)]);
    const hasChoices = listed.length > 0 && member.kind === 'text';
    weights.set(member.key, likelySources(tables[0] as Tables, member, { command, hasChoices }));
  }
  const home = homeTable(tables[0] as Tables, command);
  let successes = 0;
  for (let attempt = 0; attempt < triesToLearn && successes < successesToLearn; attempt++) {
    const state = worlds[attempt % worlds.length] as S;
    const drawn = drawInput(members, {
      tables: tables[attempt % worlds.length] as Tables,
      random,
      weights,
      choices,
      home,
    });
    if (drawn === null) continue;
    const outcome = tried(app, { command, state, drawn });
    if ('refusal' in outcome) {
      for (const { key, kind } of members) {
        if (kind !== 'text') continue;
        const more = listedChoices(outcome.refusal).filter(choice => !drawn.texts.includes(choice));
        choices.set(key, [...new Set([...(choices.get(key) ?? []), ...more])].slice(0, 80));
      }
      continue;
    }
    if (!('call' in outcome)) continue;
    successes++;
    for (const { key, source } of drawn.members) {
      const known = weights.get(key);
      if (source !== null) known?.set(source, Math.min(mostWeight, (known.get(source) ?? 0) * rewarded));
    }
  }
  return { weights, choices, home };
}

interface Trial<S extends JsonObject> {
  readonly command: AppCommand<S>;
  readonly state: S;
  readonly drawn: DrawnInput;
}

type Outcome<S extends JsonObject> =
  | { readonly call: SampledCall<S> }
  | { readonly refusal: string }
  | { readonly idle: true };

function tried<S extends JsonObject>(app: App<S>, { command, state, drawn }: Trial<S>): Outcome<S> {
  const parsed = command.parse(drawn.given);
  if ('problem' in parsed) return { refusal: parsed.words };
  try {
    const { state: after, outcome } = execute(app, state, { command, input: drawn.given, byHand: false });
    if (!outcome.applied) return { refusal: outcome.problem?.message ?? '' };
    const changes = diff(state, after).filter(({ path }) => !isOnScreen(path));
    const isTask = changes.length > 0 && changes.length <= mostChanges && changes.every(({ op }) => op !== 'order');
    return isTask ? { call: { ...drawn, command, input: parsed.input, after, changes } } : { idle: true };
  } catch {
    // A command that throws has a defect, which the audit reports; no task comes of such a call.
    return { idle: true };
  }
}
