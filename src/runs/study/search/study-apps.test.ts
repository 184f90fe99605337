import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createImportedTasks } from '../../../envs/imported-tasks.ts';
import { createSystemHost } from '../../../system/host.ts';
import { goalOf, readTasks } from './study-apps.ts';

const host = createSystemHost({ workers: 0 });
const desk = join(import.meta.dirname, '../../../../test/fixtures/wai-study/desk');
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
});
