import type { EpisodeRecord } from '../../../core/episode/record.ts';
import { count } from '../../../core/text.ts';
import type { TreeNode } from '../../../core/tree.ts';
import { entryOf } from '../diagnosis/entries.ts';
import { signsOf } from '../diagnosis/signs.ts';
import type { Trace } from '../trace.ts';
import { namesOn, neverOpened } from './screens.ts';
import type { Wanted } from './wanted.ts';

/** What the agent did, or never did, that left the checks unmet. */
export type MistakeKind =
  | 'gave-up'
  | 'not-reported-infeasible'
  | 'withheld-answer'
  | 'wrong-answer'
  | 'not-looked-up'
  | 'went-in-circles'
  | 'refused-and-not-mended'
  | 'wrong-value'
  | 'other-record'
  | 'record-never-seen'
  | 'record-never-used'
  | 'not-confirmed'
  | 'out-of-steps'
  | 'entered-but-not-accepted'
  | 'needed-step-missing'
  | 'side-effect';

export interface Mistake {
  readonly kind: MistakeKind;
  /** The step that made it so, where the kind of mistake tells; null where it does not, or the step never came. */
  readonly node: number | null;
  /** In a sentence. */
  readonly reason: string;
}

interface Scene {
  readonly episode: EpisodeRecord;
  readonly trace: Trace;
  readonly wanted: Wanted;
}

/** The first of these that the record shows; null when it shows none. The order goes from what is certain to what is likely. */
export function mistakeIn(scene: Scene): Mistake | null {
  if (scene.wanted.failed.length === 0 || scene.trace.main.length === 0) return null;
  for (const find of finders) {
    const found = find(scene);
    if (found !== null) return found;
  }
  return null;
}

const finders: readonly ((scene: Scene) => Mistake | null)[] = [
  gaveUp,
  circle,
  notReported,
  answer,
  refused,
  wrongValue,
  otherRecord,
  sideEffect,
  recordMissed,
  notConfirmed,
  outOfSteps,
  enteredAll,
  neededStep,
];

const fails = ({ wanted }: Scene, id: string): boolean => wanted.failed.some(check => check.id === id);
const lastOf = ({ trace }: Scene): TreeNode => trace.main.at(-1) as TreeNode;
const step = (node: TreeNode, { trace }: Scene): string => `Step ${node.id} (${trace.description(node)})`;

function gaveUp(scene: Scene): Mistake | null {
  const last = lastOf(scene);
  if (!fails(scene, 'not-given-up')) return null;
  const steps = count(scene.trace.main.length - 1, 'step');
  return { kind: 'gave-up', node: last.id, reason: `It said after ${steps} that the task cannot be done. It can.` };
}

const fewestInCircle = 6;

/** The last steps are one or two actions, again and again. */
function circle(scene: Scene): Mistake | null {
  const { trace } = scene;
  if (lastOf(scene).action.kind === 'finish') return null;
  const again = new Set<string>();
  let at = trace.main.length;
  for (; at > 0; at--) {
    const description = trace.description(trace.main[at - 1] as TreeNode);
    if (again.size === 2 && !again.has(description)) break;
    again.add(description);
  }
  // The way into a circle of one action is no part of it.
  while (
    trace.main.slice(at + 1).every(node => trace.description(node) !== trace.description(trace.main[at] as TreeNode))
  ) {
    again.delete(trace.description(trace.main[at] as TreeNode));
    at++;
    if (at >= trace.main.length) return null;
  }
  const length = trace.main.length - at;
  if (length < fewestInCircle) return null;
  const first = trace.main[at] as TreeNode;
  const descriptions = [...again].toReversed().join(' and ');
  return {
    kind: 'went-in-circles',
    node: first.id,
    reason: `From step ${first.id} on it did only ${descriptions}: ${length} of ${count(trace.main.length, 'step')}.`,
  };
}

function notReported(scene: Scene): Mistake | null {
  const last = lastOf(scene);
  if (!fails(scene, 'reported-infeasible')) return null;
  const ended = last.action.kind === 'finish' ? `Step ${last.id} finishes as if it were done` : 'It never finished';
  return { kind: 'not-reported-infeasible', node: last.id, reason: `The task cannot be done. ${ended}.` };
}

function answer(scene: Scene): Mistake | null {
  const { action, id } = lastOf(scene);
  const unread = fails(scene, 'looked-up');
  const isRead = scene.episode.end.verdict?.checks.some(check => check.id === 'looked-up' && check.pass) === true;
  const given = action.kind === 'finish' ? action.answer : undefined;
  if (fails(scene, 'answer')) {
    if (given === undefined && action.kind === 'finish')
      return {
        kind: 'withheld-answer',
        node: id,
        reason: `Step ${id} finishes without the answer that the task asks for.`,
      };
    if (given !== undefined && !unread)
      return {
        kind: 'wrong-answer',
        node: id,
        reason: `Step ${id} answers ${JSON.stringify(given)}, which is wrong${isRead ? ', though the page that says it was read' : ''}.`,
      };
  }
  if (!unread || action.kind !== 'finish') return null;
  const said = given === undefined ? '' : ` It answered ${JSON.stringify(given)}.`;
  return {
    kind: 'not-looked-up',
    node: null,
    reason: `Step ${id} ends it before any step opened what it should look up.${said}`,
  };
}

/** A refusal that no later step makes good. */
function refused(scene: Scene): Mistake | null {
  const { main, description } = scene.trace;
  const at = main.findLastIndex(({ outcome }) => !outcome.applied);
  const node = main[at];
  if (node === undefined) return null;
  const isMended = main.slice(at + 1).some(later => later.action.kind !== 'finish' && later.before !== later.after);
  if (isMended) return null;
  const why = node.outcome.problem?.message ?? 'no reason given';
  const next = main[at + 1];
  const after = next === undefined ? 'then the episode ended' : `then came ${description(next)}`;
  return {
    kind: 'refused-and-not-mended',
    // It may be the step before that led to a screen without what this one wants.
    node: null,
    reason: `${step(node, scene)} was refused: ${why}; ${after}.`,
  };
}

/** The last thing entered into a field is not what the task says, or is made up. */
function wrongValue(scene: Scene): Mistake | null {
  const { trace, episode, wanted } = scene;
  const entries = trace.main.flatMap(node => {
    const entry = entryOf(node, scene.trace);
    return entry === null ? [] : [{ node, ...entry }];
  });
  for (const [at, { node, field, text }] of entries.entries()) {
    if (entries.slice(at + 1).some(later => later.field === field)) continue;
    const right = wanted.fields.get(field);
    if (right !== undefined && right.toLowerCase() !== text.toLowerCase())
      return {
        kind: 'wrong-value',
        node: node.id,
        reason: `Step ${node.id} puts ${JSON.stringify(text)} into "${field}"; the task says ${JSON.stringify(right)}.`,
      };
    const sign = signsOf(episode, trace).find(one => one.node === node.id && one.kind === 'unseen-value');
    if (sign !== undefined) return { kind: 'wrong-value', node: node.id, reason: `Step ${node.id} ${sign.note}.` };
  }
  return null;
}

function otherRecord({ episode, trace }: Scene): Mistake | null {
  const sign = signsOf(episode, trace).find(({ kind, node }) => kind === 'off-target' && node !== null);
  return sign === undefined ? null : { kind: 'other-record', node: null, reason: `Step ${sign.node} ${sign.note}.` };
}

/** Everything asked for was done, and something else as well. */
function sideEffect(scene: Scene): Mistake | null {
  const [only, second] = scene.wanted.failed;
  if (only?.id !== 'clean' || second !== undefined) return null;
  return { kind: 'side-effect', node: null, reason: `Wanted was that ${only.name}.` };
}

/** The record that the task names was on no screen, or no step took it. */
function recordMissed({ episode, trace, wanted: { record } }: Scene): Mistake | null {
  if (record === null) return null;
  const name = record.toLowerCase();
  const { main } = trace;
  if (main.some(node => trace.description(node).toLowerCase().includes(name))) return null;
  const seen = main.find(node => namesOn(trace.screen(node)).some(text => text.includes(name)));
  if (seen === undefined) {
    const left = neverOpened(
      main.map(node => ({ description: trace.description(node), screen: episode.screen(node.id) })),
    );
    const offered = left.length === 0 ? '' : ` It never opened ${left.map(text => `"${text}"`).join(', ')}.`;
    const screens = main.length === 1 ? 'the one screen' : `any of the ${main.length} screens`;
    return {
      kind: 'record-never-seen',
      node: null,
      reason: `"${record}" was not listed on ${screens} that it saw.${offered}`,
    };
  }
  if (main.some(node => trace.screen(node).includes(`heading "${name}`))) return null;
  return {
    kind: 'record-never-used',
    node: null,
    reason: `"${record}" was on the screen at step ${seen.id}, and no step takes it.`,
  };
}

const confirming = /button "((?:save|send|publish|place|apply|submit|confirm|continue|done|ok)\b[^"]*)"/i;

/** Something was entered, the screen had the button that confirms it, and no step after clicked it. */
function notConfirmed(scene: Scene): Mistake | null {
  const { main } = scene.trace;
  const at = main.findLastIndex(node => entryOf(node, scene.trace) !== null);
  const last = lastOf(scene);
  const button = confirming.exec(scene.episode.screen(last.id))?.[1];
  if (at < 0 || button === undefined || main.slice(at + 1).some(({ action }) => action.kind !== 'finish')) return null;
  const entered = main[at] as TreeNode;
  return {
    kind: 'not-confirmed',
    node: last.id,
    reason: `After step ${entered.id} (${scene.trace.description(entered)}) the screen has "${button}", and no step clicks it.`,
  };
}

function outOfSteps(scene: Scene): Mistake | null {
  const last = lastOf(scene);
  if (last.action.kind === 'finish') return null;
  return {
    kind: 'out-of-steps',
    node: last.id,
    reason: `It was still at work after ${count(scene.trace.main.length, 'step')}; the last was ${scene.trace.description(last)}.`,
  };
}

/** Every value of the task was entered as it says, and the check still does not hold. */
function enteredAll(scene: Scene): Mistake | null {
  const { wanted, trace } = scene;
  if (wanted.fields.size === 0) return null;
  const descriptions = trace.main.map(node => trace.description(node).toLowerCase());
  const isEntered = (value: string): boolean =>
    descriptions.some(description => description.includes(`"${value.toLowerCase()}"`));
  if (![...wanted.fields.values()].every(isEntered)) return null;
  const values = [...wanted.fields].map(([label, value]) => `${label} ${value}`).join(', ');
  return {
    kind: 'entered-but-not-accepted',
    node: null,
    reason: `Each value of the task was entered (${values}), and the check fails all the same.`,
  };
}

/** It finished, and nothing above says why the checks do not hold. */
function neededStep(scene: Scene): Mistake | null {
  const before = scene.trace.main.at(-2);
  const done =
    before === undefined ? 'without any step' : `after step ${before.id} (${scene.trace.description(before)})`;
  const open = scene.wanted.failed.map(({ name }) => name).join('; ');
  return { kind: 'needed-step-missing', node: null, reason: `No step brought about: ${open}. It finished ${done}.` };
}
