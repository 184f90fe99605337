import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { forgeTasks, type ForgeResult } from './forge.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-forge-'));
afterAll(() => rmSync(folder, { recursive: true }));

const library = readFileSync(join(import.meta.dirname, '../../examples/library/library.ts'), 'utf8');
const lending = "about: 'Lend a book to a named reader.',\n  split: 'train',";
const instruction = '`Lend "${title}" to ${reader}.`';

/** Forges from the library, with its template about lending in this split and in words like those of forged tasks. */
function forgeWith(split: string): Promise<ForgeResult> {
  const file = join(folder, `${split}.ts`);
  const moved = lending.replace('train', split);
  const reworded = '`Please lend the book "${title}" to the reader "${reader}".`';
  writeFileSync(
    file,
    library.replace(lending, () => moved).replace(instruction, () => reworded),
  );
  return forgeTasks({ app: `forge:${file},kinds=commands`, seeds: 2, nodes: 1000 });
}

it('[FORGE-15] a command that only the second held-out set asks for is not forged from', async () => {
  const admitted = ({ tasks }: ForgeResult): string[] => tasks.map(({ template }) => template);
  expect([lending, instruction].map(text => library.split(text).length)).toEqual([2, 2]);
  const taught = await forgeWith('train');
  expect(admitted(taught)).toContain('lend-book.forged');
  const heldOut = await forgeWith('test-2');
  expect(admitted(heldOut)).not.toContain('lend-book.forged');
  expect(heldOut.templates.all).toBe(taught.templates.all - 1);
  // Nothing else is left out for it.
  expect(admitted(taught).filter(template => template !== 'lend-book.forged')).toEqual(admitted(heldOut));
});
