import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { goalOf, heldOutOf } from './held-out-tasks.ts';
import { readTasks, readTasksOnce, workOnApps } from './study-apps.ts';

const host = createSystemHost({ workers: 0 });
const desk = join(import.meta.dirname, '../../test/fixtures/wai-study/desk');
const root = mkdtempSync(join(tmpdir(), 'espalier-apps-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const verbs = ['Star', 'Archive', 'Rename', 'Print', 'Send', 'Close'];
const nouns = ['ale', 'bow', 'cup', 'dam', 'elk', 'fig', 'gun', 'hat', 'ink', 'jug'];

describe('held-out tasks of a study', () => {
  it('[SEARCH-62] are drawn by app and instruction, whatever their tasks are called', () => {
    const asked = Array.from(
      { length: 60 },
      (_, at) => `${verbs[at % 6]} ${nouns[at % 10]} ${Math.floor(at / 30)}x${at}`,
    );
    const heldOutIn = (app: string, name = 'task'): number[] => {
      const tasks = asked.map((instruction, at) => ({ id: `${name}-${at}`, instruction, isHeldOut: null }));
      return [...heldOutOf(app, tasks)].map(id => Number(id.split('-')[1])).toSorted((one, other) => one - other);
    };
    const [mail, shop] = [heldOutIn('mail'), heldOutIn('shop')];
    expect(heldOutIn('mail', 'other')).toEqual(mail);
    expect(mail).not.toEqual(shop);
    for (const own of [mail, shop]) expect(own.length).toBeGreaterThan(0);
    for (const own of [mail, shop]) expect(own.length).toBeLessThan(30);
  });

  it('[SEARCH-62] are never asked for in other words by a task that is trained on', () => {
    const twins = [
      "Delete the 'Simple Clean' branding theme.",
      'Delete the branding theme Simple Clean',
      "Remove the tag 'Smoker' from patient Marcus Johnson.",
      "Remove the 'Smoker' tag from Marcus Johnson's chart.",
      'Turn off the weekly digest.',
    ];
    expect(goalOf(twins[0] ?? '')).toBe(goalOf(twins[1] ?? ''));
    expect(goalOf('Star the note A1.')).not.toBe(goalOf('Star the note A2.'));
    const tasks = twins.map((instruction, at) => ({ id: `t${at}`, instruction, isHeldOut: null }));
    const splits = Array.from({ length: 40 }, (_, at) => heldOutOf(`app-${at}`, tasks));
    for (const split of splits) {
      expect(split.has('t0')).toBe(split.has('t1'));
      expect(split.has('t2')).toBe(split.has('t3'));
    }
    expect(splits.some(split => split.has('t0') && !split.has('t2') && !split.has('t4'))).toBe(true);
    // Whatever is listed decides for what asks for the same.
    const listed = tasks.map((task, at) => ({ ...task, isHeldOut: at === 1 ? true : at === 2 ? false : null }));
    for (let at = 0; at < 40; at++) {
      const split = heldOutOf(`app-${at}`, listed);
      expect(['t0', 't1', 't2', 't3'].filter(id => split.has(id))).toEqual(['t0', 't1']);
    }
  });

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

describe('apps of a study', () => {
  const apps = ['ale', 'bow', 'cup', 'dam'].map(id => ({ id, name: `wai:${id}` }));
  const signal = new AbortController().signal;

  it('[SEARCH-106] are worked on several at once, and told in their order', async () => {
    let [running, most] = [0, 0];
    const found = await workOnApps(apps, { atOnce: 3, signal }, async ({ id }) => {
      most = Math.max(most, ++running);
      await new Promise(resolve => setTimeout(resolve, id === 'ale' ? 20 : 1));
      running--;
      return id;
    });
    expect([found, most]).toEqual([['ale', 'bow', 'cup', 'dam'], 3]);
  });

  it('[SEARCH-106] are not begun after one has failed', async () => {
    const begun: string[] = [];
    const work = async ({ id }: { id: string }): Promise<void> => {
      begun.push(id);
      if (id === 'bow') throw new Error('no such app');
      await new Promise(resolve => setTimeout(resolve, 1));
    };
    await expect(workOnApps(apps, { atOnce: 2, signal }, work)).rejects.toThrow('no such app');
    expect(begun).toEqual(['ale', 'bow']);
  });
});

interface FolderTask {
  readonly id: string;
}

/** `desk/real-task-click-1/1` and `desk/function-task-click-1/1` ask for the same. */
const numberOf = (id: string): string => id.replace(/real-|function-/, '');
