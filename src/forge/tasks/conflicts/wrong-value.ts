import { patch, type Change } from '../../../core/diff.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { parsePath } from '../../../core/path.ts';
import { createScreen, type UiNode } from '../../../core/ui.ts';
import type { App } from '../../../worlds/app/app.ts';
import { execute } from '../../../worlds/execute.ts';
import { drawn } from '../../../worlds/screen.ts';
import type { AnsweredCall } from '../../../worlds/app/template.ts';
import type { Random } from '../../../core/random.ts';
import { readTables } from '../../data/tables.ts';
import { tablesFor } from '../../data/tables-for.ts';
import type { SampledCall } from '../../inputs/try-call.ts';
import { valueAt } from '../../../core/value-at.ts';
import { asInstruction, type ForgeWorkshop } from '../command-template.ts';
import { phraseCall } from '../../wording/phrase-call.ts';
import { taskCallOf, type Conflict, type StageRequest, type Staging } from './conflict-template.ts';

const optionsToTry = 4;

/** What the instruction asks for, where that can never be, and what could be in its place. */
interface WrongValue {
  readonly path: string;
  readonly wrong: string;
  readonly right: string;
}

/** The instruction asks for a value that is not allowed, in whatever state: it cannot be done. */
export function wrongValue<S extends JsonObject>(workshop: ForgeWorkshop<S>): Conflict<S> {
  const { app } = workshop;
  return {
    id: 'wrong-value.forged',
    about:
      'Forged conflict: the value that is asked for is not allowed. Half of the tasks are ordinary ones in the same words.',
    kind: 'infeasible',
    stage: request => stageWrong(workshop, request),
    goal({ initial, facts, calls, texts }) {
      const { path, wrong, right } = facts as unknown as WrongValue;
      const refusal = refusalOf(workshop, initial, calls[0]);
      return {
        // It can never hold, so that a search for a way to do it all the same has a goal.
        checks: [
          {
            id: 'value-is-set',
            name: `${path} is ${JSON.stringify(wrong)}`,
            test: final => valueAt(final, parsePath(path)) === wrong,
          },
        ],
        shown(state) {
          const root = drawn(app, state);
          const text = createScreen(root).text.toLowerCase();
          if (refusal !== null && text.includes(refusal.toLowerCase())) return true;
          return texts.some(name => text.includes(name.toLowerCase())) && offersWithout(root, { wrong, right });
        },
        told: call => isRefusedForValue(app, call, { command: calls[0]?.command, wrong, right }),
      };
    },
  };
}

/** Whether the call was refused because of the wrong value: with the right one it is not. */
function isRefusedForValue<S extends JsonObject>(
  app: App<S>,
  { state, tool, input, outcome }: AnsweredCall<S>,
  { command: asked, wrong, right }: Pick<WrongValue, 'wrong' | 'right'> & { command: string | undefined },
): boolean {
  const command = app.commands.find(({ name }) => name === tool);
  if (outcome.applied || command === undefined || tool !== asked) return false;
  const values = Object.entries(input).map(([key, value]) => [key, value === wrong ? right : value] as const);
  const instead = Object.fromEntries(values) as JsonObject;
  return execute(app, state, { command, input: instead, byHand: false }).outcome.applied;
}

/** Whether a control of the screen offers the right value and not the wrong one. */
function offersWithout(node: UiNode, values: Pick<WrongValue, 'wrong' | 'right'>): boolean {
  const { options = [], children = [] } = node;
  return isTelling(options, values) || children.some(child => offersWithout(child, values));
}

function isTelling(options: readonly string[], { wrong, right }: Pick<WrongValue, 'wrong' | 'right'>): boolean {
  return options.includes(right) && !options.includes(wrong);
}

/** The words in which a screen refuses the call. */
function refusalOf<S extends JsonObject>(
  { app }: ForgeWorkshop<S>,
  state: S,
  call: { readonly command: string; readonly input: JsonObject } | undefined,
): string | null {
  const command = app.commands.find(({ name }) => name === call?.command);
  if (command === undefined || call === undefined) return null;
  return execute(app, state, { command, input: call.input, byHand: true }).outcome.problem?.message ?? null;
}

function stageWrong<S extends JsonObject>(
  workshop: ForgeWorkshop<S>,
  { state, forged, random }: StageRequest<S>,
): Staging<S> | null {
  const { call } = forged;
  const { app } = workshop;
  const lists = workshop.shownOptions();
  const candidates = call.members.flatMap(({ key, role, value }) => {
    const change = call.changes.find(made => made.op === 'replace' && made.value === value);
    if (role !== 'text' || typeof value !== 'string' || change === undefined) return [];
    return lists.some(options => options.includes(value)) ? [{ key, value, change }] : [];
  });
  if (candidates.length === 0) return null;
  const { key, value: right, change } = random.pick(candidates);
  const wrong = likelyWrong(state, { path: change.path, lists, random }).find(option =>
    isForbidden(workshop, { state, change, option }),
  );
  if (wrong === undefined || !lists.some(options => isTelling(options, { wrong, right }))) return null;
  const wrongCall = withValue(call, { key, wrong, right });
  const words = { tables: tablesFor(app, call.command.name, state), phrases: workshop.phrasesFor(call.command.name) };
  const [said, saidWrong] = [call, wrongCall].map(one => phraseCall(one, { ...words, random: random.fork('words') }));
  const input = { ...call.input, [key]: wrong };
  if (said === null || said === undefined || saidWrong === null || saidWrong === undefined) return null;
  if (refusalOf(workshop, state, { command: call.command.name, input }) === null) return null;
  const asked = (sentence: string): string => asInstruction(sentence, random.fork('frame'));
  return {
    conflict: { state, instruction: asked(saidWrong.sentence), calls: [{ command: call.command.name, input }] },
    twin: { state, instruction: asked(said.sentence), calls: [taskCallOf(forged)] },
    facts: { path: change.path, wrong, right },
  };
}

/**
 * Options that may be wrong here. First those that members of the same name have in other tables, such as another status: they
 * read like right ones. Where only some values are allowed, most of the options of other controls are wrong, too.
 */
function likelyWrong<S extends JsonObject>(
  state: S,
  { path, lists, random }: { path: string; lists: readonly (readonly string[])[]; random: Random },
): string[] {
  const [table = '', ...inside] = parsePath(path);
  const member = inside.at(-1) ?? '';
  const offered = new Set(lists.flat());
  const alike = new Set<string>();
  for (const { name, places } of readTables(state).values()) {
    if (name === table) continue;
    for (const { row } of places) {
      const value = row[member];
      if (typeof value === 'string' && offered.has(value)) alike.add(value);
    }
  }
  return [...random.sample([...alike], optionsToTry), ...random.sample([...offered], optionsToTry)];
}

/** The schema of the state says that the member can never have this value: a refusal alone would be no proof. */
function isForbidden<S extends JsonObject>(
  { app }: ForgeWorkshop<S>,
  { state, change, option }: { state: S; change: Change; option: string },
): boolean {
  if (change.op !== 'replace' || option === change.value || option === change.before || /["\n]/.test(option))
    return false;
  return !app.state.safeParse(patch(state, [{ ...change, value: option }])).success;
}

/** The call as if it had set the wrong value, for the same words. */
function withValue<S extends JsonObject>(
  call: SampledCall<S>,
  { key, wrong, right }: { key: string; wrong: string; right: string },
): SampledCall<S> {
  const changed = (value: Json): Json => (value === right ? wrong : value);
  return {
    ...call,
    members: call.members.map(member => (member.key === key ? { ...member, value: wrong } : member)),
    changes: call.changes.map(change =>
      change.op === 'replace' ? { ...change, value: changed(change.value as Json) } : change,
    ),
  };
}
