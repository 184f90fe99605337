import type { Action } from '../../../core/action.ts';
import type { EpisodeRecord } from '../../../core/episode/record.ts';
import { standsIn } from '../../../core/text.ts';
import type { TreeNode } from '../../../core/tree.ts';
import { intentsOf } from '../quality/intents.ts';
import { isStall, type Trace } from '../trace.ts';

/** What kinds of mistakes a record shows by itself. */
export type SignKind =
  | 'invalid-action'
  | 'outside-role'
  | 'bad-parameter'
  | 'impossible-action'
  | 'unseen-value'
  | 'off-target'
  | 'ambiguous'
  | 'no-effect'
  | 'leads-back'
  | 'forgotten'
  | 'repeat'
  | 'ignored-refusal'
  | 'contradicts-thought'
  | 'withheld-answer'
  | 'wrong-answer'
  | 'gave-up'
  | 'no-verification'
  | 'wrong-verification'
  | 'no-termination';

/** A sign that something went wrong, at a step of the path to the end. */
export interface Sign {
  readonly node: number | null;
  readonly kind: SignKind;
  /** The same as the kind, under the name that reports group by. */
  readonly cause: SignKind;
  readonly note: string;
  /** From 0 to 1: how surely it is the reason for a failure. */
  readonly strength: number;
}

/** All signs on the path to the end, in the order of its steps. */
export function signsOf(episode: EpisodeRecord, trace: Trace): readonly Sign[] {
  const known = trace.shared.get('signs') as readonly Sign[] | undefined;
  if (known !== undefined) return known;
  const found = findSigns(episode, trace);
  trace.shared.set('signs', found);
  return found;
}

function findSigns(episode: EpisodeRecord, trace: Trace): readonly Sign[] {
  const found: Sign[] = [];
  const say = (node: number | null, [kind, note, strength]: Said): void => {
    found.push({ node, kind, cause: kind, note, strength });
  };
  const { main } = trace;
  for (const [index, step] of main.entries()) {
    const sign = signOfStep({ episode, trace, index, step });
    if (sign !== null) say(step.id, sign);
  }
  const ending = signOfEnd(episode, trace);
  if (ending !== null) say(main.at(-1)?.id ?? null, ending);
  return found;
}

type Said = readonly [SignKind, string, number];

interface Place {
  readonly episode: EpisodeRecord;
  readonly trace: Trace;
  readonly index: number;
  readonly step: TreeNode;
}

function signOfStep(place: Place): Said | null {
  const { step } = place;
  if (!step.outcome.applied) return refusal(place);
  return (
    unseenValue(place) ??
    offTarget(place) ??
    contradiction(place) ??
    (isStall(step) ? stall(place) : null) ??
    comesBack(place) ??
    ambiguous(place)
  );
}

const refusedAs: Readonly<Record<string, SignKind>> = {
  'unknown-element': 'invalid-action',
  'invalid-action': 'invalid-action',
  'unknown-command': 'outside-role',
  unsupported: 'outside-role',
};

function refusal({ trace, index, step }: Place): Said {
  const { problem } = step.outcome;
  const note = problem === undefined ? 'the step was refused' : `refused: ${problem.message}`;
  const before = trace.main[index - 1];
  if (before !== undefined && !before.outcome.applied && trace.description(before) === trace.description(step))
    return ['ignored-refusal', `the step was refused before, and is tried again (${note})`, 0.7];
  const known = refusedAs[problem?.code ?? ''];
  if (known !== undefined) return [known, note, 0.8];
  return [enteredText(step.action) === null ? 'impossible-action' : 'bad-parameter', note, 0.8];
}

/** What an action enters, where it enters something. */
function enteredText(action: Action): string | null {
  if (action.kind === 'fill' || action.kind === 'type') return action.text;
  return action.kind === 'select' ? action.option : null;
}

/** Enters or answers what neither the task said nor any screen or result showed. */
function unseenValue({ trace, index, step }: Place): Said | null {
  if (step.action.kind !== 'fill' && step.action.kind !== 'type') return null;
  const text = step.action.text.trim().toLowerCase();
  if (text.length < 2 || trace.told.includes(text)) return null;
  const words = text.split(/[^\p{L}\p{N}]+/u).filter(word => word.length > 2);
  if (words.length > 0 && words.every(word => standsIn(trace.told, word))) return null;
  const seen = trace.main
    .slice(0, index + 1)
    .some(other => trace.screen(other).includes(text) || isIn(other.outcome.result, text));
  return seen
    ? null
    : [
        'unseen-value',
        `enters ${JSON.stringify(step.action.text)}, which the task does not say and no screen showed`,
        0.9,
      ];
}

function isIn(result: unknown, text: string): boolean {
  return result !== undefined && JSON.stringify(result).toLowerCase().includes(text);
}

const rowNames = /^\s*(?:\[e\d+\] )?(?:listitem|row|region) "([^"\n]{3,})"/gm;

/** Acts on a record that the task does not name, while one that it names is on the same screen. */
function offTarget({ episode, trace, step }: Place): Said | null {
  const { told, description } = trace;
  const row = / in "([^"]*)"$/.exec(description(step))?.[1]?.toLowerCase();
  if (row !== undefined && row.length > 2 && !told.includes(row)) {
    for (const [, name] of episode.screen(step.id).matchAll(rowNames)) {
      const other = (name as string).toLowerCase();
      if (other !== row && told.includes(other))
        return ['off-target', `acts on "${row}", and the task names "${other}"`, 0.6];
    }
  }
  return step.action.kind === 'select' ? otherOption(step.action.option.toLowerCase(), step, { episode, told }) : null;
}

function otherOption(
  chosen: string,
  { id, action }: TreeNode,
  { episode, told }: { readonly episode: EpisodeRecord; readonly told: string },
): Said | null {
  if (standsIn(told, chosen) || !('ref' in action)) return null;
  const line = episode
    .screen(id)
    .split('\n')
    .find(text => text.trimStart().startsWith(`[${action.ref}] `));
  const options = /\{(.*)\}/.exec(line ?? '')?.[1]?.split(' | ') ?? [];
  const named = options.find(option => option.length > 2 && standsIn(told, option.toLowerCase()));
  return named === undefined ? null : ['off-target', `chooses "${chosen}", and the task names "${named}"`, 0.7];
}

/** The thought names one element in quotes, and the action takes another. */
function contradiction({ trace, step }: Place): Said | null {
  const named = [...(step.thought ?? '').matchAll(/"([^"]{2,})"/g)].map(match => match[1] as string);
  const description = trace.description(step);
  if (named.length === 0 || !description.includes('"') || named.some(name => description.includes(name))) return null;
  return ['contradicts-thought', `the thought names "${named[0]}", and the step does not`, 0.4];
}

function stall({ trace, index, step }: Place): Said {
  const description = trace.description(step);
  const [one, two] = [trace.main[index - 1], trace.main[index - 2]];
  const isRepeat = [one, two].every(other => other !== undefined && trace.description(other) === description);
  return isRepeat
    ? ['repeat', `${description}: the third time in a row without an effect`, 0.7]
    : ['no-effect', `${description}: nothing changed`, 0.55];
}

function comesBack({ episode, trace, index, step }: Place): Said | null {
  const { main, description } = trace;
  const earlier = main.slice(0, index);
  const same = earlier.find(other => other.before === step.before && description(other) === description(step));
  if (same !== undefined && same !== main[index - 1])
    return ['forgotten', `step ${same.id} did the same in the same state`, 0.45];
  const [one, two] = [main[index - 1], main[index - 2]];
  if ([one, two].every(other => other !== undefined && description(other) === description(step)))
    return ['repeat', `${description(step)}: the third time in a row`, 0.55];
  if (step.after === step.before) return null;
  const states = [episode.tree.root, ...earlier.map(({ after }) => after)];
  return states.includes(step.after) ? ['leads-back', 'leads back to an earlier state', 0.3] : null;
}

/** Clicks an element whose line stands on the screen more than once, without saying which. */
function ambiguous({ episode, trace, step }: Place): Said | null {
  const description = trace.description(step);
  if (step.action.kind !== 'click' || description.includes(' in "')) return null;
  const element = /^click (\w+ "[^"]*")/.exec(description)?.[1];
  if (element === undefined) return null;
  const screen = episode.screen(step.id);
  const first = screen.indexOf(element);
  return first >= 0 && screen.includes(element, first + 1)
    ? ['ambiguous', `there are several ${element} on the screen`, 0.2]
    : null;
}

/** How the path ended, where it did not pass. */
function signOfEnd({ end }: EpisodeRecord, trace: Trace): Said | null {
  const { verdict } = end;
  const last = trace.main.at(-1);
  if (verdict === null || verdict.pass) return null;
  if (last?.action.kind !== 'finish')
    return ['no-termination', `the episode ended without a finish (${end.reason ?? 'out of steps'})`, 0.5];
  const { answer, infeasible } = last.action;
  const fails = (id: string): boolean => verdict.checks.some(check => check.id === id && !check.pass);
  if (infeasible && fails('not-given-up')) return ['gave-up', 'gave up a task that can be done', 0.5];
  if (answer === undefined && fails('answer')) return ['withheld-answer', 'finished without an answer', 0.65];
  if (answer !== undefined && fails('answer'))
    return ['wrong-answer', `the answer ${JSON.stringify(answer)} is wrong`, 0.45];
  const intents = intentsOf(trace.main, trace);
  const verified = intents.lastIndexOf('verification') > intents.lastIndexOf('implementation');
  const open = verdict.checks.filter(({ pass }) => !pass).map(({ name }) => name);
  const left = open.length === 0 ? 'something else was changed' : `not done: ${open.join(', ')}`;
  return verified
    ? ['wrong-verification', `looked at the result and finished, though ${left}`, 0.42]
    : ['no-verification', `finished without a look at the result, though ${left}`, 0.42];
}
