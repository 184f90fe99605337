import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { referenceProgram } from '../../src/envs/code/adr/statement.ts';
import type { CodeTask } from '../../src/envs/code/adr/task.ts';
import { drawTaskSet } from './task-set.ts';
import { inputOf, judgeCases } from '../../src/envs/code/environment/judge-cases.ts';
import { findCodeSandbox } from '../../src/envs/code/sandbox/find-sandbox.ts';
import { findLanguage } from '../../src/envs/code/sandbox/languages.ts';
import { createProgramRunner } from '../../src/envs/code/sandbox/run-program.ts';

const verdicts = 60;
const tasks = 10_000;

/** Milliseconds of verdicts beyond those of the same programs without a sandbox. */
export function verdictOverheads(): number[] {
  return overheadsOf([...drawTaskSet({ count: verdicts, seed: 1 })]);
}

/** Seconds for ten thousand different tasks. */
export function secondsForTasks(): number {
  const start = performance.now();
  const drawn = [...drawTaskSet({ count: tasks, seed: 7 })].length;
  if (drawn !== tasks) throw new Error(`${drawn} tasks were drawn instead of ${tasks}`);
  return (performance.now() - start) / 1000;
}

function overheadsOf(drawn: readonly CodeTask[]): number[] {
  const runner = createProgramRunner(findCodeSandbox());
  const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-'));
  const language = findLanguage('javascript');
  const file = join(folder, language.file);
  const flags = language.run.filter(part => part.startsWith('--'));
  try {
    return drawn.map((task, index) => {
      const source = referenceProgram(task);
      writeFileSync(file, source);
      const input = inputOf(task.cases);
      // Both sides have the same flags and an empty environment: then the difference is that of the sandbox.
      const bare = (): boolean => spawnSync(process.execPath, [...flags, file], { input, env: {} }).status === 0;
      const judged = (): boolean => judgeCases(runner, { language, source }, task.cases).allRight;
      // Whoever runs second finds more in the caches, so they take turns.
      if (index % 2 === 0) return -timed(bare) + timed(judged);
      return timed(judged) - timed(bare);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function timed(isRight: () => boolean): number {
  const start = performance.now();
  if (!isRight()) throw new Error('the reference program did not pass');
  return performance.now() - start;
}
