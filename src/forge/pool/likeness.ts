import type { Action } from '../../core/action.ts';
import type { StateEnvironment } from '../../core/contracts.ts';
import { diff } from '../../core/diff.ts';
import { scalars, type Json } from '../../core/json.ts';
import { parsePath } from '../../core/path.ts';
import type { Task } from '../../core/records.ts';
import { toolCallsOf } from '../admission/wrong-pass/gold-calls.ts';

/** What a task asks for, in general: the words around its values, and the kinds of places that its solution changes. */
export interface TaskSketch {
  readonly task: Task;
  readonly words: ReadonlySet<string>;
  /** Words and values together: two tasks with the same ones are one task. */
  readonly terms: ReadonlySet<string>;
  readonly shape: string;
  /** The commands that its solution uses, each as often as it does. */
  readonly commands: readonly string[];
}

export interface SolvedTask {
  readonly task: Task;
  readonly actions: readonly Action[];
  readonly final: Json;
}

export function sketchOf(environment: StateEnvironment, { task, actions, final }: SolvedTask): TaskSketch {
  const { instruction, parameters, kind } = task;
  let bare = instruction;
  const values = scalars(parameters).map(String);
  for (const value of values.toSorted((left, right) => right.length - left.length))
    if (value !== '') bare = bare.replaceAll(value, ' ');
  const last = actions.at(-1);
  const changes = diff(environment.verifier(task).initial, final).map(({ op, path }) => {
    const [table = '', ...rest] = parsePath(path);
    return table === 'ui' ? '' : `${op} ${table} ${rest.filter(segment => !/\d/.test(segment)).join('/')}`;
  });
  const answered = last?.kind === 'finish' && last.answer !== undefined ? 'answer' : '';
  const shape = [...new Set([kind, answered, ...changes])].filter(part => part !== '').toSorted();
  const commands = toolCallsOf(environment, task, actions).map(({ tool }) => tool);
  return {
    task,
    words: wordsIn(bare),
    terms: wordsIn(instruction),
    shape: shape.join('\n'),
    commands: commands.toSorted(),
  };
}

/** What it takes to solve the task, whatever its words: the kinds of changes and the commands that make them. */
export function skillOf({ shape, commands }: TaskSketch): string | null {
  return commands.length === 0 ? null : [shape, ...commands].join('\n');
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** The share of the words of both that are in both, from 0 to 1. */
export function overlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const shared = [...left].filter(word => right.has(word)).length;
  const all = left.size + right.size - shared;
  return all === 0 ? 1 : shared / all;
}
