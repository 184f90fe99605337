import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSystemTimers } from '../../../../system/clock.ts';
import type { Action } from '../../../../core/action.ts';
import type { Session } from '../../../../core/contracts.ts';
import { sealTask, type Task } from '../../../../core/records.ts';
import { checkLaws } from '../../../../worlds/laws.ts';
import { createTrail } from '../../../../worlds/trail.ts';
import { createBrowserPool, type BrowserPool } from '../../browser/pool.ts';
import { createMiniwobEnvironment, type MiniwobEnvironment } from './environment.ts';
import { isLong } from '../../../../../test/long-form.ts';

const fixture = join(import.meta.dirname, '../../../../../test/fixtures/miniwob');
const actor = { role: 'student', name: 'hand' } as const;
let pool: BrowserPool;
let environment: MiniwobEnvironment;

const environmentOf = (folder: string): Promise<MiniwobEnvironment> =>
  createMiniwobEnvironment({ folder, pool, viewport: { width: 500, height: 320 }, pictures: null });

beforeAll(async () => {
  pool = createBrowserPool({ timers: createSystemTimers() });
  environment = await environmentOf(fixture);
});

afterAll(() => pool.close());

async function withSession<T>(task: Task, use: (session: Session) => Promise<T>): Promise<T> {
  const session = await environment.open(task);
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

/** The element of a screen that has this line. */
async function find(session: Session, line: string): Promise<string> {
  const { text } = await session.observe();
  const ref = text
    .split('\n')
    .find(one => one.includes(`] ${line}`))
    ?.match(/\[(e\d+)\]/)?.[1];
  if (ref === undefined) throw new Error(`There is no ${line} in ${text}`);
  return ref;
}

const press = async (session: Session, line: string): Promise<Action> => ({
  kind: 'click',
  ref: await find(session, line),
});

const quoted = ({ instruction }: Task): string => instruction.match(/"(.+)"/)?.[1] ?? '';
const ended = { applied: true, end: 'terminated' };
const hasEnded = { applied: false, problem: { code: 'ended', message: expect.any(String) } };

describe('the tasks of a MiniWoB++ folder', () => {
  it('[MWB-3] are what the page asks for, the same for the same seed', async () => {
    const again = await environmentOf(fixture);
    const seeds = isLong ? [1, 2, 3, 4, 5, 6] : [1, 2, 3];
    const tasks = await Promise.all(seeds.map(seed => environment.task('press-button', seed)));
    expect(await Promise.all(seeds.map(seed => again.task('press-button', seed)))).toEqual(tasks);
    expect(new Set(tasks.map(({ instruction }) => instruction)).size).toBeGreaterThan(1);
    for (const task of tasks) {
      expect(task.instruction).toMatch(/^Press the "(Save|Send|Print|Close)" button\.$/);
      await withSession(task, async session => {
        expect((await session.observe()).text).toContain(task.instruction);
      });
    }
    // Where a page gives fields beside the words, the words count.
    expect((await environment.task('type-word', 1)).instruction).toMatch(/^Type "\w+" and press Done\.$/);
    expect(environment.templates.find(({ id }) => id === 'move-box')?.about).toBe('Move a box');
  });

  it('[MWB-3] are refused when the page asks for something else now', async () => {
    const task = await environment.task('press-button', 1);
    const altered = sealTask({ ...task, instruction: 'Press the "Eject" button.' });
    await expect(environment.open(altered)).rejects.toMatchObject({ boundary: 'environment', code: 'diverged' });
    await expect(environment.open({ ...task, instruction: 'Do nothing.' })).rejects.toMatchObject({
      code: 'invalid-task',
    });
  });

  it('[MWB-2] an unknown template is refused, and one whose page does not start is told', async () => {
    await expect(environment.task('press-nothing', 1)).rejects.toMatchObject({
      boundary: 'input',
      code: 'unknown-template',
    });
    await expect(environment.task('broken-problem', 1)).rejects.toMatchObject({
      boundary: 'environment',
      code: 'template-failed',
      message: expect.stringContaining('"broken-problem" does not start with seed 1: it threw Error: no problem today'),
    });
    expect(pool.figures().openPages).toBe(0);
  });

  it('[MWB-2] a page without a start, without chance or without words is told', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'espalier-miniwob-'));
    try {
      cpSync(fixture, folder, { recursive: true });
      const core = readFileSync(join(folder, 'core/core.js'), 'utf8');
      const said = async (text: string): Promise<string> => {
        writeFileSync(join(folder, 'core/core.js'), text);
        const changed = await environmentOf(folder);
        return Promise.resolve(changed.task('type-word', 1)).then(
          ({ instruction }) => instruction,
          (cause: Error) => cause.message,
        );
      };
      expect(await said(core)).toMatch(/^Type /);
      expect(await said('window.core = {};')).toContain('there is no core.startEpisodeReal');
      expect(await said(core.replace('Math.seedrandom', 'Math.shake'))).toContain('there is no Math.seedrandom');
      writeFileSync(
        join(folder, 'miniwob/type-word.html'),
        '<script src="../core/core.js"></script><i id="query"></i>',
      );
      const silent = `${core}\nwindow.genProblem = () => {};\nwindow.onload = () => core.startEpisode();`;
      expect(await said(silent)).toContain('it says nothing of what is to be done');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('an episode in a MiniWoB++ page', () => {
  it('[MWB-4] ends with the step after which the page says so, and nothing is applied after', async () => {
    const task = await environment.task('press-button', 2);
    await withSession(task, async session => {
      expect(await session.verify()).toMatchObject({ pass: false, progress: 0 });
      expect(await session.step(await press(session, `button "${quoted(task)}"`))).toEqual(ended);
      const digest = await session.digest();
      expect(await session.candidates?.()).toEqual([]);
      // The page shows its cover again, which starts another episode when a person clicks on it.
      expect((await session.observe()).text).toContain('START');
      expect(await session.step({ kind: 'click-at', x: 80, y: 100 })).toEqual(hasEnded);
      expect(await session.step({ kind: 'finish' })).toEqual(hasEnded);
      expect(await session.digest()).toBe(digest);
      expect(await session.verify()).toMatchObject({ pass: true, progress: 1, clean: true });
    });
  });

  it('[MWB-4] is over once: a second click of the same step starts no other', async () => {
    const task = await environment.task('press-button', 1);
    await withSession(task, async session => {
      const { layout } = await session.observe();
      const ref = await find(session, `button "${quoted(task)}"`);
      const box = layout?.elements.find(element => element.ref === ref)?.box ?? { x: 0, y: 0, width: 0, height: 0 };
      const at = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
      expect(await session.step({ kind: 'click-at', ...at, double: true })).toEqual(ended);
      expect((await session.verify()).pass).toBe(true);
    });
  });

  it('[MWB-5] passes exactly when the page ended it with a raw reward above 0', async () => {
    const task = await environment.task('press-button', 3);
    await withSession(task, async session => {
      const wrong = ['Save', 'Send', 'Print', 'Close'].filter(name => name !== quoted(task));
      const { text } = await session.observe();
      const other = wrong.find(name => text.includes(`button "${name}"`)) as string;
      expect(await session.step(await press(session, `button "${other}"`))).toEqual(ended);
      expect(await session.verify()).toMatchObject({
        pass: false,
        progress: 0,
        checks: [
          { name: 'the page has ended the episode', pass: true },
          { name: `its raw reward of -1 is above 0: pressed ${other}`, pass: false },
        ],
      });
    });
    await withSession(task, async session => {
      expect(await session.step({ kind: 'finish', answer: 'done' })).toEqual(ended);
      expect(await session.verify()).toMatchObject({ pass: false, progress: 0, evidence: { answer: 'done' } });
    });
  });

  it('[MWB-5] makes part of the progress of part of the reward', async () => {
    const task = await environment.task('tick-boxes', 1);
    const [first] = task.instruction.match(/red|green|blue|white/) as RegExpMatchArray;
    await withSession(task, async session => {
      await session.step(await press(session, `checkbox "${first}"`));
      expect(await session.step(await press(session, 'button "Done"'))).toEqual(ended);
      expect(await session.verify()).toMatchObject({ pass: true, progress: 0.5 });
    });
  });

  it('[MWB-6] takes the time its steps take: it neither runs out nor wears the reward off', async () => {
    await withSession(await environment.task('late-button', 1), async session => {
      await session.step(await press(session, 'button "First"'));
      expect((await session.observe()).text).not.toContain('button "Second"');
      // Far beyond the five seconds that the page gives by itself.
      await session.step({ kind: 'wait', milliseconds: 60_000 });
      expect(await session.step(await press(session, 'button "Second"'))).toEqual(ended);
      expect(await session.verify()).toMatchObject({ pass: true, progress: 1 });
    });
  });

  it('[MWB-6] does not show the agent its reward, nor the time left', async () => {
    await withSession(await environment.task('press-button', 1), async session => {
      const { text } = await session.observe();
      expect(text).not.toMatch(/reward|time/i);
      const before = await session.digest();
      await session.step({ kind: 'wait', milliseconds: 5000 });
      expect(await session.digest()).toBe(before);
    });
  });

  it('[MWB-4] is played with text fields and by dragging, too', async () => {
    const word = await environment.task('type-word', 4);
    await withSession(word, async session => {
      await session.step({ kind: 'fill', ref: 'e1', text: quoted(word) });
      expect(await session.step(await press(session, 'button "Done"'))).toEqual(ended);
      expect((await session.verify()).pass).toBe(true);
    });
    await withSession(await environment.task('move-box', 1), async session => {
      const box = (await session.observe()).layout?.elements[0]?.box ?? { x: 0, y: 0 };
      const from = { x: Math.round(box.x) + 12, y: Math.round(box.y) + 12 };
      expect(await session.step({ kind: 'drag', from, to: { x: 132, y: 172 } })).toEqual(ended);
      expect(await session.verify()).toMatchObject({
        pass: true,
        checks: [{}, { name: expect.stringContaining('inside') }],
      });
    });
  });

  it('[MWB-5] counts only in the page that was started: not after leaving it and coming back', async () => {
    await withSession(await environment.task('late-button', 1), async session => {
      const first = await session.digest();
      await session.step({ kind: 'back' });
      expect(await session.digest()).toBe(first);
      await session.step(await press(session, 'link "Help"'));
      expect((await session.observe()).text).toContain('No task.');
      expect(await session.verify()).toMatchObject({ pass: false, progress: 0 });
      await session.step(await press(session, 'link "Back"'));
      for (const name of ['START', 'First']) await session.step(await press(session, `button "${name}"`));
      await session.step({ kind: 'wait', milliseconds: 3000 });
      // The page pays for an episode that nobody asked for.
      expect(await session.step(await press(session, 'button "Second"'))).toEqual({ applied: true });
      expect((await session.observe()).text).toMatch(/Last reward: 0\.\d+/);
      expect(await session.verify()).toMatchObject({ pass: false, progress: 0 });
    });
  });
});

describe('rollback in MiniWoB++ pages', () => {
  it('[MWB-7] walks the path again in a fresh page, where a seed gives the same states', async () => {
    const task = await environment.task('tick-boxes', 2);
    const trail = await createTrail(environment, task);
    try {
      expect(trail.session().snapshot).toBeUndefined();
      const [root] = [trail.tree.root];
      const one = await trail.step({ kind: 'click', ref: 'e1' }, actor);
      const two = await trail.step({ kind: 'click', ref: 'e2' }, actor);
      const end = await trail.step({ kind: 'click', ref: 'e5' }, actor);
      expect(end.outcome.end).toBe('terminated');
      expect(new Set([root, one.after, two.after, end.after]).size).toBe(4);
      expect(await trail.rollback(one.id)).toMatchObject({ method: 'replay', digest: one.after });
      expect((await trail.step({ kind: 'click', ref: 'e2' }, actor)).after).toBe(two.after);
      expect((await trail.step({ kind: 'click', ref: 'e5' }, actor)).after).toBe(end.after);
      // Other addresses and other servers would be other states: there are none.
      const elsewhere = await (await environmentOf(fixture)).open(task);
      expect(await elsewhere.digest()).toBe(root);
      await elsewhere.close();
    } finally {
      await trail.session().close();
    }
  });

  it('[MWB-7] is refused where the page does not do the same twice', async () => {
    const trail = await createTrail(environment, await environment.task('restless', 1));
    try {
      await trail.step({ kind: 'wait', milliseconds: 10 }, actor);
      await expect(trail.rollback(0)).rejects.toMatchObject({ code: 'diverged' });
    } finally {
      await trail.session().close();
    }
  });

  it('[MWB-7] obeys the laws of environments', async () => {
    const templates = isLong ? ['tick-boxes', 'type-word'] : ['type-word'];
    const tasks = await Promise.all(templates.map(template => environment.task(template, 1)));
    const results = await checkLaws(environment, { tasks, steps: 4 });
    expect(results.filter(({ pass }) => !pass)).toEqual([]);
    expect(results.length).toBeGreaterThan(4);
    expect(pool.figures().openPages).toBe(0);
  });
});
