import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMiniwobFolder } from './folder.ts';

const fixture = join(import.meta.dirname, '../../../../../test/fixtures/miniwob');
const refusal = (path: string): Promise<unknown> => readMiniwobFolder(path).catch((cause: unknown) => cause);
let place: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'espalier-miniwob-'));
});

afterEach(() => rmSync(place, { recursive: true }));

function writeFolder(root: string, pages: Record<string, string>): void {
  mkdirSync(join(place, root, 'core'), { recursive: true });
  mkdirSync(join(place, root, 'miniwob'), { recursive: true });
  writeFileSync(join(place, root, 'core/core.js'), 'var core = {};');
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(place, root, 'miniwob', name), text);
}

const page = '<title> Press\n it </title><script src="../core/core.js"></script>';

describe('a MiniWoB++ folder', () => {
  it('[MWB-1] has a template for every page that uses its core, and tells what is left out', async () => {
    const { pages, leftOut } = await readMiniwobFolder(fixture);
    expect(pages.map(({ template }) => template)).toEqual([
      'broken-problem',
      'late-button',
      'move-box',
      'noisy-load',
      'press-button',
      'restless',
      'tick-boxes',
      'type-word',
    ]);
    expect(leftOut).toEqual(['miniwob/about.html: it does not use core/core.js.']);
    writeFolder('.', { 'press-it.html': page, 'Press It.html': page, 'notes.txt': page });
    const written = await readMiniwobFolder(place);
    expect(written.pages).toEqual([{ template: 'press-it', title: 'Press it', path: '/miniwob/press-it.html' }]);
    expect(written.leftOut).toEqual([expect.stringContaining('Press It.html: its name is not')]);
  });

  it('[MWB-1] is found from the folder above, and from that of the pages', async () => {
    writeFolder('miniwob/html', { 'press-it.html': page });
    const root = join(place, 'miniwob/html');
    for (const named of ['.', 'miniwob', 'miniwob/html', 'miniwob/html/miniwob', 'miniwob/html/core'])
      expect((await readMiniwobFolder(join(place, named))).root, named).toBe(root);
  });

  it('[MWB-2] is refused when it is not there, has no core, or no page', async () => {
    const nowhere = join(place, 'nothing');
    expect(await refusal(nowhere)).toMatchObject({ boundary: 'input', code: 'unavailable' });
    expect(await refusal(place)).toMatchObject({
      boundary: 'input',
      code: 'invalid-app',
      message: expect.stringContaining('has no core/core.js'),
    });
    writeFolder('.', { 'other.html': '<title>Other</title>' });
    expect(await refusal(place)).toMatchObject({
      boundary: 'input',
      code: 'invalid-app',
      message: expect.stringContaining('no page that uses core/core.js'),
    });
  });
});
