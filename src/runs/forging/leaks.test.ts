import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { collect } from '../../library/collect.ts';
import { forgeTasks, writeTasks } from '../forge.ts';
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

it.each([
  ['leave-out=reserve_book', 4],
  ['held-out=yes', 6],
])('[FORGE-7] names the tasks of a run that ask for the same as a held-out template: %s', async (option, all) => {
  const run = join(folder, option);
  await collect({
    folder: run,
    // Another command is left out by name, or none is, so lending is not.
    environments: [`forge:${heldOutLibrary()},kinds=commands,${option}`],
    student: 'planner',
    strategy: 'linear',
    instances: 2,
  });
  const { compared, leaks, others } = await findLeaks({ folder: run });
  expect(compared).toBe(all);
  expect(leaks.map(({ task }) => task.split('/')[1])).toEqual(['lend-book.forged', 'lend-book.forged']);
  expect(leaks[0]?.reason).toBe('it uses lend_book, which only held-out templates ask for');
  expect(others.map(task => task.split('/')[1])).toContain('return-book.forged');
  expect(others).toHaveLength(all - 2);
});

it('[FORGE-7] finds them in folders of forged tasks as well', async () => {
  const app = heldOutLibrary();
  const tasks = join(folder, 'tasks');
  const name = `forge:${app},kinds=commands,held-out=yes`;
  await writeTasks(tasks, await forgeTasks({ app: name, seeds: 1, nodes: 1000 }));
  const run = join(folder, 'of-tasks');
  await collect({
    folder: run,
    environments: [`forge:${tasks}`],
    student: 'planner',
    strategy: 'linear',
    instances: 1,
  });
  const { leaks } = await findLeaks({ folder: run });
  expect(leaks.map(({ task }) => task.split('/')[1])).toEqual(['lend-book.forged']);
});
