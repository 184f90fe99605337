import type { Action } from '../../../src/core/action.ts';
import type { Observation } from '../../../src/core/records.ts';
import type { Random } from '../../../src/core/random.ts';

/** A step by what an element is called, so that it still fits when other features are taken out of the page. */
export type WalkStep =
  | { readonly kind: 'click'; readonly target: string }
  | { readonly kind: 'hover'; readonly target: string }
  | { readonly kind: 'fill'; readonly target: string; readonly text: string }
  | { readonly kind: 'select'; readonly target: string; readonly option: string }
  | { readonly kind: 'press'; readonly key: string }
  | { readonly kind: 'type'; readonly text: string }
  /** By pixels, in the middle of an element, or where the page is empty. */
  | { readonly kind: 'click-at'; readonly target: string; readonly how: ClickKind }
  | { readonly kind: 'drag'; readonly target: string; readonly to: string }
  | { readonly kind: 'scroll'; readonly target: string; readonly dx: number; readonly dy: number }
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | { readonly kind: 'back' }
  /** Goes to the node of this number, or to the last one when there are fewer. */
  | { readonly kind: 'rollback'; readonly node: number };

type ClickKind = 'left' | 'right' | 'double';

/** The target of what is done where the page is empty: at its lower right corner. */
const emptyPlace = 'page';
const emptyPoint = { x: 592, y: 392 };

interface Seen {
  readonly ref: string;
  /** Its role and name. */
  readonly target: string;
  readonly options: readonly string[];
}

const linePattern = /^\s*\[(e\d+)\] (\w+(?: "[^"]*")?)(.*)$/;

function readElements(text: string): readonly Seen[] {
  return text.split('\n').flatMap(line => {
    const [, ref, target, rest] = linePattern.exec(line) ?? [];
    if (ref === undefined || target === undefined) return [];
    const options = /\{(.*)\}/.exec(rest ?? '')?.[1]?.split(' | ') ?? [];
    return [{ ref, target, options }];
  });
}

/** The action that a step is on this screen; null when there is nothing of that name, or it cannot be pointed at. */
export function actionFor(step: Exclude<WalkStep, { kind: 'rollback' }>, seen: Observation): Action | null {
  switch (step.kind) {
    case 'press':
    case 'wait':
    case 'back':
    case 'type':
      return step;
    case 'click-at':
    case 'drag':
    case 'scroll':
    case 'hover':
      return pointedAt(step, seen);
    default: {
      const ref = refOf(step.target, seen);
      if (ref === undefined) return null;
      if (step.kind === 'click') return { kind: 'click', ref };
      if (step.kind === 'fill') return { kind: 'fill', ref, text: step.text };
      return { kind: 'select', ref, option: step.option };
    }
  }
}

function refOf(target: string, { text }: Observation): string | undefined {
  return readElements(text).find(element => element.target === target)?.ref;
}

type Pointing = Extract<WalkStep, { kind: 'click-at' | 'drag' | 'scroll' | 'hover' }>;

function pointedAt(step: Pointing, seen: Observation): Action | null {
  const point = pointOf(step.target, seen);
  if (point === null) return null;
  switch (step.kind) {
    case 'hover':
      return { kind: 'hover-at', ...point };
    case 'scroll':
      return { kind: 'scroll', ...point, dx: step.dx, dy: step.dy };
    case 'drag': {
      const to = pointOf(step.to, seen);
      return to === null ? null : { kind: 'drag', from: point, to };
    }
    case 'click-at': {
      if (step.how === 'left') return { kind: 'click-at', ...point };
      return { kind: 'click-at', ...point, ...(step.how === 'right' ? { button: 'right' } : { double: true }) };
    }
  }
}

/** The middle of an element; null when it cannot be seen. */
function pointOf(target: string, seen: Observation): { readonly x: number; readonly y: number } | null {
  if (target === emptyPlace) return emptyPoint;
  const ref = refOf(target, seen);
  const box = seen.layout?.elements.find(element => element.ref === ref)?.box;
  if (box === undefined || box.x < 0 || box.y < 0) return null;
  return { x: Math.floor(box.x + box.width / 2), y: Math.floor(box.y + box.height / 2) };
}

const texts = ['', 'a', 'ab c', '7', '2026-03-04', 'x@y.z', '#aa0000', '10:30', 'Pear'];
const keys = [
  'Tab',
  'Tab',
  'Shift+Tab',
  'Enter',
  'Escape',
  'ArrowDown',
  'ArrowLeft',
  'a',
  'Backspace',
  'Home',
  'Control+a',
  'Control+z',
  'Space',
  'F2',
];

/** Draws a step on this screen; mostly one of those that change something. `own` are keys that features of the page name. */
export function drawStep(random: Random, { text }: Observation, own: readonly string[]): WalkStep {
  const elements = readElements(text);
  const changes = elements.filter(({ target }) => target.startsWith('button "Do '));
  const others = elements.filter(({ target }) => !/^button "(Do |Show)/.test(target));
  if (own.length > 0 && random.chance(0.4)) return { kind: 'press', key: random.pick(own) };
  if (random.chance(0.2)) return drawByHand(random, elements);
  const share = random.next();
  if (share < 0.08) return { kind: 'press', key: random.pick(keys) };
  if (share < 0.12) return { kind: 'wait', milliseconds: random.pick([100, 500, 1500]) };
  if (share < 0.17 && elements.length > 0) return { kind: 'hover', target: random.pick(elements).target };
  if (share < 0.19) return { kind: 'back' };
  if (share < 0.27) return { kind: 'click', target: 'button "Show"' };
  if (others.length > 0 && (share < 0.5 || changes.length === 0)) return drawOn(random.pick(others), random);
  return changes.length === 0 ? { kind: 'press', key: 'F2' } : { kind: 'click', target: random.pick(changes).target };
}

const typedTexts = ['a', 'b7', 'Pear', ' ', '\n', '2'];

/** By pixels and keys, as agents do that see pictures only. */
function drawByHand(random: Random, elements: readonly Seen[]): WalkStep {
  const place = (): string =>
    elements.length === 0 || random.chance(0.15) ? emptyPlace : random.pick(elements).target;
  switch (random.pick(['type', 'click-at', 'click-at', 'drag', 'scroll'] as const)) {
    case 'type':
      return { kind: 'type', text: random.pick(typedTexts) };
    case 'click-at':
      return { kind: 'click-at', target: place(), how: random.pick(['left', 'left', 'right', 'double'] as const) };
    case 'drag':
      return { kind: 'drag', target: place(), to: place() };
    case 'scroll':
      return { kind: 'scroll', target: place(), dx: random.pick([0, 0, 40]), dy: random.pick([-80, 30, 120, 600]) };
  }
}

function drawOn({ target, options }: Seen, random: Random): WalkStep {
  if (options.length > 0) return { kind: 'select', target, option: random.pick(options) };
  if (target.startsWith('textbox') && random.chance(0.7)) return { kind: 'fill', target, text: random.pick(texts) };
  return { kind: 'click', target };
}

/** Whether a page is asked for its read-outs by mouse or by key, which moves no focus. */
export const showSteps: readonly WalkStep[] = [
  { kind: 'click', target: 'button "Show"' },
  { kind: 'press', key: 'F2' },
];

export function describeStep(step: WalkStep): string {
  switch (step.kind) {
    case 'fill':
      return `fill ${step.target} with ${JSON.stringify(step.text)}`;
    case 'select':
      return `select ${JSON.stringify(step.option)} in ${step.target}`;
    case 'press':
      return `press ${step.key}`;
    case 'type':
      return `type ${JSON.stringify(step.text)}`;
    case 'click-at':
      return `${step.how} click at ${step.target}`;
    case 'drag':
      return `drag ${step.target} to ${step.to}`;
    case 'scroll':
      return `scroll by (${step.dx}, ${step.dy}) at ${step.target}`;
    case 'wait':
      return `wait ${step.milliseconds} ms`;
    case 'back':
      return 'go back in history';
    case 'rollback':
      return `roll back to step ${step.node}`;
    default:
      return `${step.kind} ${step.target}`;
  }
}
