import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openBuiltIn } from '../src/catalog.ts';

const root = join(import.meta.dirname, '..');

/** Examples assert their own results: it is enough that they end well. */
test.each([
  ['branch-and-return.ts', 'back at step 1 by restore'],
  ['collect-and-train.ts', /^\d+ episodes gave \d+ rows; \d+ tasks were evaluated$/m],
])('[ROLL-1] [CLI-3] [LIB-1] the example %s runs', async (name, words) => {
  const node = join(root, 'node_modules', '.bin', 'node');
  const args = ['--conditions=espalier-source', join(root, 'examples', name)];
  const { stdout } = await promisify(execFile)(node, args);
  expect(stdout).toMatch(words);
});

test('[TASK-2] a built-in that does not exist is refused by name', async () => {
  await expect(openBuiltIn('male')).rejects.toThrow('Expected one of: mail, shop, tracker');
});
