import type { Random } from '../../core/random.ts';
import type { ProgramModel } from './program-model.ts';
import { readQuestion, type Question } from './question.ts';
import { readLine } from './read-line.ts';
import { searchPrograms, type Program } from './search-programs.ts';
import { writeData, type Value } from './value.ts';

export interface SolveOptions {
  readonly model: ProgramModel;
  /** Programs that are built on at each size. */
  readonly width: number;
  /** Partial solutions of a question of several lines that are kept. */
  readonly beam: number;
  /** Partial solutions are sampled instead of the likeliest being kept; for training. */
  readonly random?: Random;
  onRun?(count: number): void;
}

/** The programs of a line that give the same value. */
interface Group extends Value {
  readonly probability: number;
  readonly members: readonly Program[];
}

/** A line as it was worked on: what could be chosen there. */
interface WorkedLine {
  readonly words: readonly string[];
  readonly programs: readonly Program[];
  readonly probabilities: Float64Array;
}

export interface Choice {
  readonly line: WorkedLine;
  readonly group: Group;
}

/** A choice for every line, and what comes of it. */
export interface Solution {
  readonly answer: string;
  readonly probability: number;
  readonly choices: readonly Choice[];
}

interface Partial {
  readonly results: readonly Value[];
  readonly choices: readonly Choice[];
  readonly probability: number;
}

/** All solutions that the search comes to, with how likely the model takes them to be. */
export function solveQuestion(instruction: string, options: SolveOptions): Solution[] {
  const question = readQuestion(instruction);
  let partial: Partial[] = [{ results: [], choices: [], probability: 1 }];
  for (const [index, text] of question.lines.entries()) {
    const isLast = index === question.lines.length - 1;
    const next = partial.flatMap(before => extend(before, { text, question: isLast ? question : null }, options));
    partial = isLast ? next : kept(next, options);
  }
  return partial.map(({ choices, probability }) => ({
    answer: writeData((choices.at(-1) as Choice).group.data),
    probability,
    choices,
  }));
}

/** The likeliest answer, summed over all solutions that give it; null when no program gives a value of the right kind. */
export function bestAnswer(
  solutions: readonly Solution[],
): { readonly answer: string; readonly probability: number } | null {
  const sums = new Map<string, number>();
  for (const { answer, probability } of solutions) sums.set(answer, (sums.get(answer) ?? 0) + probability);
  const total = [...sums.values()].reduce((sum, value) => sum + value, 0);
  let found: { answer: string; probability: number } | null = null;
  for (const [answer, sum] of sums)
    if (sum / total > (found?.probability ?? 0)) found = { answer, probability: sum / total };
  return found;
}

interface NextLine {
  readonly text: string;
  /** Of the last line: what the answer must be. */
  readonly question: Question | null;
}

function extend(before: Partial, { text, question }: NextLine, options: SolveOptions): Partial[] {
  const { model, width, onRun = () => undefined } = options;
  const { inputs, words } = readLine(text, { results: before.results, knows: model.knows });
  const all = searchPrograms({ inputs, scores: model.scoresOf(words), model, width, onRun });
  const programs = question === null ? all : all.filter(program => fitsAnswer(program, question));
  const line: WorkedLine = { words, programs, probabilities: softmax(programs) };
  return grouped(line).map(group => ({
    results: [...before.results, group],
    choices: [...before.choices, { line, group }],
    probability: before.probability * group.probability,
  }));
}

function fitsAnswer({ kind, data }: Program, { kinds, isWhole }: Question): boolean {
  return kinds.has(kind) && (!isWhole || Number.isInteger(data));
}

function softmax(programs: readonly Program[]): Float64Array {
  const most = programs.reduce((greatest, { score }) => Math.max(greatest, score), -Infinity);
  const parts = Float64Array.from(programs, ({ score }) => Math.exp(score - most));
  const total = parts.reduce((sum, part) => sum + part, 0);
  return parts.map(part => part / total);
}

function grouped({ programs, probabilities }: WorkedLine): Group[] {
  const groups = new Map<
    string,
    { kind: Value['kind']; data: Value['data']; probability: number; members: Program[] }
  >();
  for (const [index, program] of programs.entries()) {
    const { kind, data } = program;
    const key = typeof data === 'object' ? JSON.stringify(data) : `${typeof data} ${String(data)}`;
    const group = groups.get(key) ?? { kind, data, probability: 0, members: [] };
    groups.set(key, group);
    group.probability += probabilities[index] as number;
    group.members.push(program);
  }
  return [...groups.values()];
}

/** Gumbel noise on log probabilities samples without replacement. */
function kept(partial: readonly Partial[], { beam, random }: SolveOptions): Partial[] {
  const noise = (): number => (random === undefined ? 0 : -Math.log(-Math.log(random.next() + 1e-12) + 1e-12));
  return partial
    .map(one => ({ one, key: Math.log(one.probability) + noise() }))
    .toSorted((a, b) => b.key - a.key)
    .slice(0, beam)
    .map(({ one }) => one);
}
