import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import {
  startScriptedUpstream,
  type Script,
  type ScriptedUpstream,
} from '../../../../test/fixtures/models/scripted-upstream.ts';
import { ask, expert, taskOf } from '../../../../test/fixtures/serve/library-rollouts.ts';
import { startServer, type StartedServer } from '../../../../test/fixtures/serve/start-server.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { SessionResult, TaskStatus } from '../../rollouts/contract.ts';
import { openStore } from '../../../store/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-rollouts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

let folders = 0;
async function serve(out = join(folder, `run-${folders++}`)): Promise<StartedServer & { readonly out: string }> {
  const server = await startServer({ out });
  opened.push({ close: () => server.stop() });
  return { ...server, out };
}

async function upstream(script: Script): Promise<ScriptedUpstream> {
  const started = await startScriptedUpstream(script);
  opened.push(started);
  return started;
}

async function until(url: string, isThere: (status: TaskStatus) => boolean): Promise<TaskStatus> {
  for (let tries = 0; tries < 400; tries++) {
    const { json } = await ask(url, 'GET');
    if (isThere(json)) return json;
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  throw new Error(`It did not come to that: ${JSON.stringify((await ask(url, 'GET')).json).slice(0, 400)}`);
}

const isCompleted = ({ status }: TaskStatus): boolean => status === 'completed';

describe('rollouts as a service', () => {
  it('[RAS-1] runs the samples of a task with the model of the trainer, and answers with token rows', async () => {
    const { rolloutsUrl, out } = await serve();
    const model = await upstream(expert);
    const submitted = await ask(
      `${rolloutsUrl}/rollout/task/submit`,
      'POST',
      taskOf('one', model.url, { num_samples: 3 }),
    );
    expect([submitted.status, submitted.json]).toEqual([
      200,
      expect.objectContaining({ task_id: 'one', status: 'running', total_sessions: 3 }),
    ]);
    const { results } = await until(`${rolloutsUrl}/rollout/task/one`, isCompleted);
    expect(results.map(({ sample, reward, status }) => [sample, reward, status]).toSorted()).toEqual([
      [0, 1, 'completed'],
      [1, 1, 'completed'],
      [2, 1, 'completed'],
    ]);
    for (const { trajectory } of results) {
      const [trace] = trajectory.traces;
      const length = trace?.response_ids.length;
      expect(trajectory.traces).toHaveLength(1);
      expect(trace?.loss_mask.filter(mask => mask === 1).length).toBeGreaterThan(0);
      for (const list of [trace?.loss_mask, trace?.response_logprobs, trace?.policy_versions, trace?.logprob_versions])
        expect(list).toHaveLength(length as number);
    }
    const store = openStore({ path: join(out, 'store.db'), readOnly: true });
    const heads = [...store.summaries({})].map(({ head, end }) => [head.strategy, head.student, end.outcome]);
    store.close();
    expect(heads).toEqual(Array.from({ length: 3 }, () => ['rollouts', `openai:one@${model.url}`, 'passed']));
  });

  it('[RAS-2] streams each session that ends, and answers mistakes as FastAPI does', async () => {
    const { rolloutsUrl } = await serve();
    const model = await upstream(expert);
    const stream = await fetch(`${rolloutsUrl}/events`);
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    await ask(`${rolloutsUrl}/rollout/task/submit`, 'POST', taskOf('streamed', model.url));
    let text = '';
    for (let ended = false; !ended && !text.includes('"status":"completed"}\n\n'); ) {
      const { done = true, value = '' } = (await reader?.read()) ?? {};
      ended = done;
      text += value;
    }
    await reader?.cancel();
    expect(text).toMatch(/event: session\ndata: \{"result":\{"session_id":"streamed\/0"/);
    expect(text).toContain('event: task\ndata: {"task_id":"streamed","status":"completed"}');
    const submit = (body: unknown) => ask(`${rolloutsUrl}/rollout/task/submit`, 'POST', body);
    const answers = await Promise.all([
      submit(taskOf('streamed', model.url)),
      submit({}),
      submit(taskOf('x', model.url, { environment: 'nowhere' })),
      submit(taskOf('x', 'http://192.0.2.1/v1')),
      submit({ ...taskOf('x', model.url), model: { base_url: model.url, model: 'a@http://192.0.2.1/v1' } }),
      submit(taskOf('x', 'http://127.0.0.1:1/v1')),
      submit(taskOf('x', model.url, { task: 'who-has-book/7' })),
      ask(`${rolloutsUrl}/rollout/task/unknown`, 'GET'),
      ask(`${rolloutsUrl}/nothing`, 'GET'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([409, 422, 422, 403, 422, 503, 403, 404, 404]);
    for (const { json } of answers) expect(json).toHaveProperty('detail');
  });

  it('[RAS-3] pauses what runs when enough is usable, keeps its tokens, and goes on with it in the next batch', async () => {
    const { rolloutsUrl } = await serve();
    const held = Promise.withResolvers<void>();
    let isHeld = false;
    const model = await upstream(async asked => {
      const steps = (asked.body['messages'] as JsonObject[]).filter(({ role }) => role === 'assistant').length;
      // The second session to get so far hangs there.
      if (steps === 2 && !isHeld) {
        isHeld = true;
        await held.promise;
      }
      return expert(asked);
    });
    const submit = (body: unknown) => ask(`${rolloutsUrl}/rollout/task/submit`, 'POST', body);
    await submit(taskOf('first', model.url, { num_samples: 2, early_stop_min_usable_sessions: 1 }));
    const partial = await until(`${rolloutsUrl}/rollout/task/first`, ({ status }) => status === 'partial');
    expect([partial.completed_sessions, partial.paused_sessions]).toEqual([1, 1]);
    expect((await ask(`${rolloutsUrl}/rollout/status`, 'GET')).json).toMatchObject({
      sessions: { running: 0, paused: 1, ended: 1 },
      buffered_groups: 1,
    });
    await ask(`${rolloutsUrl}/rollout/version`, 'POST', { version: 7 });
    held.resolve();
    await submit(taskOf('second', model.url));
    const { results } = await until(`${rolloutsUrl}/rollout/task/first`, isCompleted);
    await until(`${rolloutsUrl}/rollout/task/second`, isCompleted);
    const late = results.find(({ timing }) => timing.paused === 1) as SessionResult;
    const [trace] = late.trajectory.traces;
    expect(new Set(trace?.policy_versions)).toEqual(new Set([0, 7]));
    expect(trace?.policy_versions).toEqual(trace?.policy_versions.toSorted());
    expect([late.reward, late.min_version]).toEqual([1, 0]);
    const batch = await ask(`${rolloutsUrl}/rollout/batch`, 'POST', { groups: 9, max_staleness: 7 });
    expect(batch.json.groups.map(({ id }: { id: string }) => id)).toEqual(['first', 'first#2', 'second']);
  });

  it('[RAS-4] hands out each group once, and none that is too stale', async () => {
    const { rolloutsUrl } = await serve();
    const model = await upstream(expert);
    for (const id of ['old', 'new']) {
      await ask(`${rolloutsUrl}/rollout/task/submit`, 'POST', taskOf(id, model.url));
      await until(`${rolloutsUrl}/rollout/task/${id}`, isCompleted);
      await ask(`${rolloutsUrl}/rollout/version`, 'POST', { version: id === 'old' ? 3 : 4 });
    }
    const take = async () => (await ask(`${rolloutsUrl}/rollout/batch`, 'POST', { groups: 4, max_staleness: 2 })).json;
    const first = await take();
    expect([first.groups.map(({ id }: { id: string }) => id), first.expired, first.version]).toEqual([['new'], 1, 4]);
    expect((await take()).groups).toEqual([]);
    expect((await ask(`${rolloutsUrl}/rollout/version`, 'POST', { version: 1 })).status).toBe(422);
  });

  it('[RAS-5] refuses rows of answers that span two versions, and asks again when it may interrupt', async () => {
    const { rolloutsUrl } = await serve();
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const model = await upstream(async asked => {
      if (asked.index === 1) {
        begun.resolve();
        await held.promise;
      }
      return expert(asked);
    });
    await ask(`${rolloutsUrl}/rollout/task/submit`, 'POST', taskOf('spanning', model.url));
    await begun.promise;
    await ask(`${rolloutsUrl}/rollout/version`, 'POST', { version: 1, interrupt: false });
    held.resolve();
    const { results } = await until(`${rolloutsUrl}/rollout/task/spanning`, isCompleted);
    expect(results[0]?.trajectory.traces).toEqual([]);
    expect(results[0]?.refused).toEqual([
      { code: 'stale-logprobs', message: expect.stringContaining('its log probability is of version 1') },
    ]);
    const again = Promise.withResolvers<void>();
    const other = await upstream(async asked => {
      if (asked.index === 1) {
        again.resolve();
        await new Promise(() => undefined);
      }
      return expert(asked);
    });
    await ask(`${rolloutsUrl}/rollout/task/submit`, 'POST', taskOf('interrupted', other.url));
    await again.promise;
    await ask(`${rolloutsUrl}/rollout/version`, 'POST', { version: 2 });
    const { results: kept } = await until(`${rolloutsUrl}/rollout/task/interrupted`, isCompleted);
    expect(kept[0]?.refused).toEqual([]);
    expect(new Set(kept[0]?.trajectory.traces[0]?.policy_versions)).toEqual(new Set([1, 2]));
  });

  it('[RAS-9] refuses more samples than may wait, and has room again when a task is cancelled', async () => {
    const { rolloutsUrl } = await serve();
    const hanging = await upstream(() => new Promise<never>(() => undefined));
    const submit = (id: string) =>
      ask(`${rolloutsUrl}/rollout/task/submit`, 'POST', taskOf(id, hanging.url, { num_samples: 1024 }));
    for (let task = 0; task < 64; task++) expect(await submit(`t${task}`)).toMatchObject({ status: 200 });
    expect(await submit('more')).toMatchObject({ status: 503 });
    expect(await ask(`${rolloutsUrl}/rollout/task/t63`, 'DELETE')).toMatchObject({ status: 200 });
    expect(await submit('more')).toMatchObject({ status: 200 });
  });

  it('[RAS-7] cancels, gives up what takes too long, and says what broke: without a reward', async () => {
    const { rolloutsUrl } = await serve();
    const hanging = await upstream(() => new Promise(() => undefined));
    const submit = (body: unknown) => ask(`${rolloutsUrl}/rollout/task/submit`, 'POST', body);
    await submit(taskOf('hangs', hanging.url, { timeout_seconds: 0.2 }));
    await submit(taskOf('cancelled', hanging.url, { num_samples: 2 }));
    expect((await ask(`${rolloutsUrl}/rollout/task/cancelled`, 'DELETE')).json.status).toBe('cancelled');
    const cancelled = await until(`${rolloutsUrl}/rollout/task/cancelled`, status => status.completed_sessions === 2);
    expect(cancelled.results.map(({ status, reward }) => [status, reward])).toEqual([
      ['cancelled', null],
      ['cancelled', null],
    ]);
    const late = await until(`${rolloutsUrl}/rollout/task/hangs`, isCompleted);
    expect(late.results[0]).toMatchObject({
      status: 'timeout',
      reward: null,
      error: expect.stringContaining('too long'),
    });
    const refusing = await upstream(() => ({ status: 400, error: 'no such thing' }));
    await submit(taskOf('broken', refusing.url));
    const broken = await until(`${rolloutsUrl}/rollout/task/broken`, isCompleted);
    expect(broken.results[0]).toMatchObject({
      status: 'failed',
      reward: null,
      // What the model server said stays here: a client must not read through this server.
      error: expect.stringMatching(/^The model .* gave no usable answer/),
    });
  });

  it('[RAS-8] goes on after a restart: results are there, unfinished sessions are run again, batches are not given twice', async () => {
    const out = join(folder, 'restarted');
    const before = await startServer({ out });
    const model = await upstream(expert);
    let isBack = false;
    const slow = await upstream(asked => (isBack ? expert(asked) : new Promise(() => undefined)));
    await ask(`${before.rolloutsUrl}/rollout/task/submit`, 'POST', taskOf('done', model.url));
    await ask(`${before.rolloutsUrl}/rollout/task/submit`, 'POST', taskOf('taken', model.url));
    const done = await until(`${before.rolloutsUrl}/rollout/task/done`, isCompleted);
    await until(`${before.rolloutsUrl}/rollout/task/taken`, isCompleted);
    await ask(`${before.rolloutsUrl}/rollout/version`, 'POST', { version: 1 });
    const first = await ask(`${before.rolloutsUrl}/rollout/batch`, 'POST', { groups: 1, order: 'arrival' });
    await ask(`${before.rolloutsUrl}/rollout/task/submit`, 'POST', taskOf('under-way', slow.url));
    await before.stop();
    isBack = true;
    const { rolloutsUrl } = await serve(out);
    expect((await ask(`${rolloutsUrl}/rollout/task/done`, 'GET')).json).toEqual(done);
    const { results } = await until(`${rolloutsUrl}/rollout/task/under-way`, isCompleted);
    expect(results.map(({ reward, episode }) => [reward, episode])).toEqual([[1, 'rollout/under-way/0/2']]);
    const rest = await ask(`${rolloutsUrl}/rollout/batch`, 'POST', { groups: 9 });
    const ids = [...first.json.groups, ...rest.json.groups].map(({ id }: { id: string }) => id);
    expect([ids.toSorted(), rest.json.version]).toEqual([['done', 'taken', 'under-way'], 1]);
  });
});
