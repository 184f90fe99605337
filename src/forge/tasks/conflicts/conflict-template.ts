import { diff } from '../../../core/diff.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import type { Random } from '../../../core/random.ts';
import type { TaskKind } from '../../../core/records.ts';
import type { App } from '../../../worlds/app/app.ts';
import type { AppTemplate, Goal } from '../../../worlds/app/template.ts';
import type { TaskCall } from '../command-goal.ts';
import { forgeCall, goalOfCalls, type ForgedCall, type ForgeWorkshop } from '../command-template.ts';

/** A task as it is with the conflict, or without. */
interface Version<S extends JsonObject> {
  readonly state: S;
  readonly instruction: string;
  readonly calls: readonly TaskCall[];
}

/** One conflict in some data: two tasks that can only be told apart by looking. */
export interface Staging<S extends JsonObject> {
  readonly conflict: Version<S>;
  /** The ordinary task in the same words. */
  readonly twin: Version<S>;
  /** What the goal has to know of the conflict. */
  readonly facts: JsonObject;
  /** Texts of the instruction that agents may have to type. */
  readonly names?: JsonObject;
}

export interface StageRequest<S extends JsonObject> {
  readonly state: S;
  readonly forged: ForgedCall<S>;
  readonly random: Random;
}

interface ConflictFacts<S extends JsonObject> {
  readonly initial: S;
  readonly facts: JsonObject;
  readonly calls: readonly TaskCall[];
  /** The texts by which the instruction names records. */
  readonly texts: readonly string[];
}

/** A conflict between what an instruction expects and what the data say. */
export interface Conflict<S extends JsonObject> {
  readonly id: string;
  readonly about: string;
  /** The right ending where the conflict is. */
  readonly kind: TaskKind;
  /** Null when this call allows no such conflict. */
  stage(request: StageRequest<S>): Staging<S> | null;
  /** What must hold in the end and what must be seen, where the right thing is to do nothing; null when it is to be done. */
  readonly goal: ((given: ConflictFacts<S>) => Pick<Goal<S>, 'checks' | 'shown' | 'told'>) | null;
}

const callsToTry = 24;

/** A family of tasks of which about half have the conflict, and the others are ordinary. */
export function conflictTemplate<S extends JsonObject>(
  workshop: ForgeWorkshop<S>,
  conflict: Conflict<S>,
): AppTemplate<S> {
  const { app, split } = workshop;
  const { id, about, kind } = conflict;
  return {
    id,
    about,
    split,
    kind,
    steps: 30,
    kindOf: parameters => (parameters['conflict'] === undefined ? 'feasible' : kind),
    make(state, random) {
      // Mixed with the app: else the same seeds had the conflict in every app.
      const isTwin = random.fork(`${app.id} ${id}`).chance(0.5);
      for (let attempt = 0; attempt < callsToTry; attempt++) {
        const own = random.fork(`conflict ${attempt}`);
        const sampler = own.pick(workshop.soloSamplers);
        const forged = forgeCall(workshop, sampler, { state, random: own });
        if (forged === null || Object.keys(forged.names).length === 0 || !workshop.isShown(sampler)) continue;
        const staging = conflict.stage({ state, forged, random: own.fork('stage') });
        if (staging === null || isSeenAtOnce(conflict, staging, forged.names)) continue;
        const { instruction, calls, state: start } = isTwin ? staging.twin : staging.conflict;
        const names = { ...forged.names, ...staging.names };
        return {
          parameters: { calls: calls as unknown as Json, names, ...(isTwin ? {} : { conflict: staging.facts }) },
          instruction,
          patch: diff(state, start as Json),
        };
      }
      return null;
    },
    goal: (parameters, initial) => goalOf(app, conflict, { parameters, initial }),
  };
}

/** What the first screen shows needs no look. */
function isSeenAtOnce<S extends JsonObject>(
  { goal }: Conflict<S>,
  { conflict: { state, calls }, facts }: Staging<S>,
  names: JsonObject,
): boolean {
  const shown = goal?.({ initial: state, facts, calls, texts: textsIn(names) }).shown;
  return shown !== undefined && shown !== null && [shown(state)].flat().some(Boolean);
}

function goalOf<S extends JsonObject>(
  app: App<S>,
  { kind, goal }: Conflict<S>,
  { parameters, initial }: { parameters: JsonObject; initial: S },
): Goal<S> {
  const facts = parameters['conflict'] as JsonObject | undefined;
  const calls = parameters['calls'] as unknown as readonly TaskCall[];
  if (facts === undefined || goal === null)
    return { kind: 'feasible', answer: null, shown: null, ...goalOfCalls(app, initial, calls) };
  const texts = textsIn(parameters['names'] as JsonObject);
  return { kind, allow: [], answer: null, ...goal({ initial, facts, calls, texts }) };
}

function textsIn(names: JsonObject): string[] {
  return Object.values(names).flat().map(String);
}

/** The call as a task asks for it. */
export function taskCallOf<S extends JsonObject>({ call }: ForgedCall<S>): TaskCall {
  return { command: call.command.name, input: call.input };
}
