import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { perfectTeacher, planFor, runOne } from '../../../test/fixtures/episode-setup.ts';
import { mailWorld, scriptedEpisode } from '../../../test/fixtures/episodes.ts';
import { actionSchema, type Action } from '../../core/action.ts';
import { actionOf, browserTools, screenTools } from '../../core/episode/action-tools.ts';
import type { EpisodeEvent } from '../../core/episode/events.ts';
import type { StoredEpisode } from '../../core/episode/journal.ts';
import { foldEpisode, type EpisodeRecord } from '../../core/episode/record.ts';
import { readPrompt } from '../../core/episode/view.ts';
import { createWorld } from '../../kernel/world.ts';
import { createScripted } from '../../policies/scripted.ts';
import { createSpeculativeRollback } from '../../rollout/strategies/speculative-rollback.ts';
import { dominantAction } from '../archive-rules.ts';
import { candidatesOf } from '../candidate.ts';
import { answerOf, type Message } from './chat.ts';
import type { Row } from './columns.ts';
import { correctionRows, corrections } from './corrections.ts';
import { episodeRow, episodes } from './episodes.ts';
import { nextActionRows, nextActions } from './next-actions.ts';
import { preferenceRows, preferences } from './preferences.ts';
import { createToolsColumn } from './tools.ts';

const tools = createToolsColumn()(foldEpisode(await scriptedEpisode()));
const branched = await scriptedEpisode({ slips: 2, branch: 'passing' });

function changed(episode: StoredEpisode, change: (event: EpisodeEvent) => EpisodeEvent): StoredEpisode {
  return { ...episode, events: episode.events.map(change) };
}

/** The first step is wrong, and so is what the teacher says first: to finish at once. */
function hastilyCorrected(interventions: number): Promise<EpisodeRecord> {
  const world = createWorld(app);
  const task = world.task('lend-to-reader', 3);
  const [, ...rest] = planFor(world.open(task));
  let asked = 0;
  return runOne({
    task,
    parts: {
      environment: world,
      student: createScripted({ actions: [{ kind: 'click', ref: 'e3' }, ...rest] }),
      teacher: {
        ...perfectTeacher,
        correct: (plea, session) =>
          asked++ === 0 ? { action: { kind: 'finish' } } : perfectTeacher.correct(plea, session),
      },
      strategy: createSpeculativeRollback(),
      limits: { interventions },
    },
  });
}

const messagesOf = (row: Row, column = 'messages'): readonly Message[] => row[column] as unknown as readonly Message[];

describe('next actions', () => {
  it('[EXP-1] has every step to an archived leaf once, and says who took it', () => {
    const record = foldEpisode(branched);
    const candidates = candidatesOf(record);
    const rows = [...nextActionRows(candidates, tools)];
    const steps = new Set(candidates.flatMap(({ path }) => path.map(({ id }) => id)));
    expect(rows.map(row => row['node'])).toHaveLength(steps.size);
    expect(new Set(rows.map(row => row['node']))).toEqual(steps);
    for (const row of rows) {
      const node = record.tree.node(row['node'] as number);
      expect({ role: row['actor_role'], name: row['actor_name'] }).toEqual(node.actor);
      expect(row['pass']).toBe(true);
    }
    expect(new Set(rows.map(row => row['actor_role']))).toEqual(new Set(['student', 'teacher']));
  });

  it('[EXP-1] leaves out what was rolled back', () => {
    const record = foldEpisode(branched);
    const main = candidatesOf(record).slice(0, 1);
    const nodes = [...nextActionRows(main, tools)].map(row => row['node']);
    expect(nodes).toEqual(record.tree.path(record.end.leaf).map(({ id }) => id));
    for (const { replaces } of record.corrections) expect(nodes).not.toContain(replaces);
  });

  it('[EXP-5] asks with what the actor saw, in the state that the digest names', () => {
    const record = foldEpisode(branched);
    for (const row of nextActionRows(candidatesOf(record), tools)) {
      const node = row['node'] as number;
      const [system, user, assistant] = messagesOf(row);
      expect(system?.role).toBe('system');
      expect(readPrompt(user?.content ?? '')).toEqual(record.situation(node));
      expect(row['digest']).toBe(record.tree.digest(record.tree.node(node).parent));
      const call = assistant?.tool_calls?.[0]?.function;
      expect(actionOf(call?.name ?? '', call?.arguments ?? null)).toEqual(record.tree.node(node).action);
    }
  });

  it('[EXP-5] has the columns of its table in every row, and so has every other table', async () => {
    const record = foldEpisode(await scriptedEpisode({ slips: 1, branch: 'failing' }));
    const rows: [readonly { readonly name: string }[], Row[]][] = [
      [nextActions.columns, [...nextActionRows(candidatesOf(record), tools)]],
      [corrections.columns, [...correctionRows(record, tools)]],
      [preferences.columns, [...preferenceRows(record, tools)]],
      [episodes.columns, [episodeRow(record)]],
    ];
    for (const [columns, list] of rows) {
      expect(list.length).toBeGreaterThan(0);
      for (const row of list) expect(Object.keys(row)).toEqual(columns.map(({ name }) => name));
    }
  });
});

describe('corrections', () => {
  it.each(['passed', 'failed', 'discarded'] as const)(
    '[EXP-2] come from %s episodes, with the verdict',
    async outcome => {
      const record = foldEpisode(await scriptedEpisode({ slips: 2, outcome }));
      const rows = [...correctionRows(record, tools)];
      expect(rows.map(row => row['node'])).toEqual(record.corrections.map(({ node }) => node));
      expect(rows.map(row => row['actor_role'])).toEqual(['teacher', 'teacher']);
      const pass = { passed: true, failed: false, discarded: null }[outcome];
      expect(rows.map(row => row['pass'])).toEqual([pass, pass]);
      for (const [index, { replaces }] of record.corrections.entries()) {
        const replaced = JSON.parse(rows[index]?.['replaced'] as string) as Action;
        expect(replaced).toEqual(record.tree.node(replaces as number).action);
      }
    },
  );

  it('[EXP-2] of a step that the teacher took over replaces nothing', () => {
    const takenOver = changed(branched, event => (event.kind === 'correction' ? { ...event, replaces: null } : event));
    const record = foldEpisode(takenOver);
    expect([...correctionRows(record, tools)].map(row => row['replaced'])).toEqual([null, null]);
    expect([...preferenceRows(record, tools)]).toEqual([]);
  });

  it('[EXP-2] [EXP-3] are no finish that the verifier refused, and a teacher that was wrong is named', async () => {
    const record = await hastilyCorrected(6);
    const [hasty, right] = record.corrections;
    expect(record.end.outcome).toBe('passed');
    expect(record.corrections).toHaveLength(2);
    expect(right?.replaces).toBe(hasty?.node);
    expect([...correctionRows(record, tools)].map(row => row['node'])).toEqual([right?.node]);
    const pairs = [...preferenceRows(record, tools)];
    expect(pairs).toMatchObject([
      { node: right?.node, rejected_node: hasty?.node, rejected_actor_role: 'teacher', rejected_actor_name: 'perfect' },
    ]);
  });

  it('[EXP-2] [EXP-3] are no refused finish either when the episode is given up there', async () => {
    const record = await hastilyCorrected(1);
    expect(record.end).toMatchObject({ outcome: 'discarded', leaf: record.corrections[0]?.node });
    expect([...correctionRows(record, tools), ...preferenceRows(record, tools)]).toEqual([]);
  });

  it('[EXP-2] [EXP-3] are nothing that the world refused', () => {
    const first = foldEpisode(branched).corrections[0]?.node;
    const refused = changed(branched, event =>
      event.kind === 'step' && event.node.id === first
        ? { ...event, node: { ...event.node, outcome: { applied: false, problem: { code: 'no', message: 'no' } } } }
        : event,
    );
    const nodesOf = (rows: Iterable<Row>): unknown[] => Array.from(rows, row => row['node']);
    for (const rowsOf of [correctionRows, preferenceRows]) {
      const before = nodesOf(rowsOf(foldEpisode(branched), tools));
      expect(before).toContain(first);
      expect(nodesOf(rowsOf(foldEpisode(refused), tools))).toEqual(before.filter(node => node !== first));
    }
  });

  it('[EXP-2] [EXP-3] are not taken from an episode that broke', async () => {
    const record = foldEpisode(await scriptedEpisode({ slips: 2, outcome: 'errored' }));
    expect(record.corrections).toHaveLength(2);
    expect([...correctionRows(record, tools), ...preferenceRows(record, tools)]).toEqual([]);
  });
});

describe('preferences', () => {
  it('[EXP-3] are two different answers in the same state, after the same steps', () => {
    const record = foldEpisode(branched);
    const rows = [...preferenceRows(record, tools)];
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      const chosen = record.tree.node(row['node'] as number);
      const rejected = record.tree.node(row['rejected_node'] as number);
      expect(chosen.parent).toBe(rejected.parent);
      expect([chosen.before, rejected.before]).toEqual([row['digest'], row['digest']]);
      expect(messagesOf(row, 'prompt')[1]?.content).toContain(record.situation(rejected.id).screen);
      expect(messagesOf(row, 'chosen')).toEqual([answerOf(chosen.action, chosen.thought)]);
      expect(messagesOf(row, 'rejected')).toEqual([answerOf(rejected.action, rejected.thought)]);
      expect(row['chosen']).not.toEqual(row['rejected']);
      expect([row['rejected_actor_role'], row['rejected_actor_name']]).toEqual(['student', 'stumbling']);
    }
  });

  it('[EXP-3] refuses a correction that was made elsewhere than the step it replaces', () => {
    const later = branched.events.findLast(event => event.kind === 'step')?.node.id as number;
    const crossed = changed(branched, event => (event.kind === 'correction' ? { ...event, replaces: later } : event));
    expect(() => [...preferenceRows(foldEpisode(crossed), tools)]).toThrow('Expected both in the same state');
  });

  it('[EXP-3] gives none when the teacher repeats what it rejected', () => {
    const record = foldEpisode(branched);
    const [correction] = record.corrections;
    const right = record.tree.node(correction?.node as number).action;
    const repeated = changed(branched, event =>
      event.kind === 'step' && event.node.id === correction?.replaces
        ? { ...event, node: { ...event.node, action: right } }
        : event,
    );
    expect([...preferenceRows(foldEpisode(repeated), tools)]).toHaveLength(1);
  });
});

describe('episodes', () => {
  it('[EXP-4] says null of what was not verified, never that it failed', async () => {
    const rowOf = async (outcome: 'passed' | 'failed' | 'discarded' | 'errored'): Promise<Row> =>
      episodeRow(foldEpisode(await scriptedEpisode({ outcome })));
    expect(await rowOf('errored')).toMatchObject({ pass: null, progress: null, clean: null, boundary: 'policy' });
    expect(await rowOf('discarded')).toMatchObject({ pass: null, reason: 'out of interventions', boundary: null });
    expect(await rowOf('failed')).toMatchObject({ pass: false, progress: 0.5 });
    expect(await rowOf('passed')).toMatchObject({ pass: true, progress: 1, clean: true, failed_checks: [] });
    expect((await rowOf('failed'))['failed_checks']).toContain('not-given-up');
    expect((await rowOf('errored'))['failed_checks']).toBeNull();
  });

  it('[EXP-4] leaves the time out, and has no digests when nothing was opened', async () => {
    const episode = await scriptedEpisode();
    const slower = { ...episode, end: { ...episode.end, milliseconds: 99 } };
    expect(episodeRow(foldEpisode(slower))).toEqual(episodeRow(foldEpisode(episode)));
    const record = foldEpisode(episode);
    expect(episodeRow(record)).toMatchObject({
      first_digest: record.tree.root,
      last_digest: record.tree.digest(record.end.leaf),
    });
    const unopened = { ...episode, events: [], end: { ...episode.end, leaf: 0 } };
    expect(episodeRow(foldEpisode(unopened))).toMatchObject({ first_digest: null, last_digest: null });
  });
});

describe('tools', () => {
  const actions: Action[] = [
    { kind: 'click', ref: 'e3' },
    { kind: 'fill', ref: 'e3', text: 'a "quoted"\ntext' },
    { kind: 'select', ref: 'e3', option: 'Newest first' },
    { kind: 'call', tool: 'star_message', input: { id: 'm1', starred: true } },
    { kind: 'finish' },
    { kind: 'finish', answer: '42' },
    { kind: 'finish', infeasible: true },
    { kind: 'click-at', x: 3, y: 4 },
    { kind: 'click-at', x: 3, y: 4, button: 'right', double: true },
    { kind: 'hover-at', x: 0, y: 0 },
    { kind: 'drag', from: { x: 1, y: 2 }, to: { x: 3, y: 4 } },
    { kind: 'scroll', x: 1, y: 2, dx: 0, dy: -300 },
    { kind: 'type', text: 'lamp' },
    { kind: 'press', key: 'Control+a' },
    { kind: 'wait', milliseconds: 500 },
    { kind: 'back' },
  ];

  it.each(actions)('[EXP-7] the call of %o reads back as the action', action => {
    const answer = JSON.parse(JSON.stringify(answerOf(action))) as Message;
    const call = answer.tool_calls?.[0]?.function;
    expect(typeof call?.arguments).toBe('object');
    expect(actionOf(call?.name ?? '', call?.arguments ?? null)).toEqual(action);
  });

  it('[EXP-7] describe every member of every action on the screen', () => {
    for (const option of actionSchema.options) {
      const kind = option.shape.kind.value;
      if (kind === 'call') continue;
      const tool = [...screenTools, ...browserTools].find(({ name }) => name === kind);
      const input = tool?.input as { properties: object; required: string[] };
      const members = Object.entries(option.shape).filter(([name]) => name !== 'kind');
      expect(Object.keys(input.properties)).toEqual(members.map(([name]) => name));
      expect(input.required).toEqual(members.filter(([, schema]) => !schema.isOptional()).map(([name]) => name));
    }
    expect(actionOf('finish', { answer: 5 })).toBeNull();
    expect(actionOf('click', 'e3')).toBeNull();
  });

  it('[PIC-13] of a browser are listed when an episode uses any of them, and else the list is as ever', async () => {
    const plain = await scriptedEpisode();
    const dragging: Action = { kind: 'drag', from: { x: 1, y: 2 }, to: { x: 3, y: 4 } };
    const browsing = changed(plain, event =>
      event.kind === 'step' && event.node.id === 1 ? { ...event, node: { ...event.node, action: dragging } } : event,
    );
    const names = (text: string): string[] =>
      (JSON.parse(text) as { function: { name: string } }[]).map(tool => tool.function.name);
    const column = createToolsColumn(() => mailWorld.tools);
    expect(names(column(foldEpisode(plain)))).toEqual(['click', 'fill', 'select', 'finish']);
    expect(names(column(foldEpisode(browsing)))).toEqual([...screenTools, ...browserTools].map(({ name }) => name));
    expect(browserTools.map(({ name }) => name)).toEqual(dominantAction.besides);
    const calling = foldEpisode(await scriptedEpisode({ call: true }));
    const clash = [{ name: 'scroll', description: 'Scroll.', input: {} }];
    expect(() => createToolsColumn(() => clash)(calling)).toThrow('has a tool "scroll"');
  });

  it('[EXP-7] of the environment are listed when an episode calls them', async () => {
    const calling = foldEpisode(await scriptedEpisode({ call: true }));
    const names = (text: string): string[] =>
      (JSON.parse(text) as { function: { name: string } }[]).map(tool => tool.function.name);
    const own = screenTools.map(({ name }) => name);
    expect(names(tools)).toEqual(own);
    expect(names(createToolsColumn(() => mailWorld.tools)(calling))).toEqual([
      ...own,
      ...mailWorld.tools.map(({ name }) => name),
    ]);
    expect(() => createToolsColumn()(calling)).toThrow('Pass toolsOf');
    const clash = [{ name: 'click', description: 'Click.', input: {} }];
    expect(() => createToolsColumn(() => clash)(calling)).toThrow('has a tool "click"');
  });
});
