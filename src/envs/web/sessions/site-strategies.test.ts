import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../../test/fixtures/episode-setup.ts';
import { createMemoryJournal } from '../../../../test/fixtures/memory-journal.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import type { Action } from '../../../core/action.ts';
import type { Environment } from '../../../core/contracts.ts';
import type { OrdinaryPolicy, OrdinaryTeacher } from '../../../core/episode/agents.ts';
import type { EpisodeRecord } from '../../../core/episode/record.ts';
import { createBestOfN } from '../../../episode/strategies/best-of-n.ts';
import { createLinear } from '../../../episode/strategies/linear.ts';
import { createSpeculativeRollback } from '../../../episode/strategies/speculative-rollback.ts';
import type { Strategy } from '../../../episode/strategies/strategy.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';
import { createWaiEnvironment } from '../sites/wai/environment.ts';

const timers = createSystemTimers();
const viewport = { width: 700, height: 500 };
let pool: BrowserPool;
let notes: Environment;
beforeAll(async () => {
  pool = createBrowserPool({ timers });
  const folder = join(import.meta.dirname, '../../../../test/fixtures/wai/notes');
  notes = await createWaiEnvironment({
    folder,
    timers,
    pool,
    viewport,
    pictures: { type: 'image/jpeg', marks: false },
  });
});
afterAll(async () => {
  await notes.close?.();
  await pool.close();
});

/** Clicks what is named so, the first behind a certain line. */
function clickIn(screen: string, line: string, name: string): Action {
  const after = screen.slice(screen.indexOf(line)).split('\n');
  const ref = after
    .map(each => new RegExp(`\\[(e\\d+)\\] \\w+ "${name}"`).exec(each)?.[1])
    .find(each => each !== undefined);
  return { kind: 'click', ref: ref ?? 'e1' };
}

const pin = (screen: string): Action => clickIn(screen, 'heading "Garden ideas"', 'Pin');

/** Strays into the tags first, then does the task. */
const student: OrdinaryPolicy = {
  name: 'straying',
  act({ observation: { text }, history }) {
    const [, note = ''] = text.split('heading "Garden ideas"');
    if (note.split('heading', 1)[0]?.includes('"Unpin"')) return { action: { kind: 'finish' } };
    return { action: history.length === 0 ? clickIn(text, 'navigation', '#someday') : pin(text) };
  },
};

const teacher: OrdinaryTeacher = {
  name: 'strict',
  review({ steps }) {
    const at = steps.findIndex(({ text }) => text.includes('#someday'));
    return at < 0 ? { accept: true } : { accept: false, at, reason: 'the tags are not asked for' };
  },
  correct: ({ view }) => ({ action: pin(view.observation.text) }),
};

async function record(strategy: Strategy): Promise<{ readonly record: EpisodeRecord; pictures(): number }> {
  const journal = createMemoryJournal();
  const task = await notes.task('real-task-e1', 1);
  const { records } = await run({ tasks: [task], journal, parts: { environment: notes, student, teacher, strategy } });
  const [first] = records as [EpisodeRecord];
  const pictures = (): number =>
    first.tree.record().nodes.filter(({ id }) => {
      const image = journal.attachment(first.shot(id)?.hash ?? '');
      return image !== null && image !== undefined && image.length > 1000;
    }).length;
  return { record: first, pictures };
}

describe('strategies in the pages of others', () => {
  it('[SITE-18] speculative rollback rolls back by snapshot, corrects, and passes', async () => {
    const { record: episode, pictures } = await record(createSpeculativeRollback({ speculate: 2 }));
    expect(episode.end).toMatchObject({ outcome: 'passed', boundary: null, message: null });
    expect(episode.rollbacks).toEqual([
      { kind: 'rollback', from: 2, to: 0, method: 'restore', digest: episode.tree.root },
    ]);
    expect(episode.corrections).toHaveLength(1);
    expect(pictures()).toBe(episode.tree.record().nodes.length);
    expect(episode.shot(1)).toMatchObject({
      type: 'image/jpeg',
      width: 700,
      height: 500,
      target: { width: expect.any(Number) },
    });
  });

  it('[SITE-18] best-of-n goes back to the start by snapshot, and every attempt is the same', async () => {
    const { record: episode, pictures } = await record(createBestOfN({ attempts: 3 }));
    expect(episode.rollbacks.map(({ to, method }) => [to, method])).toEqual(
      Array.from({ length: episode.rollbacks.length }, () => [0, 'restore']),
    );
    const ends = episode.leaves.map(({ node, verdict }) => [episode.tree.digest(node), verdict?.pass]);
    expect(ends).toHaveLength(3);
    expect(new Set(ends.map(end => JSON.stringify(end))).size).toBe(1);
    expect(pictures()).toBe(episode.tree.record().nodes.length);
  });

  it('[SITE-18] a linear run needs no rollback', async () => {
    const { record: episode, pictures } = await record(createLinear());
    expect(episode.rollbacks).toEqual([]);
    expect(episode.end.outcome).toBe('passed');
    expect(episode.end.message).toBeNull();
    expect(pictures()).toBe(episode.tree.record().nodes.length);
  });
});
