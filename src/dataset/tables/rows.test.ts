import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { perfectTeacher, planFor, runOne } from '../../../test/fixtures/episode-setup.ts';
import { mailWorld, scriptedEpisode } from '../../../test/fixtures/episodes.ts';
import { actionSchema, type Action } from '../../core/action.ts';
import { actionOf, browserTools, screenTools } from '../../core/episode/action-tools.ts';
import type { EpisodeEvent } from '../../core/episode/events.ts';
import type { StoredEpisode } from '../../core/episode/journal.ts';
import { foldEpisode, type EpisodeRecord } from '../../core/episode/record.ts';
import type { JsonObject } from '../../core/json.ts';
import { createWorld } from '../../worlds/world.ts';
import { createScripted } from '../../agents/scripted.ts';
import { readPrompts } from '../../models/prompt/prompts.ts';
import { readStepRequest } from '../../models/prompt/read-situation.ts';
import { createSpeculativeRollback } from '../../episode/strategies/speculative-rollback.ts';
import { dominantAction } from '../archive/archive-rules.ts';
import { candidatesOf, type Candidate } from '../rows/candidate.ts';
import { createRequests } from '../requests/requests.ts';
import type { ToolsOf } from '../requests/offers.ts';
import type { Row } from '../rows/columns.ts';
import { correctionRows, corrections } from './corrections.ts';
import { episodeRow, episodes } from './episodes.ts';
import { nextActionRows, nextActions } from './next-actions.ts';
import { preferenceRows, preferences } from './preferences.ts';
import { createRightActions } from '../rows/preferences-checked.ts';

const requestsWith = (toolsOf?: ToolsOf) => createRequests({ source: { attachment: () => null }, toolsOf });
const requests = requestsWith(() => mailWorld.tools);
const archived = (candidates: readonly Candidate[]) => ({ archived: candidates, requests, masked: new Set<number>() });
const branched = await scriptedEpisode({ slips: 2, branch: 'passing' });

const slipped = await scriptedEpisode({ slips: 2, branch: 'failing' });

/** The preferences of the first of these episodes, in an export of all of them. */
function pairsOf(record: EpisodeRecord, ...others: readonly EpisodeRecord[]): Iterable<Row> {
  const right = createRightActions();
  for (const exported of [record, ...others]) right.add(exported);
  return preferenceRows(record, requests, node => right.has(record, node));
}

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

interface Message {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: JsonObject } }[];
}

const messagesOf = (row: Row, column = 'messages'): readonly Message[] => row[column] as unknown as readonly Message[];

function situationOf(messages: readonly Message[]): unknown {
  return readStepRequest(messages.map(({ role, content }) => ({ role, text: content })));
}

function actionIn(message: Message | undefined): Action | null {
  const call = message?.tool_calls?.[0]?.function;
  return actionOf(call?.name ?? '', call?.arguments ?? null);
}

describe('next actions', () => {
  it('[EXP-1] has every step to an archived leaf once, and says who took it', () => {
    const record = foldEpisode(branched);
    const candidates = candidatesOf(record);
    const rows = [...nextActionRows(archived(candidates))];
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
    const nodes = [...nextActionRows(archived(main))].map(row => row['node']);
    expect(nodes).toEqual(record.tree.path(record.end.leaf).map(({ id }) => id));
    for (const { replaces } of record.corrections) expect(nodes).not.toContain(replaces);
  });

  it('[EXP-5] asks with what the actor saw, in the state that the digest names', () => {
    const record = foldEpisode(branched);
    for (const row of nextActionRows(archived(candidatesOf(record)))) {
      const node = row['node'] as number;
      const messages = messagesOf(row);
      expect(messages[0]).toEqual({ role: 'system', content: readPrompts().texts.act });
      expect(situationOf(messages.slice(0, -1))).toMatchObject(record.situation(node));
      expect(row['digest']).toBe(record.tree.digest(record.tree.node(node).parent));
      expect(actionIn(messages.at(-1))).toEqual(record.tree.node(node).action);
      expect(JSON.parse(row['action'] as string)).toEqual(record.tree.node(node).action);
    }
  });

  it('[EXP-5] has the columns of its table in every row, and so has every other table', async () => {
    const record = foldEpisode(await scriptedEpisode({ slips: 1, branch: 'failing' }));
    const rows: [readonly { readonly name: string }[], Row[]][] = [
      [nextActions.columns, [...nextActionRows(archived(candidatesOf(record)))]],
      [corrections.columns, [...correctionRows(record, requests)]],
      [preferences.columns, [...pairsOf(record)]],
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
      const rows = [...correctionRows(record, requests)];
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
    expect([...correctionRows(record, requests)].map(row => row['replaced'])).toEqual([null, null]);
    expect([...pairsOf(record)]).toEqual([]);
  });

  it('[EXP-2] [EXP-3] are no finish that the verifier refused, and a teacher that was wrong is named', async () => {
    const record = await hastilyCorrected(6);
    const [hasty, right] = record.corrections;
    expect(record.end.outcome).toBe('passed');
    expect(record.corrections).toHaveLength(2);
    expect(right?.replaces).toBe(hasty?.node);
    expect([...correctionRows(record, requests)].map(row => row['node'])).toEqual([right?.node]);
    const pairs = [...pairsOf(record)];
    expect(pairs).toMatchObject([
      { node: right?.node, rejected_node: hasty?.node, rejected_actor_role: 'teacher', rejected_actor_name: 'perfect' },
    ]);
  });

  it('[EXP-2] [EXP-3] are no refused finish either when the episode is given up there', async () => {
    const record = await hastilyCorrected(1);
    expect(record.end).toMatchObject({ outcome: 'discarded', leaf: record.corrections[0]?.node });
    expect([...correctionRows(record, requests), ...pairsOf(record)]).toEqual([]);
  });

  it('[EXP-2] [EXP-3] are nothing that the world refused', () => {
    const first = foldEpisode(slipped).corrections[0]?.node;
    const refused = changed(slipped, event =>
      event.kind === 'step' && event.node.id === first
        ? { ...event, node: { ...event.node, outcome: { applied: false, problem: { code: 'no', message: 'no' } } } }
        : event,
    );
    const nodesOf = (rows: Iterable<Row>): unknown[] => Array.from(rows, row => row['node']);
    for (const rowsOf of [(record: EpisodeRecord) => correctionRows(record, requests), pairsOf]) {
      const before = nodesOf(rowsOf(foldEpisode(slipped)));
      expect(before).toContain(first);
      expect(nodesOf(rowsOf(foldEpisode(refused)))).toEqual(before.filter(node => node !== first));
    }
  });

  it('[EXP-2] [EXP-3] are not taken from an episode that broke', async () => {
    const record = foldEpisode(await scriptedEpisode({ slips: 2, outcome: 'errored' }));
    expect(record.corrections).toHaveLength(2);
    expect([...correctionRows(record, requests), ...pairsOf(record)]).toEqual([]);
  });
});

describe('preferences', () => {
  it('[EXP-3] are two different answers in the same state, after the same steps', () => {
    const record = foldEpisode(slipped);
    const rows = [...pairsOf(record)];
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      const chosen = record.tree.node(row['node'] as number);
      const rejected = record.tree.node(row['rejected_node'] as number);
      expect(chosen.parent).toBe(rejected.parent);
      expect([chosen.before, rejected.before]).toEqual([row['digest'], row['digest']]);
      expect(situationOf(messagesOf(row, 'prompt'))).toMatchObject(record.situation(rejected.id));
      expect(messagesOf(row, 'chosen').map(actionIn)).toEqual([chosen.action]);
      expect(messagesOf(row, 'rejected').map(actionIn)).toEqual([rejected.action]);
      expect(messagesOf(row, 'chosen')[0]?.content).toBe('This leads on.');
      expect(messagesOf(row, 'rejected')[0]?.content).toBe('');
      expect(row['chosen']).not.toEqual(row['rejected']);
      expect([row['rejected_actor_role'], row['rejected_actor_name']]).toEqual(['student', 'stumbling']);
    }
  });

  it('[EXP-3] refuses a correction that was made elsewhere than the step it replaces', () => {
    const later = slipped.events.findLast(event => event.kind === 'step')?.node.id as number;
    const crossed = changed(slipped, event => (event.kind === 'correction' ? { ...event, replaces: later } : event));
    expect(() => [...pairsOf(foldEpisode(crossed))]).toThrow('Expected both in the same state');
  });

  it('[EXP-3] gives none when the teacher repeats what it rejected', () => {
    const record = foldEpisode(slipped);
    const [correction] = record.corrections;
    const right = record.tree.node(correction?.node as number).action;
    const repeated = changed(slipped, event =>
      event.kind === 'step' && event.node.id === correction?.replaces
        ? { ...event, node: { ...event.node, action: right } }
        : event,
    );
    expect([...pairsOf(foldEpisode(repeated))]).toHaveLength(1);
  });
});

describe('preferences and verdicts', () => {
  const nodesOf = (rows: Iterable<Row>): unknown[] => Array.from(rows, row => row['rejected_node']);

  it('[EXP-18] reject no step that led to an end which passed', () => {
    const record = foldEpisode(branched);
    expect(record.leaves.filter(({ role, verdict }) => role === 'rejected' && verdict?.pass === true)).toHaveLength(2);
    expect(nodesOf(pairsOf(record))).toEqual([]);
    expect(nodesOf(pairsOf(foldEpisode(slipped)))).toHaveLength(2);
  });

  it('[EXP-18] reject no action that another episode of the task shows to be right in that state', async () => {
    const record = foldEpisode(slipped);
    const rejected = record.tree.node(record.corrections[0]?.replaces as number);
    const wandering = foldEpisode(branched);
    // The same wrong step, by the same seed, in an episode where it led to the goal.
    expect(wandering.tree.node(1)).toMatchObject({ before: rejected.before, action: rejected.action });
    expect(nodesOf(pairsOf(record, wandering))).not.toContain(rejected.id);
    const elsewhere = foldEpisode(await scriptedEpisode({ slips: 2, branch: 'passing', seed: 2 }));
    expect(nodesOf(pairsOf(record, elsewhere))).toContain(rejected.id);
  });

  it('[EXP-18] reject no action that is a correction in the same state', () => {
    const record = foldEpisode(slipped);
    const [first] = record.corrections;
    const wrong = record.tree.node(first?.replaces as number).action;
    // A teacher that corrects with the step that it rejected in the other episode.
    const erring = changed(slipped, event => {
      if (event.kind === 'step' && event.node.id === first?.node)
        return { ...event, node: { ...event.node, action: wrong } };
      return event;
    });
    expect(nodesOf(pairsOf(record))).toContain(first?.replaces);
    expect(nodesOf(pairsOf(record, foldEpisode(erring)))).not.toContain(first?.replaces);
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

  it.each(actions)('[EXP-7] the call of %o reads back as the action', async action => {
    const plain = await scriptedEpisode();
    const acting = changed(plain, event =>
      event.kind === 'step' && event.node.id === 1 ? { ...event, node: { ...event.node, action } } : event,
    );
    const answer = JSON.parse(JSON.stringify(requests.of(foldEpisode(acting), 1)?.answer(1))) as Message;
    expect(typeof answer.tool_calls?.[0]?.function.arguments).toBe('object');
    expect(actionIn(answer)).toEqual(action);
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

  const names = (record: EpisodeRecord, toolsOf?: ToolsOf): string[] => {
    const text = requestsWith(toolsOf).of(record, 1)?.tools ?? '';
    return (JSON.parse(text) as { function: { name: string } }[]).map(tool => tool.function.name);
  };
  const own = screenTools.map(({ name }) => name);
  const mailTools = mailWorld.tools.map(({ name }) => name);

  it('[EXP-7] [PIC-13] of a browser are listed when an episode uses any of them, or is said to run in one', async () => {
    const plain = await scriptedEpisode();
    const dragging: Action = { kind: 'drag', from: { x: 1, y: 2 }, to: { x: 3, y: 4 } };
    const browsing = changed(plain, event =>
      event.kind === 'step' && event.node.id === 1 ? { ...event, node: { ...event.node, action: dragging } } : event,
    );
    const drawn = browserTools.map(({ name }) => name);
    expect(names(foldEpisode(browsing), () => mailWorld.tools)).toEqual([...own, ...drawn, ...mailTools]);
    expect(names(foldEpisode(plain), () => ({ tools: [], browses: true }))).toEqual([...own, ...drawn]);
    expect(drawn).toEqual(dominantAction.besides);
  });

  it('[EXP-7] of the environment are listed as a model is offered them, called or not', async () => {
    const plain = foldEpisode(await scriptedEpisode());
    const calling = foldEpisode(await scriptedEpisode({ call: true }));
    for (const record of [plain, calling]) expect(names(record, () => mailWorld.tools)).toEqual([...own, ...mailTools]);
    expect(names(plain, () => ({ only: mailWorld.tools }))).toEqual(['finish', ...mailTools]);
    const odd = [{ name: 'click', description: 'Click.', input: {} }];
    expect(names(plain, () => odd)).toEqual([...own, 'click_2']);
  });

  it('[EXP-7] that nobody knows are an error where they were called, and else are said to be missing', async () => {
    const plain = foldEpisode(await scriptedEpisode());
    const calling = foldEpisode(await scriptedEpisode({ call: true }));
    expect(() => names(calling)).toThrow('Pass toolsOf');
    const without = requestsWith();
    without.of(plain, 1);
    expect(names(plain)).toEqual(own);
    expect(without.withoutTools()).toEqual(['mail']);
    requests.of(plain, 1);
    expect(requests.withoutTools()).toEqual([]);
  });
});
