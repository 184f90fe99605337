import { expect, test } from 'vitest';
import { loadBeside, type ProgramsBeside } from '../src/cli/beside/programs.ts';

interface Programs {
  bench: typeof import('../bench/run.ts');
  demo: typeof import('../studies/demo/demo.ts');
  'study fleet': typeof import('../studies/fleet/study-fleet.ts');
  'study harness': typeof import('../studies/harness/study-harness.ts');
  'study loops': typeof import('../studies/loops/study-loops.ts');
  'study memory': typeof import('../studies/memory/study-memory.ts');
  'study meta': typeof import('../studies/meta/study-meta.ts');
  'study races': typeof import('../studies/races/study-races.ts');
  'study rl': typeof import('../studies/rl/study-rl.ts');
  'study strategies': typeof import('../studies/strategies/study-strategies.ts');
  'study tuning': typeof import('../studies/tuning/study-tuning.ts');
  'study wai': typeof import('../studies/search/study-search.ts');
}

/** Only the compiler runs this: the package knows the programs by types of its own. */
export const sameTypes = (programs: Programs): ProgramsBeside => programs;

test('[CLI-16] a program beside the package is loaded when its verb asks for it', async () => {
  expect(await loadBeside('study races')).toMatchObject({ races: expect.any(Function) });
});
