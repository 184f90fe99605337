import type { Change } from '../../../core/diff.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import type { Random } from '../../../core/random.ts';
import type { AppTemplate, Check } from '../../../worlds/app/template.ts';
import { daysIn, daysPath, endDay, type PlannedDays } from '../../../worlds/wrappers/days.ts';
import { goalOfDifference, stateAfter, type TaskCall } from '../command-goal.ts';
import { asInstruction, forgeCall, goalOfCalls, type ForgedCall, type ForgeWorkshop } from '../command-template.ts';
import { dataChanges } from '../walks/explore.ts';

const callsToTry = 24;
const samplesToTry = 12;
const days = 2;
/** What holds in the end counts more than what held on the way. */
const weightOfEnd = 2;

/**
 * Tasks of two days (ClawMark). Between the days another user changes what the task asked for: an agent that does not look
 * again loses exactly the checks of what was changed.
 */
export function dayTemplate<S extends JsonObject>(workshop: ForgeWorkshop<S>): AppTemplate<S> {
  const { app, split } = workshop;
  return {
    id: 'two-days.forged',
    about: 'Forged from a command whose effect another user changes overnight: it has to be noticed and put right.',
    split,
    kind: 'feasible',
    steps: 40,
    kindOf: () => 'feasible',
    make(state, random) {
      for (let attempt = 0; attempt < callsToTry; attempt++) {
        const own = random.fork(`day ${attempt}`);
        const forged = forgeCall(workshop, own.pick(workshop.soloSamplers), { state, random: own });
        const event = forged === null ? null : drawConflict(workshop, { state, forged, random: own.fork('night') });
        if (forged === null || event === null) continue;
        const { call, names, sentence } = forged;
        const asked: TaskCall = { command: call.command.name, input: call.input };
        const calls: readonly TaskCall[] = [asked, { command: endDay, input: {} }, asked];
        const plan: PlannedDays = { day: 1, days, events: [event], wanted: wantedOf(forged), held: [] };
        return {
          parameters: { calls: calls as unknown as Json, names, event: event as unknown as Json },
          instruction: `${asInstruction(sentence, own.fork('frame'))} It has to be so at the end of each of two days: end the first day when you are done, then look whether others changed it, and put it right.`,
          patch: [{ op: 'replace', path: daysPath, before: null, value: plan as unknown as Json }],
        };
      }
      return null;
    },
    goal(parameters, initial) {
      const [asked] = parameters['calls'] as unknown as readonly [TaskCall];
      const event = parameters['event'] as unknown as TaskCall;
      const own = goalOfCalls(app, initial, [asked]);
      const overnight = stateAfter(app, initial, [asked, event]);
      const others = overnight === null ? [] : goalOfDifference(initial, overnight).allow;
      const checks: Check<S>[] = [
        ...own.checks.map(check => ({ ...check, weight: weightOfEnd })),
        {
          id: 'held-on-day-1',
          name: 'it was so at the end of the first day',
          test: final => daysIn(final)?.held[0] === true,
        },
        {
          id: 'days-worked',
          name: 'both days were worked',
          test: final => daysIn(final)?.day === days,
        },
      ];
      return { kind: 'feasible', answer: null, shown: null, checks, allow: [...new Set([...own.allow, ...others])] };
    },
  };
}

interface Drawing<S extends JsonObject> {
  readonly state: S;
  readonly forged: ForgedCall<S>;
  readonly random: Random;
}

function wantedOf<S extends JsonObject>({ call }: ForgedCall<S>): readonly Change[] {
  return call.changes;
}

/** The same command with another value, or another one, on the same record: it undoes the task, which can be done again after it. */
function drawConflict<S extends JsonObject>(
  { app, samplers }: ForgeWorkshop<S>,
  { state, forged, random }: Drawing<S>,
): TaskCall | null {
  const { command, input, changes } = forged.call;
  if (changes.some(({ op }) => op !== 'replace')) return null;
  const own: TaskCall = { command: command.name, input };
  const done = stateAfter(app, state, [own]);
  if (done === null) return null;
  const undoes = (event: TaskCall): boolean => {
    const undone = stateAfter(app, done, [event]);
    const again = undone === null ? null : stateAfter(app, undone, [own]);
    return (
      undone !== null &&
      again !== null &&
      touches(changes, dataChanges(done, undone)) &&
      dataChanges(done, again).length === 0
    );
  };
  const same = samplers.find(one => one.command.name === command.name);
  for (let tried = 0; tried < samplesToTry; tried++) {
    const other = same?.sample(state, random.fork(`value ${tried}`)) ?? null;
    for (const key of other === null ? [] : random.shuffle(Object.keys(other.input))) {
      const event: TaskCall = { command: command.name, input: { ...input, [key]: other?.input[key] as Json } };
      if (undoes(event)) return event;
    }
  }
  // Others know the state that the task leaves behind: a book can only be taken back once it is lent.
  for (const sampler of samplers.filter(one => one.command.name !== command.name))
    for (let tried = 0; tried < samplesToTry; tried++) {
      const drawn = sampler.sample(done, random.fork(`${sampler.command.name} ${tried}`));
      if (drawn === null) break;
      const shared = Object.entries(input).filter(([key]) => key in drawn.input);
      const event: TaskCall = {
        command: sampler.command.name,
        input: { ...drawn.input, ...(Object.fromEntries(shared) as JsonObject) },
      };
      if (undoes(event)) return event;
    }
  return null;
}

/** Whether another user's call changes what the task changed. */
function touches(own: readonly Change[], others: readonly Change[]): boolean {
  const paths = new Set(own.map(({ path }) => path));
  return others.some(({ path }) => paths.has(path));
}
