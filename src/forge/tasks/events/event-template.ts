import { isCovered, type Change } from '../../../core/diff.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { parsePath } from '../../../core/path.ts';
import type { Random } from '../../../core/random.ts';
import { valueAt } from '../../../core/value-at.ts';
import type { App } from '../../../worlds/app/app.ts';
import type { AppTemplate, Check } from '../../../worlds/app/template.ts';
import { eventIn, eventPath, type PlannedEvent } from '../../../worlds/wrappers/events.ts';
import { dataChanges } from '../walks/explore.ts';
import { goalOfDifference, stateAfter, type TaskCall } from '../command-goal.ts';
import { asInstruction, forgeCall, goalOfCalls, type ForgedCall, type ForgeWorkshop } from '../command-template.ts';

const callsToTry = 16;
const latest = 2;

/**
 * Tasks during which somebody else changes other data. What others did is to stay: it is neither asked of the agent nor
 * held against it, and an agent that does it itself, or undoes it, fails.
 */
export function eventTemplate<S extends JsonObject>(workshop: ForgeWorkshop<S>): AppTemplate<S> {
  const { app, split } = workshop;
  return {
    id: 'while-others-work.forged',
    about: 'Forged from a command, while another user changes other data.',
    split,
    kind: 'feasible',
    steps: 30,
    kindOf: () => 'feasible',
    make(state, random) {
      for (let attempt = 0; attempt < callsToTry; attempt++) {
        const own = random.fork(`event ${attempt}`);
        const forged = forgeCall(workshop, own.pick(workshop.soloSamplers), { state, random: own });
        const event = forged === null ? null : drawEvent(workshop, { state, forged, random: own.fork('other user') });
        if (forged === null || event === null) continue;
        const { call, names, sentence } = forged;
        const asked = asInstruction(sentence, own.fork('frame'));
        return {
          parameters: {
            calls: [{ command: call.command.name, input: call.input }],
            names,
            event: event as unknown as Json,
          },
          instruction: own.chance(0.5) ? asked : `${asked} Others work here, too: leave what they do as it is.`,
          patch: [{ op: 'replace', path: eventPath, before: null, value: event as unknown as Json }],
        };
      }
      return null;
    },
    goal(parameters, initial) {
      const calls = parameters['calls'] as unknown as readonly TaskCall[];
      const event = parameters['event'] as unknown as PlannedEvent;
      const own = goalOfCalls(app, initial, calls);
      const others = othersWork(app, initial, event);
      return {
        kind: 'feasible',
        answer: null,
        shown: null,
        checks: [...own.checks, others.check],
        allow: [...own.allow, ...others.allow],
      };
    },
  };
}

interface Drawing<S extends JsonObject> {
  readonly state: S;
  readonly forged: ForgedCall<S>;
  readonly random: Random;
}

/** A call of another user that has nothing to do with the task, before and after it. */
function drawEvent<S extends JsonObject>(
  { app, samplers }: ForgeWorkshop<S>,
  { state, forged, random }: Drawing<S>,
): PlannedEvent | null {
  const event = random.pick(samplers).sample(state, random);
  if (event === null) return null;
  const tablesOf = (changes: readonly Change[]): Set<string> =>
    new Set(changes.map(({ path }) => parsePath(path)[0] ?? ''));
  const own = tablesOf(forged.call.changes);
  if ([...tablesOf(event.changes)].some(table => own.has(table))) return null;
  const [first, second] = [forged.call, event].map(({ command, input }) => ({ command: command.name, input }));
  const orders = [
    [first, second],
    [second, first],
  ] as readonly (readonly TaskCall[])[];
  const [left, right] = orders.map(calls => stateAfter(app, state, calls));
  if (left === null || left === undefined || right === null || right === undefined) return null;
  if (dataOf(left) !== dataOf(right)) return null;
  const changes = dataChanges(state, event.after);
  // What agents change by looking around says nothing of whether they did the work of others.
  const incidental = (app.incidental ?? []).map(parsePath);
  if (changes.some(change => isCovered(incidental, change))) return null;
  const { command, input } = event;
  const after = random.between(1, latest);
  return { after, command: command.name, input, happened: false, changes, isUndisturbed: true };
}

function dataOf({ ui: _ui, ...data }: JsonObject): string {
  return JSON.stringify(data);
}

/** What another user did is there when it happened, and not there when it did not. */
function othersWork<S extends JsonObject>(
  app: App<S>,
  initial: S,
  { command, input }: PlannedEvent,
): { check: Check<S>; allow: readonly string[] } {
  const after = stateAfter(app, initial, [{ command, input }]);
  const { checks, allow } = after === null ? { checks: [], allow: [] } : goalOfDifference(initial, after);
  const paths = checks.length === 0 || after === null ? [] : changedPaths(initial, after);
  return {
    allow,
    check: {
      id: 'others-work-stays',
      name: `what another user did (${command}) is as it was left`,
      test(final) {
        const event = eventIn(final);
        if (event?.isUndisturbed !== true) return false;
        if (event.happened) return checks.every(({ test }) => test(final, initial));
        return paths.every(path => JSON.stringify(valueAt(final, path)) === JSON.stringify(valueAt(initial, path)));
      },
    },
  };
}

function changedPaths<S extends JsonObject>(initial: S, after: S): readonly (readonly string[])[] {
  return dataChanges(initial, after).map(({ path }) => parsePath(path));
}
