import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StateEnvironment } from '../../core/contracts.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { forgeTasks, writeTasks, type ForgeResult } from '../forge.ts';
import { firstEvaluationSeed } from '../settings/seeds.ts';
import { nameLeftOut } from '../../forge/forged-app.ts';
import { gridPlace } from '../../forge/tasks/tiers.ts';
import { namedTasks, requireExact } from './named-tasks.ts';
import { absoluteName } from './names.ts';
import { familyHost, findSource, openStateEnvironment, openTask } from './open-environment.ts';
import { taskNamed } from './task-name.ts';

const library = 'examples/library/library.ts';
const host = createSystemHost();
let folder: string;
let result: ForgeResult;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-forge-'));
  result = await forgeTasks({ app: library, seeds: 2, nodes: 400 });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('forged environments by name', () => {
  it('[FORGE-8] are apps with forged templates, beside their own when asked for', async () => {
    const forged = await openStateEnvironment(`forge:${library}`, host);
    expect(forged.id).toBe('forge-library');
    expect(forged.templates.every(({ id }) => id.endsWith('.forged'))).toBe(true);
    const both = await openStateEnvironment(`forge:${library},own=yes`, host);
    expect(both.templates.map(({ id }) => id)).toContain('lend-to-reader');
    expect(absoluteName(`forge:${library},own=yes`)).toBe(`forge:${resolve(library)},own=yes`);
    expect(absoluteName('forge:mail')).toBe('forge:mail');
  });

  it('[FORGE-37] are a grid of one, two and three commands in every look, when asked for', async () => {
    const grid = await openStateEnvironment(`forge:${library},grid=yes`, host);
    expect(grid.id).toBe('grid-library');
    const places = grid.templates.map(({ id }) => gridPlace({ template: id, task: grid.task(id, 1).id }));
    expect(new Set(places.map(place => place?.tier))).toEqual(
      new Set(['one command', 'two commands', 'three commands']),
    );
    // This app has no other words for its labels, and no list whose order means nothing.
    expect(new Set(places.map(place => place?.look))).toEqual(new Set(['own']));
    expect(grid.templates.map(({ id }) => id)).not.toContain('partly-done.forged@own');
    expect(gridPlace({ template: 'lend-book.forged', task: 'forge-library/lend-book.forged/1' })).toBeNull();
    await expect(findSource(`forge:${library},grid=yes,kinds=walks`)).rejects.toThrow('asks for a grid and for kinds');
  });

  it('[FORGE-15] [FORGE-29] leave out commands that only held-out templates ask for, unless told to keep them', async () => {
    const ids = async (name: string) => (await openStateEnvironment(name, host)).templates.map(({ id }) => id);
    const careful = await ids('forge:mail,kinds=commands');
    const all = await ids('forge:mail,kinds=commands,held-out=yes');
    expect(all).toContain('forward-message.forged');
    expect(careful).not.toContain('forward-message.forged');
    expect(careful).toContain('send-message.forged');
    const name = await nameLeftOut('forge:mail,kinds=commands', familyHost);
    expect(name).toMatch(/,leave-out=.*forward_message/);
    expect(await ids(name)).toEqual(careful);
    expect(await nameLeftOut(name, familyHost)).toBe(name);
    expect(await nameLeftOut(`forge:${library}`, familyHost)).toBe(`forge:${library},held-out=yes`);
    await expect(findSource('forge:mail,leave-out=forward_mesage')).rejects.toThrow('Did you mean "forward_message"?');
    expect(all.length).toBe(24);
  });

  it('[FORGE-8] are refused when the name is wrong, with what was expected', async () => {
    for (const [name, message] of [
      ['forge:', /names no app/],
      ['forge:mail,kind=x', /"kind=x" in "forge:mail,kind=x" is no option/],
      ['forge:mail,kinds=command', /is no kind of forged tasks\. Did you mean "commands"\?/],
      ['forge:mial', /Did you mean "mail"\?/],
      [
        'forge:./no-such-folder',
        /forge:\.\/no-such-folder names a folder of forged tasks, but there is no such folder/,
      ],
      ['forge:./src', /forge:\.\/src names a folder of forged tasks, but it has no tasks\.jsonl/],
    ] as const) {
      await expect(findSource(name)).rejects.toThrow(message);
    }
  });

  it('[FORGE-8] are written as tasks, which are read back as they were', async () => {
    const path = await writeTasks(folder, result);
    const environment = (await openStateEnvironment(`forge:${folder}`, host)) as StateEnvironment;
    const [first] = result.tasks;
    expect(result.tasks.length).toBeGreaterThan(3);
    expect(environment.task(first?.template ?? '', 1)).toEqual(first);
    for (const task of result.tasks) expect(environment.open(task).verify().pass).toBe(false);
    await requireHeldTasks(environment);
    const evaluated = environment.task(first?.template ?? '', firstEvaluationSeed + 1);
    expect(result.tasks.map(({ id }) => id)).not.toContain(evaluated.id);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('"seed":1', '"seed":3'));
    await expect(findSource(`forge:${folder}`)).rejects.toThrow(/the task in line \d+ was altered or damaged/);
    writeFileSync(path, text.slice(0, -40));
    await expect(findSource(`forge:${folder}`)).rejects.toThrow(/is no JSON/);
  });
});

/** Tasks by id are those of the file, whatever other seeds give. */
async function requireHeldTasks(environment: StateEnvironment): Promise<void> {
  for (const { template, seed, id } of result.tasks)
    expect((await taskNamed(environment, `${template}/${seed}`)).id).toBe(id);
  const worlds = new Map([[environment.id, environment]]);
  const [{ template } = { template: '' }] = result.tasks;
  const missing = `${environment.id}/${template}/77`;
  await expect(requireExact(namedTasks(worlds, [missing], 'collect'))).rejects.toThrow(`There is no task ${missing}`);
  await expect(openTask(environment, template, 77)).rejects.toThrow(`There is no task ${missing}`);
  expect(result.tasks).toContainEqual(await openTask(environment, template));
  const counts = environment.templates.map(({ tasks = 0 }) => tasks);
  expect(counts.reduce((sum, count) => sum + count)).toBe(result.tasks.length);
}
