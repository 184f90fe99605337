import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { planFor } from '../../../test/fixtures/episode-setup.ts';
import { callItem, createGymClient, messageItem, responseOf, rowOf } from '../../../test/fixtures/serve/gym-client.ts';
import { startServer, stoppedAfterEach } from '../../../test/fixtures/serve/start-server.ts';
import { toolCallOf } from '../../core/episode/action-tools.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import { createWorld } from '../../worlds/world.ts';
import { openStore } from '../../store/store.ts';
import { runPaths } from '../../runs/folder/folder.ts';

const start = stoppedAfterEach();
const world = createWorld(app);
const task = 'lend-to-reader/3';
const plan = planFor(world.open(world.task('lend-to-reader', 3))).map(toolCallOf);
const folder = mkdtempSync(join(tmpdir(), 'espalier-gym-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('resources server', () => {
  it('[NG-1] plays a rollout by tool routes, and verifies it: the row comes back with a reward', async () => {
    const { gymUrl } = await start();
    const client = createGymClient(gymUrl);
    const row = rowOf('library', task);
    expect((await client.post('seed_session', row)).json()).toEqual({});
    for (const { name, input } of plan) expect((await client.post(name, input)).status).toBe(200);
    const response = responseOf(messageItem('Done.'));
    const verified = await client.post('verify', { ...row, response });
    expect(verified.json()).toEqual({
      ...row,
      response,
      reward: 1,
      finished: 1,
      progress: 1,
      clean: 1,
      steps: plan.length,
    });
  });

  it('[NG-1] gives a tool its raw text, and a screen as text', async () => {
    const { gymUrl } = await start();
    const client = createGymClient(gymUrl);
    await client.post('seed_session', rowOf('library', task));
    expect(Array.isArray((await client.post('list_books', { text: '' })).json())).toBe(true);
    expect((await client.post('observe', {})).text).toMatch(/\[e\d+\]/);
  });

  it('[NG-2] sends the cookie with every answer, refusals too: agents keep only the last', async () => {
    const { gymUrl } = await start();
    const client = createGymClient(gymUrl);
    await client.post('seed_session', rowOf('library', task));
    const { cookie } = client;
    const first = cookie();
    expect(first).toMatch(/^espalier_session=s-/);
    for (const [path, body, status] of [
      ['click', { ref: 'e9999' }, 400],
      ['click', { nothing: 1 }, 422],
      ['no_such_tool', {}, 404],
      ['click', '{', 422],
      ['verify', {}, 422],
      ['observe', {}, 200],
    ] as const) {
      expect({ path, status: (await client.post(path, body)).status }).toEqual({ path, status });
      expect(cookie()).toBe(first);
    }
  });

  it('[NG-3] takes a closing message for the end, with its text as the answer', async () => {
    const { gymUrl } = await start({ heldOut: true });
    const actions = planFor(world.open(world.task('who-has-book', 3)));
    const finish = actions.at(-1);
    const answer = finish?.kind === 'finish' ? finish.answer : undefined;
    const rewards: unknown[] = [];
    for (const said of [answer ?? '', 'Nobody knows.']) {
      const client = createGymClient(gymUrl);
      const row = rowOf('library', 'who-has-book/3');
      await client.post('seed_session', row);
      for (const { name, input } of actions.slice(0, -1).map(toolCallOf)) await client.post(name, input);
      const verified = await client.post('verify', { ...row, response: responseOf(messageItem(said)) });
      rewards.push([verified.json().reward, verified.json().finished]);
    }
    expect(rewards).toEqual([
      [1, 1],
      [0, 1],
    ]);
  });

  it('[NG-3] does not pass an agent that was cut off, and tells it nothing of the state', async () => {
    const { gymUrl } = await start();
    const client = createGymClient(gymUrl);
    const row = rowOf('library', task);
    await client.post('seed_session', row);
    for (const { name, input } of plan.slice(0, -1)) await client.post(name, input);
    const cut = responseOf(callItem('c1', 'observe', {}));
    const answer = (await client.post('verify', { ...row, response: cut })).json();
    expect(answer).toEqual({ ...row, response: cut, reward: 0, finished: 0, steps: plan.length - 1 });
  });

  it('[NG-4] answers the same verification again, and ends the session with the first', async () => {
    const { gymUrl } = await start({ sessions: 1 });
    const client = createGymClient(gymUrl);
    const row = rowOf('library', task);
    await client.post('seed_session', row);
    const body = { ...row, response: responseOf(messageItem('')) };
    const first = await client.post('verify', body);
    expect((await client.post('verify', body)).json()).toEqual(first.json());
    expect((await client.post('click', { ref: 'e1' })).status).toBe(404);
    // There is room again.
    expect((await createGymClient(gymUrl).post('seed_session', row)).status).toBe(200);
    const full = await createGymClient(gymUrl).post('seed_session', row);
    expect([full.status, full.json().detail]).toEqual([503, expect.stringContaining('1 of at most 1 sessions')]);
  });

  it('[NG-5] plays the Gymnasium variant: several calls in a step, a retry that is not taken twice, a reward at the end', async () => {
    const { gymUrl } = await start();
    const client = createGymClient(gymUrl);
    const row = rowOf('library', task);
    const reset = (await client.post('reset', row)).json();
    expect(reset).toMatchObject({
      observation: expect.stringContaining('[e1]'),
      info: { task: 'library/lend-to-reader/3', supports_explicit_close: true, supports_step_idempotency: true },
    });
    const items = plan.map(({ name, input }, index) => callItem(`c${index}`, name, input));
    const [first, ...rest] = items as [object, ...object[]];
    const body = { ...row, response: responseOf(first), _ng_step_request_id: 'once' };
    const taken = (await client.post('step', body)).json();
    expect((await client.post('step', body)).json()).toEqual(taken);
    expect(taken).toEqual({
      observation: null,
      reward: 0,
      terminated: false,
      truncated: false,
      info: { tool_outputs: [{ call_id: 'c0', output: expect.any(String) }] },
    });
    const last = await client.post('step', { ...row, response: responseOf(...rest, callItem('late', 'observe', {})) });
    expect(last.json()).toMatchObject({ reward: 1, terminated: true, truncated: false });
    expect(last.json().info.tool_outputs.at(-1)).toEqual({
      call_id: 'late',
      output: 'The episode has ended: no tool can be called any more.',
    });
    expect((await client.post('close')).json()).toEqual({});
  });

  it('[NG-5] asks a model that says nothing to do something, and abandons what is closed early', async () => {
    const out = join(folder, 'abandoned');
    const server = await start({ out });
    const client = createGymClient(server.gymUrl);
    const row = rowOf('library', task);
    await client.post('reset', row);
    const answer = (
      await client.post('step', { ...row, response: responseOf({ type: 'reasoning', summary: [] }) })
    ).json();
    expect(answer).toMatchObject({ observation: expect.stringContaining('Call a tool'), terminated: false });
    const broken = responseOf(callItem('c', 'click', 'not json'));
    expect((await client.post('step', { ...row, response: broken })).json().info.tool_outputs).toEqual([
      { call_id: 'c', output: 'The arguments of click are not a JSON object.' },
    ]);
    expect((await client.post('close')).json()).toEqual({});
    expect(server.log).toContainEqual(
      expect.objectContaining({ event: 'episode', outcome: 'errored', reason: 'abandoned', steps: 0 }),
    );
  });

  it('[NG-6] journals rollouts as any other, and goes on with them after a restart', async () => {
    const out = join(folder, 'resumed');
    const row = rowOf('library', task);
    const before = await startServer({ out });
    const client = createGymClient(before.gymUrl);
    await client.post('seed_session', row);
    const [first, ...rest] = plan as [(typeof plan)[0], ...typeof plan];
    await client.post(first.name, first.input);
    const cookie = client.cookie();
    await before.stop();
    const after = await startServer({ out });
    expect(after.resumed).toMatchObject({ sessions: 1, lost: 0 });
    const again = createGymClient(after.gymUrl, {}, cookie);
    for (const { name, input } of rest) expect((await again.post(name, input)).status).toBe(200);
    expect((await again.post('verify', { ...row, response: responseOf() })).json().reward).toBe(1);
    await after.stop();
    const store = openStore({ path: runPaths(out).store, readOnly: true });
    const records = [...store.episodes({})].map(foldEpisode);
    store.close();
    expect(records.map(({ head, end }) => [head.task.id, head.student, end.outcome])).toEqual([
      ['library/lend-to-reader/3', 'nemo-gym', 'passed'],
    ]);
  });

  it('[NG-7] needs the key where there is one, and says what it can do', async () => {
    const key = 'a-key-of-a-student';
    const { gymUrl } = await start({ keys: { student: key, teacher: null } });
    const row = rowOf('library', task);
    const refused = await createGymClient(gymUrl).post('seed_session', row);
    expect([refused.status, refused.json().detail]).toEqual([401, expect.stringContaining('needs a key')]);
    const headers = { authorization: `Bearer ${key}` };
    expect((await createGymClient(gymUrl, headers).post('seed_session', row)).status).toBe(200);
    const get = async (path: string) => (await fetch(`${gymUrl}/${path}`, { headers })).json();
    expect([await get(''), await get('reverify_mode')]).toEqual([{ status: 'ok' }, 'unsupported']);
  });

  it('[NG-7] refuses an environment whose tool has the name of one of its addresses', async () => {
    const tools = [{ name: 'verify', description: 'Verify.', input: { type: 'object' } }];
    await expect(start({ environments: [{ ...world, tools }] })).rejects.toThrow(
      '"library" has a tool "verify", which is an address of NeMo Gym.',
    );
  });
});
