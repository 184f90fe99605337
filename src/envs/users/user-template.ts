import { createDigest } from '../../core/digest.ts';
import { patch } from '../../core/diff.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { createRandom, type Random } from '../../core/random.ts';
import type { AppTemplate, Check, Goal, TaskDraft } from '../../worlds/app/template.ts';
import type { SimulatedUser } from '../../worlds/wrappers/simulated-user.ts';
import { createWorkDigest, userIn, userPath, type WorkDigest } from '../../worlds/wrappers/user.ts';
import { leaveOut, namedValues, textAt, type NamedValue } from './left-out.ts';
import type { Persona } from './personas.ts';

interface UserTemplateOptions<S extends JsonObject> {
  readonly own: AppTemplate<S>;
  readonly persona: Persona;
  readonly played: boolean;
}

const draftsToTry = 12;
/** Steps for the conversation, beside those of the task. */
const stepsToTalk = 10;

/** Tasks of a template as a user gives them. The same seed is the same task for every persona. */
export function userTemplate<S extends JsonObject>({ own, persona, played }: UserTemplateOptions<S>): AppTemplate<S> {
  const digest = createWorkDigest();
  return {
    id: `${own.id}.${persona.name}`,
    about: `${own.about} ${persona.about}`,
    split: own.split,
    kind: 'feasible',
    steps: own.steps + stepsToTalk,
    kindOf: () => 'feasible',
    make(state) {
      const random = createRandom(`users ${createDigest()(state)} ${own.id}`);
      const draft = feasible(own, state, random.fork('task'));
      if (draft === null) return null;
      const values = namedValues(draft.instruction, draft.parameters);
      const change = persona.changesMind ? drawChange(own, state, { draft, random }) : null;
      if (values.length === 0 || (persona.changesMind && change === null)) return null;
      const left = persona.leavesOut === 'all' ? values : [random.fork('left out').pick(values)];
      const mistake = drawMistake(own, state, { draft, random });
      const user = planUser(
        { own, persona, played },
        { draft, change, mistake, left, random: random.fork(persona.name) },
      );
      return {
        parameters: {
          task: own.id,
          of: draft.parameters,
          change: change?.parameters ?? null,
          persona: persona.name,
          told: [draft.instruction, ...(change === null ? [] : [change.instruction])].join('\n'),
        },
        instruction: `${leaveOut(draft.instruction, left)} ${persona.closing}`,
        patch: [...draft.patch, { op: 'replace', path: userPath, before: null, value: user as unknown as Json }],
      };
    },
    goal: (parameters, initial) => goalOf({ own, digest, parameters, initial }),
  };
}

/** A task, and the paths that it may change. */
interface Draft extends TaskDraft {
  readonly allow: readonly string[];
}

/** A task that asks for changes alone: nobody who asks a question knows whether its answer is right. */
function feasible<S extends JsonObject>(own: AppTemplate<S>, state: S, random: Random): Draft | null {
  const made = own.make(state, random);
  if (made === null || own.kindOf(made.parameters) !== 'feasible') return null;
  const { answer, mustBeSeen, checks, allow } = own.goal(made.parameters, patch(state, made.patch) as S);
  return answer === null && mustBeSeen !== true && checks.length > 0 ? { ...made, allow } : null;
}

interface Drawing {
  readonly draft: Draft;
  readonly random: Random;
}

/** Another task in the same data that fits. */
function drawOther<S extends JsonObject>(
  own: AppTemplate<S>,
  state: S,
  { random, fits }: { readonly random: Random; fits(other: Draft): boolean },
): Draft | null {
  for (let attempt = 0; attempt < draftsToTry; attempt++) {
    const other = feasible(own, state, random.fork(`other ${attempt}`));
    if (other !== null && fits(other)) return other;
  }
  return null;
}

/** What a user wants who changed their mind: a task that begins in the same state, and changes nothing that the first one does. */
function drawChange<S extends JsonObject>(own: AppTemplate<S>, state: S, { draft, random }: Drawing): Draft | null {
  const taken = new Set(draft.allow);
  const begin = JSON.stringify(draft.patch);
  const fits = ({ allow, patch: other }: Draft): boolean =>
    JSON.stringify(other) === begin && !allow.some(path => taken.has(path));
  return drawOther(own, state, { random: random.fork('change'), fits });
}

/** What a user says who errs: values of another task. */
function drawMistake<S extends JsonObject>(own: AppTemplate<S>, state: S, { draft, random }: Drawing): Draft | null {
  const fits = ({ instruction }: Draft): boolean => instruction !== draft.instruction;
  return drawOther(own, state, { random: random.fork('mistake'), fits });
}

interface Planning {
  readonly draft: Draft;
  readonly change: Draft | null;
  readonly mistake: Draft | null;
  readonly left: readonly NamedValue[];
  readonly random: Random;
}

function planUser<S extends JsonObject>(
  { own, persona, played }: UserTemplateOptions<S>,
  { draft, change: other, mistake, left, random }: Planning,
): SimulatedUser {
  const facts = left.map(({ name, value, path }): SimulatedUser['facts'][number] => {
    const wrong = mistake === null ? undefined : textAt(mistake.parameters, path);
    const slips = wrong !== undefined && wrong !== value && random.fork(`slip ${name}`).chance(persona.slips);
    return { name, value, wrong: slips ? wrong : null, told: 'no', answers: 0 };
  });
  const change =
    other !== null
      ? {
          wish: other.parameters,
          says: `I changed my mind. Leave that as it is. I want this instead: ${other.instruction}`,
        }
      : null;
  const misjudges = random.fork('misjudge').chance(persona.slips);
  const slipped = facts.filter(({ wrong }) => wrong !== null).length;
  const answers = persona.tellsAll ? 1 + Math.min(1, slipped) : facts.length + slipped;
  const showings = 1 + Number(change !== null) + Number(misjudges);
  return {
    template: own.id,
    wish: draft.parameters,
    facts,
    tellsAll: persona.tellsAll,
    patience: answers + showings + persona.patience,
    change,
    hasChanged: false,
    misjudges,
    accepted: false,
    seen: null,
    talk: [],
    errors: [],
    played,
    pending: null,
    initial: null,
  };
}

interface GoalOptions<S extends JsonObject> extends Pick<UserTemplateOptions<S>, 'own'> {
  readonly digest: WorkDigest;
  readonly parameters: JsonObject;
  readonly initial: S;
}

/** What the user wants in the end, that they said so, and that what they left out was asked for. */
function goalOf<S extends JsonObject>({ own, digest, parameters, initial }: GoalOptions<S>): Goal<S> {
  const first = own.goal(parameters['of'] as JsonObject, initial);
  const then = parameters['change'] === null ? null : own.goal(parameters['change'] as JsonObject, initial);
  const hasChanged = (state: S): boolean => userIn(state)?.hasChanged === true;
  const checks: readonly Check<S>[] = [
    ...first.checks.map(check => ({
      ...check,
      test: (final: S, start: S) => hasChanged(final) || check.test(final, start),
    })),
    ...(then?.checks ?? []).map(check => ({
      ...check,
      id: `${check.id}.then`,
      test: (final: S, start: S) => hasChanged(final) && check.test(final, start),
    })),
    {
      id: 'user-accepted',
      name: 'the user accepted the work as it is',
      test: final => userIn(final)?.accepted === true && userIn(final)?.seen === digest(final),
    },
  ];
  return {
    kind: 'feasible',
    checks,
    allow: [...new Set([...first.allow, ...(then?.allow ?? [])])],
    answer: null,
    mustBeSeen: true,
    shown: state => [
      ...(userIn(state)?.facts ?? []).map(({ told }) => told === 'yes'),
      ...(then === null ? [] : [hasChanged(state)]),
    ],
    told: () => false,
  };
}
