import { describeBrowserAction, type Action } from '../action.ts';
import type { RecordCall } from '../chat/model.ts';
import type { ToolInfo } from '../contracts.ts';
import type { Json } from '../json.ts';
import type { Random } from '../random.ts';
import type { Image, Observation } from '../records.ts';
import type { Actor, TreeNode } from '../tree.ts';
import { onLine } from '../text.ts';
import { readScreen, type ScreenLine } from './screen-text.ts';

/** A step on the way to here, as everybody at the screen saw it. */
export interface PastStep {
  readonly action: Action;
  /** The step as a line of history. */
  readonly text: string;
  readonly by: Actor['role'];
  readonly thought?: string;
  /** The screen that the step was taken on. */
  readonly screen: string;
  /** The picture of that screen; only of the last few steps. */
  readonly image?: Image;
  readonly applied: boolean;
  /** What a tool call returned. */
  readonly result?: Json;
}

/** What was on the screen when a step was taken. */
export type SeenStep = Pick<PastStep, 'screen' | 'text'> & {
  readonly image?: Image | undefined;
  /** The request of a client that took the step. */
  readonly request?: string | undefined;
};

/** A step of a tree as those after it see it. */
export function pastStepOf({ action, actor, thought, outcome }: TreeNode, { screen, text, image }: SeenStep): PastStep {
  return {
    action,
    text,
    by: actor.role,
    ...(thought === undefined ? {} : { thought }),
    screen,
    ...(image === undefined ? {} : { image }),
    applied: outcome.applied,
    ...(outcome.result === undefined ? {} : { result: outcome.result }),
  };
}

/** Pictures are large: agents are shown those of so many steps before. */
export const picturesBefore = 4;

/** What an agent may see when it is asked for an action. Nothing in it is privileged. */
export interface View {
  readonly instruction: string;
  /** What a memory tells beside the task. Its words may come from screens: they are data, as those of a screen are. */
  readonly notes?: string;
  readonly observation: Observation;
  /** The steps that led here, one line each, oldest first. */
  readonly history: readonly string[];
  /** The same steps in full. */
  readonly path: readonly PastStep[];
  /** The tools of the environment, for agents that call them. */
  readonly tools: readonly ToolInfo[];
  /** False when there is nothing to click or fill. */
  readonly hasScreen?: false;
  /** The agent of a team whose turn it is, where a world has several. */
  readonly role?: string;
  /** The only source of chance that an agent may draw from. */
  readonly random: Random;
  /** Where an agent hands over what it asked models; left out where nothing is recorded. */
  readonly recordCall?: RecordCall;
}

/** The part of a view that a training row carries. */
export type Situation = Pick<View, 'instruction' | 'history'> & { readonly screen: string };

const taskHead = 'Task\n';
const historyHead = '\n\nSteps so far\n';
const screenHead = '\n\nScreen\n';
const noSteps = '(none)';

/** What an agent is told, as one text: what a chat row's user message says. */
export function writePrompt({ instruction, history, screen }: Situation): string {
  const steps = history.length === 0 ? noSteps : history.map((step, index) => `${index + 1}. ${step}`).join('\n');
  return taskHead + onLine(instruction) + historyHead + steps + screenHead + screen;
}

/** Reads such a text back; null when it is none. */
export function readPrompt(text: string): Situation | null {
  const historyAt = text.indexOf(historyHead);
  const screenAt = text.indexOf(screenHead, historyAt);
  if (!text.startsWith(taskHead) || historyAt < 0 || screenAt < 0) return null;
  const steps = text.slice(historyAt + historyHead.length, screenAt);
  return {
    instruction: text.slice(taskHead.length, historyAt),
    history: steps === noSteps ? [] : steps.split('\n').map(line => line.slice(line.indexOf(' ') + 1)),
    screen: text.slice(screenAt + screenHead.length),
  };
}

/** A step as a line of history: `click button "Remove" in "Desk Lamp Halo"`. */
export function describeStep(action: Action, screen: string, problem?: string): string {
  const done = stepText(action, screen);
  return onLine(problem === undefined ? done : `${done} (refused: ${problem})`);
}

function stepText(action: Action, screen: string): string {
  switch (action.kind) {
    case 'click':
      return `click ${targetText(action.ref, screen)}`;
    case 'fill':
      return `fill ${targetText(action.ref, screen)} with ${JSON.stringify(action.text)}`;
    case 'select':
      return `select ${JSON.stringify(action.option)} for ${targetText(action.ref, screen)}`;
    case 'call':
      return `call ${action.tool} ${JSON.stringify(action.input)}`;
    case 'finish':
      if (action.infeasible) return 'finish as infeasible';
      return action.answer === undefined ? 'finish' : `finish with the answer ${JSON.stringify(action.answer)}`;
    default:
      return describeBrowserAction(action);
  }
}

/** The element by its role and name, and by the row it stands in. */
function targetText(ref: string, screen: string): string {
  const lines = readScreen(lineageOf(ref, screen));
  const line = lines.find(candidate => candidate.ref === ref);
  if (line === undefined) return ref;
  const row = rowOf(lines, line);
  const inside = line.role === 'text' ? firstTexts(ref, screen) : '';
  const target = inside === '' ? `${line.role} "${line.name}"` : `${line.name} "${inside}"`;
  return `${target}${row === null ? '' : ` in "${row.name}"`}`;
}

/** A row without a name is known by what stands in it first. */
function firstTexts(ref: string, screen: string): string {
  const lines = readScreen(screen);
  const at = lines.findIndex(line => line.ref === ref);
  const depth = lines[at]?.depth ?? 0;
  const texts: string[] = [];
  for (let next = at + 1; texts.length < mostTexts; next++) {
    const line = lines[next];
    if (line === undefined || line.depth <= depth) break;
    if (line.name !== '') texts.push(line.name);
  }
  return texts.join(', ');
}

const mostTexts = 2;

/** The line of an element and the lines it stands in: all that its description needs. */
function lineageOf(ref: string, screen: string): string {
  const mark = `[${ref}] `;
  let at = screen.indexOf(mark);
  let start = 0;
  for (; at >= 0; at = screen.indexOf(mark, at + 1)) {
    start = screen.lastIndexOf('\n', at) + 1;
    if (screen.slice(start, at).trim() === '') break;
  }
  if (at < 0) return '';
  const close = screen.indexOf('\n', at);
  const lines = [screen.slice(start, close < 0 ? screen.length : close)];
  for (let end = start - 1, indent = at - start; end > 0 && indent > 0; ) {
    const begin = screen.lastIndexOf('\n', end - 1) + 1;
    let text = begin;
    while (screen[text] === ' ') text++;
    if (text - begin < indent) {
      lines.push(screen.slice(begin, end));
      indent = text - begin;
    }
    end = begin - 1;
  }
  return lines.toReversed().join('\n');
}

/** The row or item of a list that a line stands in. */
export function rowOf(lines: readonly ScreenLine[], line: ScreenLine): ScreenLine | null {
  for (let at = lines[line.parent]; at !== undefined; at = lines[at.parent]) {
    if (at.role === 'listitem' || at.role === 'row') return at;
  }
  return null;
}
