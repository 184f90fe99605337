import { availableParallelism } from 'node:os';
import { createBackgroundRunner, type BackgroundRunner } from './background-runner.ts';
import { findCodeSandbox, type CodeSandbox } from './find-sandbox.ts';
import { createProgramRunner, type ProgramRunner } from './run-program.ts';

/** Both ways to run programs in one sandbox, which is looked for when the first program runs. */
export interface Runners {
  /** Blocks this thread: for planners. */
  blocking(): ProgramRunner;
  /** For episodes. */
  background(): BackgroundRunner;
}

export function createRunners(): Runners {
  const made: { sandbox?: CodeSandbox; blocking?: ProgramRunner; background?: BackgroundRunner } = {};
  const sandbox = (): CodeSandbox => (made.sandbox ??= findCodeSandbox());
  return {
    blocking: () => (made.blocking ??= createProgramRunner(sandbox())),
    background: () =>
      (made.background ??= createBackgroundRunner({ sandbox: sandbox(), atOnce: availableParallelism() })),
  };
}
