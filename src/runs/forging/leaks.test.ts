import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { collect } from '../../library/collect.ts';
import { findLeaks } from './leaks.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-leaks-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The library with its template about lending held out. */
function heldOutLibrary(): string {
  const path = join(folder, 'library.ts');
  const source = readFileSync(join(import.meta.dirname, '../../../examples/library/library.ts'), 'utf8');
  const [before, after] = ['train', 'test'].map(
    split => `about: 'Lend a book to a named reader.',\n  split: '${split}',`,
  );
  expect(source).toContain(before);
  writeFileSync(path, source.replace(String(before), String(after)));
  return path;
}

it('[FORGE-7] names the tasks of a run that ask for the same as a held-out template', async () => {
  const run = join(folder, 'run');
  await collect({
    folder: run,
    // Another command is left out by name, so lending is not.
    environments: [`forge:${heldOutLibrary()},kinds=commands,leave-out=reserve_book`],
    student: 'planner',
    strategy: 'linear',
    instances: 2,
  });
  const { compared, leaks, others } = await findLeaks({ folder: run });
  expect(compared).toBe(4);
  expect(leaks.map(({ task }) => task.split('/')[1])).toEqual(['lend-book.forged', 'lend-book.forged']);
  expect(leaks[0]?.reason).toBe('it uses lend_book, which only held-out templates ask for');
  expect(others.map(task => task.split('/')[1])).toEqual(['return-book.forged', 'return-book.forged']);
});
