import type { StateSession } from '../../core/contracts.ts';
import type { Task } from '../../core/records.ts';
import type { RunOutcome } from '../code/sandbox/run-program.ts';
import { createRunners, type Runners } from '../code/sandbox/runners.ts';
import { readAnswer } from '../problems/types/read-answer.ts';
import { sameValue } from '../problems/types/type.ts';
import { readTriple } from './loong-environment.ts';
import { runPython } from './loong-rules.ts';
import type { Triple } from './triple.ts';

const finish = (session: StateSession, answer: string): void => void session.step({ kind: 'finish', answer });

/** Agents that compute nothing. */
export const loongBaselines = [
  { name: 'nothing', play: (session: StateSession) => finish(session, '0') },
  { name: 'the last number', play: (session: StateSession) => finish(session, numbersIn(session.task).at(-1) ?? '') },
  { name: 'the first number', play: (session: StateSession) => finish(session, numbersIn(session.task)[0] ?? '') },
];

function numbersIn({ instruction }: Task): string[] {
  return (instruction.split('\n\n')[0] ?? '').match(/\d+/g) ?? [];
}

/** Runs the program of each task: what is printed must be the answer that was worked out without it. */
export function createTripleFault(runners: Runners = createRunners()): (task: Task) => string | null {
  return task => tripleFault(readTriple(task), runners);
}

/** What is wrong with a triple; null when its program prints its answer. */
export function tripleFault({ form, data }: Triple, runners: Runners): string | null {
  const outcome = runPython(runners.blocking(), form.code(data)) as RunOutcome;
  if (outcome.kind !== 'done') return `the program of ${form.name} ended with ${outcome.kind}`;
  const answer = form.solve(data);
  const printed = readAnswer(form.output, outcome.output);
  if ('value' in printed && sameValue(printed.value, answer)) return null;
  return `the program of ${form.name} prints ${outcome.output.trim().slice(0, 60)}, but the answer is ${form.output.write(answer)}`;
}
