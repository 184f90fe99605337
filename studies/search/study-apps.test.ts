import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createImportedTasks } from '../../src/envs/imported-tasks.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { goalOf, readTasks, readTasksOnce } from './study-apps.ts';

const host = createSystemHost({ workers: 0 });
const desk = join(import.meta.dirname, '../../test/fixtures/wai-study/desk');
const root = mkdtempSync(join(tmpdir(), 'espalier-apps-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('held-out tasks of a study', () => {
  it('[SEARCH-62] differ between apps that call their tasks alike', () => {
    const names = Array.from({ length: 40 }, (_, at) => `function-task-${at}`);
    const heldOutIn = (app: string): string[] => {
      const { info } = createImportedTasks(app, new Map(names.map(name => [name, name])));
      return names.filter(name => info(name, '').split !== 'train');
    };
    const [mail, shop] = [heldOutIn('mail'), heldOutIn('shop')];
    expect(mail).toEqual(heldOutIn('mail'));
    expect(mail).not.toEqual(shop);
    for (const own of [mail, shop]) expect(own.length).toBeGreaterThan(0);
  });

  it('[SEARCH-62] take all tasks with them that ask for the same', async () => {
    expect(goalOf("Delete the 'Simple Clean' branding theme.")).toBe(goalOf('Delete the branding theme Simple Clean'));
    expect(goalOf('Star the note A1.')).not.toBe(goalOf('Star the note A2.'));
    const folder = join(root, 'desk');
    cpSync(desk, folder, { recursive: true });
    const file = join(folder, 'function-tasks.json');
    const tasks = JSON.parse(readFileSync(file, 'utf8')) as { id: string; instruction: string }[];
    const words = new Map(tasks.map(({ id, instruction }) => [id, instruction]));
    // One asks for what a held-out task asks for, in another order.
    const changed = tasks.map(task =>
      task.id === 'task_menu_1' ? { ...task, instruction: `For me: ${words.get('task_click_1')}` } : task,
    );
    const heldOutIn = async (own: typeof tasks): Promise<string[]> => {
      writeFileSync(file, JSON.stringify(own));
      const read = await readTasks({ id: 'desk', name: `wai:${folder}` }, { host, kinds: null, most: null });
      return read.tasks.flatMap(({ id, isHeldOut }) => (isHeldOut ? [id.split('/')[1] ?? ''] : []));
    };
    const before = await heldOutIn(tasks);
    expect(before).toContain('function-task-click-1');
    expect(before).not.toContain('function-task-menu-1');
    expect((await heldOutIn(changed)).toSorted()).toEqual([...before, 'function-task-menu-1'].toSorted());
  }, 120_000);

  it('[SEARCH-87] go with what a study has already, when it takes up tasks of another kind', async () => {
    const [folder, study] = [join(root, 'kinds'), join(root, 'study')];
    cpSync(desk, folder, { recursive: true });
    mkdirSync(study);
    const functions = JSON.parse(readFileSync(join(folder, 'function-tasks.json'), 'utf8')) as FolderTask[];
    const easy = functions.map(task => ({ ...task, difficulty: 'easy' }));
    writeFileSync(join(folder, 'real-tasks.json'), JSON.stringify(easy));
    const app = { id: 'desk', name: `wai:${folder}` };
    const list = { host, most: null, kindsBefore: null };
    const byRule = await readTasks(app, { ...list, kinds: ['function'] });
    // A list of before tasks were held out by app and name: the other way round.
    const before = byRule.tasks.map(task => ({ ...task, isHeldOut: !task.isHeldOut }));
    writeFileSync(join(study, 'tasks.desk.json'), JSON.stringify({ ...byRule, tasks: before }));
    const { tasks } = await readTasksOnce(app, study, { ...list, kinds: ['function', 'easy'] });
    expect(tasks.slice(0, before.length)).toEqual(before);
    const added = tasks.slice(before.length);
    expect(new Set(added.map(({ kind }) => kind))).toEqual(new Set(['easy']));
    const splitOf = (own: typeof tasks) => own.map(({ id, isHeldOut }) => [numberOf(id), isHeldOut]).toSorted();
    expect(splitOf(added)).toEqual(splitOf(before));
  }, 120_000);
});

interface FolderTask {
  readonly id: string;
}

/** `desk/real-task-click-1/1` and `desk/function-task-click-1/1` ask for the same. */
const numberOf = (id: string): string => id.replace(/real-|function-/, '');
