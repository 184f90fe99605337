import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startScriptedUpstream, type Script } from '../../../../test/fixtures/models/scripted-upstream.ts';
import { ask, expert, taskOf } from '../../../../test/fixtures/serve/library-rollouts.ts';
import { startServer, type StartOptions } from '../../../../test/fixtures/serve/start-server.ts';
import { isAddressOf } from './open-rollouts.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-rollout-misuse-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

let folders = 0;
async function serve(options: StartOptions = {}) {
  const server = await startServer({ out: join(folder, `run-${folders++}`), ...options });
  closing.push(() => server.stop());
  return server;
}

async function upstream(script: Script, port = 0) {
  const model = await startScriptedUpstream(script, port);
  closing.push(model.close);
  return model;
}

async function untilCompleted(url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const { json } = await ask(url, 'GET');
    if (json.status === 'completed') return;
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  throw new Error(`It did not complete: ${JSON.stringify((await ask(url, 'GET')).json).slice(0, 400)}`);
}

describe('tasks of an earlier server', () => {
  it('[RAS-10] wait for a model that is down at the restart, and go on when it is back', async () => {
    const out = join(folder, 'model-down');
    const before = await startServer({ out });
    const model = await startScriptedUpstream(() => new Promise(() => undefined));
    await ask(`${before.rolloutsUrl}/rollout/task/submit`, 'POST', taskOf('waits', model.url));
    await before.stop();
    await model.close();
    const { rolloutsUrl } = await serve({ out });
    expect((await ask(`${rolloutsUrl}/rollout/task/waits`, 'GET')).json).toMatchObject({
      status: 'running',
      completed_sessions: 0,
    });
    await upstream(expert, Number(new URL(model.url).port));
    await untilCompleted(`${rolloutsUrl}/rollout/task/waits`);
  });
});

describe('models of rollouts', () => {
  it('[RAS-11] are those of the addresses that were named, and no other port of this machine', async () => {
    const [model, other] = [await upstream(expert), await upstream(expert)];
    const addresses = [new URL(model.url).origin];
    const { rolloutsUrl } = await serve({ modelAccess: { addresses, variable: () => undefined } });
    const submit = (body: unknown) => ask(`${rolloutsUrl}/rollout/task/submit`, 'POST', body);
    expect((await submit(taskOf('ours', model.url))).status).toBe(200);
    expect(await submit(taskOf('theirs', other.url))).toMatchObject({
      status: 403,
      json: { detail: expect.stringContaining('--rollout-models') },
    });
    expect(other.asked).toEqual([]);
  });

  it('[RAS-11] may be at any port of a host where that was said', () => {
    const url = 'http://127.0.0.1:8000/v1';
    expect(
      ['http://127.0.0.1:*', 'http://127.0.0.1:8000', 'http://127.0.0.1:8000/v1'].map(a => isAddressOf(a, url)),
    ).toEqual([true, true, true]);
    expect(
      ['http://127.0.0.1', 'https://127.0.0.1:*', 'http://127.0.0.2:*', 'http://127.0.0.1:80'].map(a =>
        isAddressOf(a, url),
      ),
    ).toEqual([false, false, false, false]);
  });

  it('[RAS-11] do not speak through errors', async () => {
    const secret = 'the words of somebody else’s server';
    const raw = await upstream(() => ({ status: 400, error: secret }));
    const { rolloutsUrl } = await serve();
    await ask(`${rolloutsUrl}/rollout/task/submit`, 'POST', taskOf('raw', raw.url));
    await untilCompleted(`${rolloutsUrl}/rollout/task/raw`);
    const { json } = await ask(`${rolloutsUrl}/rollout/task/raw`, 'GET');
    expect(json.results[0].status).toBe('failed');
    expect(JSON.stringify(json)).not.toContain(secret);
  });
});

describe('tasks and groups', () => {
  it('[RAS-13] get fewer samples when the task passed before, also after a restart', async () => {
    const out = join(folder, 'fewer');
    const model = await upstream(expert);
    const before = await startServer({ out });
    const submit = (url: string, id: string) =>
      ask(`${url}/rollout/task/submit`, 'POST', taskOf(id, model.url, { num_samples: 3, least_samples: 1 }));
    expect((await submit(before.rolloutsUrl, 'first')).json.total_sessions).toBe(3);
    await untilCompleted(`${before.rolloutsUrl}/rollout/task/first`);
    expect((await submit(before.rolloutsUrl, 'second')).json.total_sessions).toBe(1);
    await before.stop();
    const { rolloutsUrl } = await serve({ out });
    expect((await ask(`${rolloutsUrl}/rollout/task/second`, 'GET')).json.total_sessions).toBe(1);
  });

  it('[RAS-7] cannot be cancelled when they have ended', async () => {
    const model = await upstream(expert);
    const { rolloutsUrl } = await serve();
    await ask(`${rolloutsUrl}/rollout/task/submit`, 'POST', taskOf('over', model.url));
    await untilCompleted(`${rolloutsUrl}/rollout/task/over`);
    expect((await ask(`${rolloutsUrl}/rollout/task/over`, 'DELETE')).status).toBe(409);
    expect((await ask(`${rolloutsUrl}/rollout/task/over`, 'GET')).json.status).toBe('completed');
  });
});
