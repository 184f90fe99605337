import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runLoop, studentPath, type LoopOptions } from '../src/runs/loop.ts';
import { openRun } from '../src/runs/folder/folder.ts';
import { createSystemHost } from '../src/system/workers/host.ts';
import { isLong } from './long-form.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-loop-'));

afterAll(() => rmSync(folder, { recursive: true }));

function loopIn(name: string, signal = new AbortController().signal): LoopOptions {
  return {
    folder: join(folder, name),
    draft: { run: 'loop', environments: ['mail'], templates: ['star-message', 'contact-phone'] },
    rounds: 2,
    instances: [1],
    imitate: false,
    evaluationInstances: 1,
    baselines: false,
    host: createSystemHost({ workers: 0 }),
    signal,
  };
}

/** Everything that a loop leaves behind, but for times. */
function leftIn(name: string): unknown {
  const store = openRun(join(folder, name));
  const summaries = Array.from(store.summaries(), ({ head, end: { milliseconds: _time, ...end } }) => ({ head, end }));
  store.close();
  const students = [1, 2].map(round => readFileSync(studentPath(join(folder, name), round), 'utf8'));
  return { summaries, students };
}

async function run(options: LoopOptions): Promise<number[]> {
  const rounds: number[] = [];
  for await (const { round, trained } of runLoop(options)) rounds.push(round, trained.rows);
  return rounds;
}

describe('a loop', () => {
  it('[RUN-17] that is done says the same again, and changes nothing', async () => {
    const first = await run(loopIn('whole'));
    const left = leftIn('whole');
    expect(await run(loopIn('whole'))).toEqual(first);
    expect(leftIn('whole')).toEqual(left);
  });

  it('[DEMO-11] starts with a student of the rows that it is given, and learns from these as well', async () => {
    const shown = { ...loopIn('shown'), rounds: 1, imitate: true };
    const [, given = 0] = await run({ ...shown, draft: { ...shown.draft, run: 'shown' } });
    const started = { ...loopIn('started'), rounds: 1, start: join(folder, 'shown') };
    const [, rows = 0] = await run(started);
    const store = openRun(join(folder, 'started'));
    const students = new Set(Array.from(store.summaries({ phase: 'collect' }), ({ head }) => head.student));
    store.close();
    expect([...students]).toEqual(['learned']);
    expect(rows).toBeGreaterThan(given);
    await expect(run({ ...started, start: undefined })).rejects.toThrow(/begun with other options/);
  });

  it.each(isLong ? [1, 11, 21, 33] : [21])(
    '[RUN-17] that was stopped after %i episodes goes on to the same end',
    async stopAfter => {
      const controller = new AbortController();
      let episodes = 0;
      const onProgress = (): void => {
        if (++episodes === stopAfter) controller.abort();
      };
      await run({ ...loopIn(`stopped-${stopAfter}`, controller.signal), onProgress });
      expect(episodes).toBeLessThan(40);
      await run(loopIn(`stopped-${stopAfter}`));
      expect(leftIn(`stopped-${stopAfter}`)).toEqual(leftIn('whole'));
    },
  );

  it('[RUN-51] with a focus takes its next tasks where the student failed, and as many', async () => {
    const options: LoopOptions = { ...loopIn('focused'), instances: [2], focus: 'failures' };
    const rounds = await Array.fromAsync(runLoop(options));
    expect(rounds[0]?.focus).toBeNull();
    const store = openRun(options.folder);
    const tasks = [1, 2].map(round =>
      Array.from(store.summaries({ phase: 'collect', round }), ({ head }) => head.task),
    );
    store.close();
    expect(tasks.map(own => own.length)).toEqual([4, 4]);
    const [, second = []] = tasks;
    const focus = rounds[1]?.focus ?? [];
    expect(focus).toHaveLength(2);
    for (const { template, tasks: many } of focus)
      expect(second.filter(({ id }) => id.startsWith(`${template}/`))).toHaveLength(many);
    await expect(run({ ...options, folder: join(folder, 'shown-focus'), imitate: true })).rejects.toThrow(
      'With --imitate the student fails nowhere.',
    );
  });

  it('[RUN-17] with other options in the same folder is refused', async () => {
    await expect(run({ ...loopIn('whole'), rounds: 3 })).rejects.toThrow(
      'begun with other options: rounds was 2, is 3.',
    );
  });
});
