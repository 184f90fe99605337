import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { episodesIn, library, runWarm, type Ended } from './fixtures/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-second-set-'));
afterAll(() => rmSync(folder, { recursive: true }));

const espalier = (...args: string[]): Promise<Ended> => runWarm(args, { folder });

/** The held-out template belongs to the second set. */
const secondSetLibrary = `import { createWorld } from 'espalier';
import { app } from ${JSON.stringify(library)};
const templates = app.templates.map(known => (known.split === 'test' ? { ...known, split: 'test-2' } : known));
export const environment = createWorld({ ...app, templates });
`;

test('[SPLIT-3] is collected on by name only, and nothing is trained on it', async () => {
  writeFileSync(join(folder, 'second.ts'), secondSetLibrary);
  await espalier('collect', 'second.ts', '--out', 'unnamed', '--instances', '1');
  expect(episodesIn(join(folder, 'unnamed')).map(({ head }) => head.task.split)).toEqual(['train', 'train']);

  const named = ['--templates', 'lend-to-reader,who-has-book', '--instances', '1', '--student', 'planner'];
  const { stdout } = await espalier('collect', 'second.ts', '--out', 'named', ...named);
  expect(stdout).toContain('Collected on held-out templates, as asked: who-has-book');
  const ends = episodesIn(join(folder, 'named')).map(({ head, end }) => [head.task.split, end.outcome]);
  expect(ends).toEqual([
    ['train', 'passed'],
    ['test-2', 'passed'],
  ]);

  await espalier('export', 'named', '--format', 'jsonl');
  const rows = readFileSync(join(folder, 'named', 'export', 'next-actions.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const templates = rows.map(row => (JSON.parse(row) as { template: string }).template);
  expect(new Set(templates)).toEqual(new Set(['lend-to-reader']));

  const only = ['--templates', 'who-has-book', '--instances', '1', '--student', 'planner'];
  await espalier('collect', 'second.ts', '--out', 'only', ...only);
  const exported = await espalier('export', 'only', '--format', 'jsonl');
  expect(exported).toMatchObject({ code: 1, stderr: expect.stringContaining('of held-out templates') });
});
