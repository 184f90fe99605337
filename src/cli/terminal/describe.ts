import { describeBrowserAction, isBrowserAction, type Action } from '../../core/action.ts';
import type { CallEvent } from '../../core/chat/model.ts';
import { isStateSession, type Session } from '../../core/contracts.ts';
import type { Task, Verdict } from '../../core/records.ts';
import { createScreen, elementAt } from '../../core/ui.ts';
import { count } from '../../core/text.ts';
import { wrap, type Output, type Paint } from './output.ts';

/** An element as a person would name it. */
export interface Element {
  readonly role: string;
  readonly label: string;
}

export async function elementOn(session: Session, ref: string): Promise<Element | null> {
  if (isStateSession(session)) {
    const node = elementAt(createScreen(session.screen()), ref);
    return node === undefined ? null : { role: node.role, label: `${node.role} "${node.name ?? ''}"` };
  }
  const { text } = await session.observe();
  const line = text.split('\n').find(shown => shown.trimStart().startsWith(`[${ref}] `));
  const label = line?.trim().slice(ref.length + 3);
  return label === undefined ? null : { role: label.split(' ', 1)[0] ?? '', label };
}

/** An action with the element it hits in the state the session is in: `click [e12] button "Archive"`. */
export async function describeStep(session: Session, action: Action, paint: Paint): Promise<string> {
  if (action.kind === 'finish') {
    const said = action.infeasible === true ? 'infeasible' : action.answer;
    return said === undefined ? paint.bold('finish') : `${paint.bold('finish')} ${paint.cyan(said)}`;
  }
  if (action.kind === 'call') return `${paint.bold('call')} ${action.tool} ${paint.dim(JSON.stringify(action.input))}`;
  if (isBrowserAction(action)) return paint.bold(describeBrowserAction(action));
  const element = await elementOn(session, action.ref);
  const target = `${paint.bold(action.kind)} ${paint.dim(`[${action.ref}]`)} ${element?.label ?? '(not on this screen)'}`;
  if (action.kind === 'click') return target;
  const entered = action.kind === 'fill' ? action.text : action.option;
  return `${target} ${paint.dim(action.kind === 'fill' ? 'with' : 'to')} ${paint.cyan(JSON.stringify(entered))}`;
}

export function showTask(output: Output, task: Task): void {
  const { paint } = output;
  const facts = [task.id, task.split, ...(task.kind === 'feasible' ? [] : [task.kind])];
  output.line(paint.dim(facts.join(' · ')));
  output.line(paint.bold(wrap(task.instruction, output.width, '')));
}

/** One line per check, then whether anything else was touched, where that is known. */
export function checkLines({ checks, clean, evidence }: Verdict, paint: Paint): string[] {
  const lines = checks.map(({ name, pass }) => `${mark(pass, paint)} ${name}`);
  if (clean && evidence.sideEffectsKnown === false) return lines;
  if (clean) return [...lines, `${mark(true, paint)} nothing else was changed`];
  const shown = evidence.sideEffects.slice(0, 5).join(', ');
  const more = evidence.sideEffects.length - 5;
  return [
    ...lines,
    `${mark(false, paint)} changed what the task does not allow: ${shown}${more > 0 ? `, ${more} more` : ''}`,
  ];
}

export function verdictWord(verdict: Verdict, paint: Paint): string {
  if (verdict.pass) return paint.green(paint.bold('passed'));
  const failed = verdict.checks.filter(check => !check.pass).length;
  const reasons = [failed > 0 ? `${count(failed, 'check')} not met` : '', verdict.clean ? '' : 'not clean'];
  return `${paint.red(paint.bold('failed'))}: ${reasons.filter(reason => reason !== '').join(', ')}`;
}

export function mark(pass: boolean, paint: Paint): string {
  return pass ? paint.green('✓') : paint.red('✗');
}

export function milliseconds(duration: number): string {
  if (duration < 10) return `${duration.toFixed(1)} ms`;
  return duration < 10_000 ? `${Math.round(duration).toLocaleString('en')} ms` : `${(duration / 1000).toFixed(1)} s`;
}

/** `qwen3 2 times, 1 of no use, 1,203 + 41 tokens, $0.0012`. */
export function callsText(calls: readonly CallEvent[]): string {
  const models = [...new Set(calls.map(({ model }) => model))].join(', ');
  const unusable = calls.filter(({ problem }) => problem !== null).length;
  const usage = calls.flatMap(call => call.usage ?? []);
  const sum = (key: 'prompt' | 'completion'): number => usage.reduce((total, used) => total + used[key], 0);
  const costs = calls.flatMap(({ cost }) => cost ?? []);
  return [
    `${models}${calls.length === 1 ? '' : ` ${calls.length} times`}`,
    ...(unusable === 0 ? [] : [`${unusable} of no use`]),
    ...(usage.length === 0 ? [] : [`${sum('prompt').toLocaleString('en')} + ${count(sum('completion'), 'token')}`]),
    ...(costs.length === 0 ? [] : [`$${costs.reduce((total, cost) => total + cost, 0).toPrecision(2)}`]),
  ].join(', ');
}
