import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWaiFolder } from './folder.ts';

const fixtures = join(import.meta.dirname, '../../../../../test/fixtures/wai');
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-wai-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const task = { id: 'task_e1', difficulty: 'easy', instruction: 'Do it.', verify: 'real-tasks/task_e1.py' };

function make(tasks: unknown, files: Record<string, string | Buffer> = {}): string {
  mkdirSync(join(folder, 'real-tasks'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<title>Made</title>');
  writeFileSync(join(folder, 'real-tasks/task_e1.py'), '');
  if (tasks !== undefined) writeFileSync(join(folder, 'real-tasks.json'), JSON.stringify(tasks));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

describe('app folders', () => {
  it('[WAI-1] gives the tasks of both files, each under a name of its own', async () => {
    const board = await readWaiFolder(join(fixtures, 'board'));
    expect(board).toMatchObject({ id: 'board', title: 'Workshop Board', leftOut: [] });
    expect(board.tasks.map(({ template }) => template)).toEqual([
      'real-task-e1',
      'real-task-e2',
      'real-task-m1',
      'real-task-h1',
      'function-task-e1',
    ]);
    expect(board.tasks[0]).toMatchObject({
      id: 'task_e1',
      group: 'real',
      difficulty: 'easy',
      instruction: 'Move the card "Order beeswax" on by one column.',
    });
    expect(board.tasks[4]).toMatchObject({ id: 'task_e1', group: 'function', difficulty: null });
    expect((await readWaiFolder(join(fixtures, 'notes'))).title).toBe('Notes & Tags');
  });

  it('[WAI-1] makes names of ids that are none', async () => {
    const odd = ['1', 'Écrire!', 'A  b__C', '***'].map(id => ({ ...task, id }));
    const { tasks } = await readWaiFolder(make(odd));
    expect(tasks.map(({ template }) => template)).toEqual(['real-1', 'real-crire', 'real-a-b-c', 'real']);
    for (const { template } of tasks) expect(template).toMatch(/^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/);
  });

  it('[WAI-2] leaves out a task without a verifier or with a name that is taken, and says so', async () => {
    const faulty = await readWaiFolder(join(fixtures, 'faulty'));
    expect(faulty.leftOut).toEqual(['real-tasks.json: task_missing: there is no real-tasks/task_missing.py.']);
    expect(faulty.tasks.map(({ id }) => id)).not.toContain('task_missing');
    const twice = await readWaiFolder(make([task, { ...task, id: 'TASK-E1' }]));
    expect(twice.leftOut).toEqual(['real-tasks.json: TASK-E1: another task is called real-task-e1 already.']);
    expect(twice.tasks).toHaveLength(1);
    const aFolder = await readWaiFolder(make([{ ...task, verify: 'real-tasks' }]));
    expect(aFolder.leftOut).toEqual(['real-tasks.json: task_e1: there is no real-tasks.']);
  });

  it('[WAI-2] refuses what is no app folder, and says what is missing', async () => {
    const cases: [string, RegExp][] = [
      [join(folder, 'nowhere'), /There is no folder .*nowhere/],
      [join(fixtures, 'board/index.html'), /is not a folder/],
      [folder, /has no index\.html/],
      [join(fixtures, 'board/js/cards.js/deeper'), /There is no folder/],
    ];
    for (const [path, message] of cases) {
      await expect(readWaiFolder(path)).rejects.toThrow(message);
      await expect(readWaiFolder(path)).rejects.toMatchObject({ boundary: 'input' });
    }
    await expect(readWaiFolder(make(undefined))).rejects.toThrow(
      /has no tasks.*real-tasks\.json or function-tasks\.json/,
    );
  });

  it('[WAI-2] refuses a task file that cannot be read, and says where', async () => {
    const broken: [string | Buffer, RegExp][] = [
      ['[\n  {"id": "a",\n   oops}]', /real-tasks\.json is not JSON: .*line 3 column 4/],
      ['', /real-tasks\.json is not JSON/],
      ['{"id": "a"}', /is not a list of tasks: value: /],
      [Buffer.from([0x5b, 0xff, 0x5d]), /real-tasks\.json is not UTF-8/],
      [JSON.stringify([task, { ...task, instruction: ' ' }]), /1\.instruction: a task needs an instruction/],
      [JSON.stringify([{ ...task, instruction: undefined }]), /0\.instruction/],
      [JSON.stringify([{ ...task, id: 7 }]), /0\.id/],
    ];
    for (const [content, message] of broken) {
      const reading = readWaiFolder(make(undefined, { 'real-tasks.json': content }));
      await expect(reading).rejects.toThrow(message);
      await expect(reading).rejects.toMatchObject({ boundary: 'input', code: 'invalid-app' });
    }
    await expect(readWaiFolder(make([task], { 'index.html': Buffer.from([0xc3, 0x28]) }))).rejects.toThrow(/not UTF-8/);
  });

  it('[WAI-2] refuses a verifier outside of the folder, also behind a link', async () => {
    make([]);
    symlinkSync(join(fixtures, 'board/real-tasks/task_e1.py'), join(folder, 'real-tasks/link.py'));
    const ways = ['../elsewhere.py', '/etc/hostname', 'real-tasks/../../x.py', 'real-tasks/link.py', '.'];
    for (const verify of ways)
      await expect(readWaiFolder(make([{ ...task, verify }])), verify).rejects.toThrow(/outside of the folder/);
  });
});
