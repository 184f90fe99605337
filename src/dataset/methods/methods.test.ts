import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailWorld, scriptedEpisode, sourceOf } from '../../../test/fixtures/episodes.ts';
import { createTokenEpisodes, teacher } from '../../../test/fixtures/tokens/token-episode.ts';
import type { Action } from '../../core/action.ts';
import type { StoredEpisode } from '../../core/episode/journal.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import { createTrail } from '../../worlds/trail.ts';
import { exportDataset } from '../export-dataset.ts';
import type { Row } from '../rows/columns.ts';
import type { Manifest } from '../rows/manifest.ts';
import { methodTables } from './methods.ts';
import { firstError } from './rectifications.ts';
import { similarity } from './similarity.ts';

const base = mkdtempSync(join(tmpdir(), 'espalier-methods-'));
afterAll(() => rmSync(base, { recursive: true }));
const actor = { role: 'student', name: 'replay' } as const;

let folders = 0;
function exported(episodes: readonly StoredEpisode[]): { manifest: Manifest; rows(table: string): Row[] } {
  const folder = join(base, String(++folders));
  const manifest = exportDataset({
    source: sourceOf(episodes),
    folder,
    tables: methodTables,
    toolsOf: () => mailWorld.tools,
  });
  const read = (table: string): Row[] => {
    const lines = readFileSync(join(folder, `${table}.jsonl`), 'utf8')
      .split('\n')
      .slice(0, -1);
    return lines.map(line => JSON.parse(line) as Row);
  };
  return { manifest, rows: read };
}

describe('data methods', () => {
  let episodes: StoredEpisode[];
  let data: ReturnType<typeof exported>;
  const records = () => new Map(episodes.map(stored => [stored.head.key, foldEpisode(stored)]));

  beforeAll(async () => {
    const held = mailWorld.templates.find(({ split }) => split === 'test')?.id as string;
    episodes = await Promise.all([
      scriptedEpisode({ index: 0, slips: 2, branch: 'failing' }),
      scriptedEpisode({ index: 1, outcome: 'failed' }),
      scriptedEpisode({ index: 2, call: true }),
      scriptedEpisode({ index: 3, slips: 1, branch: 'passing' }),
      scriptedEpisode({ index: 4, slips: 2, branch: 'failing', template: held }),
      scriptedEpisode({ index: 5, slips: 2, branch: 'failing', phase: 'evaluate' }),
      scriptedEpisode({ index: 6, slips: 1, outcome: 'errored' }),
    ]);
    data = exported(episodes);
  });

  it('[DATA-17] grounding has the element of every step on a path that passed, among all that can be used there', () => {
    const rows = data.rows('grounding');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const elements = row['elements'] as { ref: string; role: string; name: string }[];
      const { ref, role, name } = row as { ref: string; role: string; name: string };
      expect(elements).toContainEqual(expect.objectContaining({ ref, role, name }));
      expect(elements).toHaveLength((String(row['screen']).match(/\[e\d+\] /g) ?? []).length);
      expect(row['target']).toContain(name);
      expect([row['pass'], row['split'], row['box']]).toEqual([true, 'train', null]);
    }
  });

  /** The way to a node from a fresh start, step by step. */
  async function replayed(row: Row, actions: readonly Action[]) {
    const { head } = records().get(row['episode'] as string) ?? (episodes[0] as StoredEpisode);
    const trail = await createTrail(mailWorld, head.task);
    const screens: string[] = [];
    for (const action of actions) {
      screens.push(trail.session().observe().text);
      await trail.step(action, actor);
    }
    return { digest: trail.tree.digest(trail.at()), screens, screen: trail.session().observe().text, trail };
  }
  const pathTo = (row: Row, node: number): Action[] =>
    (
      records()
        .get(row['episode'] as string)
        ?.tree.path(node) ?? []
    ).map(({ action }) => action);

  it('[DATA-1] takes rows of training templates alone, none of evaluations or episodes that broke, and counts reproduce', () => {
    const again = exported(episodes);
    expect(again.manifest.counts).toEqual(data.manifest.counts);
    for (const { name } of methodTables) {
      const rows = data.rows(name);
      expect(again.rows(name)).toEqual(rows);
      for (const row of rows) {
        expect(row).toMatchObject({ split: 'train' });
        expect(row['episode']).toMatch(/^collect\/.*\/[0123]$/);
      }
    }
  });

  it('[DATA-2] prefers an action that led to a pass to one that only led to failures', () => {
    const rows = exported(episodes.slice(0, 1)).rows('step-preferences');
    expect(rows.map(({ rejected_leaves: leaves }) => leaves)).toEqual([1, 1]);
    for (const row of rows) {
      const { tree } = records().get(row['episode'] as string) as ReturnType<typeof foldEpisode>;
      const [chosen, rejected] = [tree.node(row['node'] as number), tree.node(row['rejected_node'] as number)];
      expect(chosen.before).toBe(rejected.before);
      expect(chosen.action).not.toEqual(rejected.action);
    }
    // The fourth episode passed after the first of the two rejected steps: nothing is preferred to it any more.
    expect(data.rows('step-preferences').map(({ node }) => node)).toEqual([rows[1]?.['node']]);
  });

  it('[DATA-3] keeps a failed trajectory up to the last state from which another one passed', () => {
    const rows = data.rows('expert-failures').filter(({ episode }) => (episode as string).endsWith('/1'));
    const failed = foldEpisode(episodes[1] as StoredEpisode);
    const path = failed.tree.path(failed.end.leaf);
    // Everything but the last step, which gave up.
    expect(rows.map(({ node }) => node)).toEqual(path.slice(0, -1).map(({ id }) => id));
    expect(rows[0]).toMatchObject({ kept_steps: path.length - 1, steps: path.length, pass: false });
    // Nothing passed anywhere: nothing is kept.
    expect(exported(episodes.slice(1, 2)).rows('expert-failures')).toEqual([]);
  });

  it('[DATA-4] has rows of a world model that replay', async () => {
    const rows = data.rows('world-model');
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.some(({ next_screen }) => next_screen === null)).toBe(true);
    expect(rows.some(({ applied }) => applied === false)).toBe(true);
    for (const row of rows) {
      const found = await replayed(row, pathTo(row, row['node'] as number));
      expect(found.digest).toBe(row['next_digest']);
      expect(found.screens.at(-1)).toBe(row['screen']);
      expect([found.screen, null]).toContain(row['next_screen']);
    }
    expect(new Set(rows.map(({ thought }) => thought))).toEqual(new Set([null, 'This leads on.']));
  });

  it('[DATA-5] reflects on what other actions did in the same state, each replayed', async () => {
    const rows = exported(episodes.slice(0, 1)).rows('reflections');
    // Two slips in one episode.
    expect(rows.map(({ alternatives }) => (alternatives as Row[]).length)).toEqual([1, 1]);
    for (const row of rows) {
      const before = pathTo(row, row['node'] as number).slice(0, -1);
      for (const other of row['alternatives'] as Row[]) {
        const found = await replayed(row, [...before, JSON.parse(other['action'] as string) as Action]);
        expect(found.digest).toBe(other['next_digest']);
        expect(other['action']).not.toBe(row['action']);
      }
    }
    expect(
      rows.map(({ alternatives }) => (alternatives as Row[])[0]).map(other => [other?.['passed'], other?.['failed']]),
    ).toEqual([
      [0, 1],
      [0, 1],
    ]);
    // The fourth episode passed after the first slip, too: it is no alternative any more, there or here.
    expect(data.rows('reflections').map(({ node }) => node)).toEqual([rows[1]?.['node']]);
  });

  it('[DATA-5] [DATA-10] has one best action for each place when several branches pass', () => {
    const begin = createTokenEpisodes().begin;
    // Three actions from the start: one fails, one passes after three steps, one passes after two.
    const tried = begin(0).step().leaf('sample', false).back(0).step().step().step().leaf('sample', true).back(0);
    const several = exported([tried.step().step().end('passed')]);
    const traces = several.rows('search-traces').map(row => [row['node'], row['branches'], row['trace']]);
    expect(traces).toEqual([
      [
        5,
        [1, 2, 5],
        [
          'Option 1: click 1. The task fails.',
          'Option 2: click 2. Then: click 3; then click 4. The task is done.',
          'Option 3: click 5. Then: click 6. The task is done.',
          'Best: option 3, click 5.',
        ].join('\n'),
      ],
    ]);
    const alternatives = (row: Row) => (row['alternatives'] as Row[]).map(({ node }) => node);
    expect(several.rows('reflections').map(row => [row['node'], alternatives(row)])).toEqual([[5, [1]]]);
    // Equally short: the earliest is the best.
    const equal = exported([begin(1).step().leaf('sample', true).back(0).step().end('passed')]);
    expect(equal.rows('search-traces').map(({ node }) => node)).toEqual([1]);
    expect(equal.rows('reflections')).toEqual([]);
  });

  it('[DATA-10] tells the pass of a branch that also failed', () => {
    const begin = createTokenEpisodes().begin;
    const tried = begin(0).step().step().leaf('sample', false).back(1).step().step().leaf('sample', true).back(0);
    const rows = exported([tried.step().end('passed')]).rows('search-traces');
    const trace = rows.find(({ node }) => node === 5)?.['trace'];
    expect(trace).toMatch(/^Option 1: click 1\. Then: click 3; then click 4\. The task is done\.$/m);
  });

  it('[DATA-6] purifies a trajectory: it replays without a refused step, to the same state', async () => {
    const rows = data.rows('purified');
    expect(rows).toHaveLength(1);
    const [row] = rows as [Row];
    const record = records().get(row['episode'] as string) as ReturnType<typeof foldEpisode>;
    const found = await replayed(
      row,
      (row['actions'] as string[]).map(action => JSON.parse(action) as Action),
    );
    expect(found.digest).toBe(record.tree.digest(record.end.leaf));
    expect(found.trail.tree.path(found.trail.at()).every(({ outcome }) => outcome.applied)).toBe(true);
    expect(found.screens).toEqual(row['screens']);
    expect(found.trail.session().verify().pass).toBe(true);
    expect(row['removed_nodes']).toEqual([1]);
    const answers = (row['messages'] as Row[]).filter(({ role }) => role === 'assistant');
    expect(answers).toHaveLength((row['nodes'] as number[]).length);
    expect(JSON.stringify(row['messages'])).not.toContain('star_message');
    // A call of a tool and a click have little in common; all that was sampled after the refused call is stale.
    expect(row['keeps_reasoning']).toEqual((row['nodes'] as number[]).map(() => false));
    expect(row['stale_logprobs']).toEqual((row['nodes'] as number[]).map(() => true));
  });

  it('[DATA-7] puts the step of a teacher in the place of the first error', () => {
    const rows = data.rows('rectifications');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const record = records().get(row['episode'] as string) as ReturnType<typeof foldEpisode>;
      const failed = record.tree.path(row['failed_leaf'] as number);
      const error = failed[row['error_step'] as number];
      expect(error?.id).toBe(row['error_node']);
      expect(record.reviews.some(({ accept, at }) => !accept && at === row['error_node'])).toBe(true);
      expect(row).toMatchObject({ actor_role: 'teacher', leaves_passed: 1 });
    }
    expect(firstError([0.9, 0.6, 0.4, 0.2], 0.5)).toBe(2);
    expect(firstError([1, 1], 0.5)).toBe(-1);
  });

  it('[DATA-7] teaches no step that led to no pass', () => {
    const hand = createTokenEpisodes();
    const corrected = (index: number) => hand.begin(index).step().leaf('sample', false).back(0).step(teacher);
    // The correction failed too, and nobody passed the task.
    expect(exported([corrected(0).step().end('failed')]).rows('rectifications')).toEqual([]);
    // The first correction failed, the second one passed.
    const twice = corrected(1).leaf('sample', false).back(0).step(teacher).end('passed');
    const rows = exported([twice]).rows('rectifications');
    expect(rows.map(row => [row['error_node'], row['node'], row['leaves_passed']])).toEqual([
      [1, 3, 1],
      [2, 3, 1],
    ]);
  });

  it('[DATA-8] contrasts steps of trajectories that passed and failed, and asks for thoughts that are missing', () => {
    const rows = data.rows('contrasts');
    expect(new Set(rows.map(({ reward }) => reward))).toEqual(new Set([1, -1]));
    for (const row of rows) {
      expect(row['reward']).toBe(row['pass'] === true ? 1 : -1);
      expect(row['thought'] === null).toBe(row['reason_request'] !== null);
    }
    expect(rows.some(({ thought }) => thought === 'This leads on.')).toBe(true);
  });

  it('[DATA-9] pairs every failed trajectory with one of its task that passed', async () => {
    const rows = data.rows('trajectory-pairs');
    // The failed branches of the first episode, and the second episode.
    expect(rows.map(({ episode }) => (episode as string).slice(-1))).toEqual(['0', '0', '1']);
    for (const row of rows) {
      const chosen = (row['chosen_actions'] as string[]).map(action => JSON.parse(action) as Action);
      expect((await replayed(row, chosen)).trail.session().verify().pass).toBe(true);
      expect(row['chosen_actions']).not.toEqual(row['rejected_actions']);
      expect(row['chosen_texts']).toHaveLength(chosen.length);
    }
  });

  it('[DATA-12] conditions steps on the plan of their path', () => {
    const rows = data.rows('plan-steps');
    const [asked, ...steps] = rows.filter(
      ({ episode, leaf }) => episode === rows[0]?.['episode'] && leaf === rows[0]?.['leaf'],
    );
    const last = (row: Row | undefined, at: number): unknown =>
      (row?.['messages'] as Row[] | undefined)?.at(at)?.['content'];
    expect(asked).toMatchObject({ part: 'plan', pass: true });
    expect(last(asked, -1)).toBe(asked?.['plan']);
    expect(steps.map(({ next }) => next)).toEqual(steps.map((_, at) => at + 1));
    expect(String(asked?.['plan']).split('\n')).toHaveLength(steps.length);
    for (const row of steps)
      expect(last(row, -2)).toBe(`The plan:\n${asked?.['plan'] as string}\n\nTake step ${row['next'] as number}.`);
  });

  it('[DATA-16] skill-distillation asks the student plainly, and the teacher with what the trajectory showed', () => {
    const rows = data.rows('skill-distillation');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const [plain, taught] = [row['messages'] as Row[], row['teacher_messages'] as Row[]];
      expect(taught.slice(0, -1)).toEqual(plain.slice(0, -1));
      expect(taught.at(-1)).toMatchObject({ role: 'user', content: row['skill'] });
      expect(JSON.stringify(plain)).not.toContain('This way');
      expect(row['skill']).toMatch(row['pass'] === true ? /^This way passed:\n1\. / : /^This way failed:/);
    }
  });

  it('[DATA-10] writes traces from branches that really were tried', () => {
    const rows = data.rows('search-traces');
    // Two slips in one episode, and a slip in another.
    expect(rows).toHaveLength(3);
    const [row] = rows as [Row];
    const record = records().get(row['episode'] as string) as ReturnType<typeof foldEpisode>;
    const [wrong, right] = row['branches'] as [number, number];
    const lines = (row['trace'] as string).split('\n');
    expect(lines[0]).toBe(`Option 1: ${record.text(wrong)}. The task fails.`);
    expect(lines[1]).toMatch(/The task is done\.$/);
    expect(lines[1]?.startsWith(`Option 2: ${record.text(right)}. Then: `)).toBe(true);
    expect(lines[2]).toBe(`Best: option 2, ${record.text(right)}.`);
  });

  it('[DATA-11] finds steps that undo a mistake', () => {
    const hand = createTokenEpisodes();
    const { events, ...rest } = hand.begin(0).step().step().step().end('passed');
    // The second step leads back to the start, and the third goes on from there.
    const places = [
      ['state 0', 'wrong'],
      ['wrong', 'state 0'],
      ['state 0', 'state 3'],
    ] as const;
    const turned = events.map(event => {
      if (event.kind !== 'step') return event;
      const [before, after] = places[event.node.id - 1] as (typeof places)[number];
      return { ...event, node: { ...event.node, before, after } };
    });
    const rejecting = {
      kind: 'review',
      nodes: [1],
      by: { role: 'teacher', name: 'test' },
      accept: false,
      at: 1,
      reason: 'wrong',
      retries: 0,
    } as const;
    const rows = exported([{ ...rest, events: [...turned, rejecting] }]).rows('undo-steps');
    expect(rows).toEqual([
      expect.objectContaining({ node: 2, mistake_node: 1, restored_digest: 'state 0', digest: 'wrong' }),
    ]);
    // Without the rejection, the step is on the way to a pass, and no mistake.
    expect(exported([{ ...rest, events: turned }]).rows('undo-steps')).toEqual([]);
  });

  it('[DATA-6] measures similarity as difflib does', () => {
    // From Python: SequenceMatcher(None, a, b).ratio().
    expect(similarity('abcd', 'bcde')).toBe(0.75);
    expect(similarity('send mail to Ann', 'send mail to Bob')).toBeCloseTo(0.8125, 9);
    expect(similarity('', '')).toBe(1);
    expect(similarity('abc', 'xyz')).toBe(0);
  });
});
