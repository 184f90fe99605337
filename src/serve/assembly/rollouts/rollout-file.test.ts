import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startScriptedUpstream } from '../../../../test/fixtures/models/scripted-upstream.ts';
import { ask, expert, taskOf } from '../../../../test/fixtures/serve/library-rollouts.ts';
import { episodesIn } from '../../../../test/fixtures/program.ts';
import { startServer } from '../../../../test/fixtures/serve/start-server.ts';
import { createRolloutFile } from './rollout-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-rollout-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('[RAS-8] has whole lines only, and names a line that is damaged', () => {
  const path = join(folder, 'rollouts.jsonl');
  let isFull = false;
  const file = createRolloutFile(path, (opened, text) => {
    writeFileSync(opened, isFull ? text.slice(0, 10) : text);
    if (isFull) throw new Error('ENOSPC: no space left on device');
  });
  file.write({ kind: 'version', version: 1 });
  isFull = true;
  expect(() => file.write({ kind: 'version', version: 2 })).toThrow('ENOSPC');
  isFull = false;
  file.write({ kind: 'version', version: 3 });
  expect(file.read()).toEqual([
    { kind: 'version', version: 1 },
    { kind: 'version', version: 3 },
  ]);
  writeFileSync(path, '{"kind":"version"{"kind":"version","version":1}\n{"kind":"version","version":2}\n');
  expect(() => file.read()).toThrow(`Line 1 of ${path} is not a record of rollouts.`);
});

it('[RAS-8] goes on after a restart with the task that was drawn', async () => {
  const out = join(folder, 'drawn');
  const model = await startScriptedUpstream(expert);
  const {
    task: _task,
    seed: _seed,
    ...request
  } = taskOf('one', model.url, { num_samples: 1 }) as Record<string, unknown>;
  const before = await startServer({ out, drawSeed: () => 3 });
  await ask(`${before.rolloutsUrl}/rollout/task/submit`, 'POST', request);
  await before.stop();
  const [line] = createRolloutFile(join(out, 'rollouts.jsonl')).read();
  expect(line).toMatchObject({ kind: 'task', task: { environment: 'library', seed: 3 } });
  // As when the server is killed before the first attempt.
  for (const name of ['store.db', 'store.db-wal', 'store.db-shm']) rmSync(join(out, name), { force: true });
  writeFileSync(join(out, 'rollouts.jsonl'), `${JSON.stringify(line)}\n`);
  const after = await startServer({ out, drawSeed: () => 5 });
  await expect
    .poll(async () => (await ask(`${after.rolloutsUrl}/rollout/task/one`, 'GET')).json.status, { timeout: 10_000 })
    .toBe('completed');
  const { results } = (await ask(`${after.rolloutsUrl}/rollout/task/one`, 'GET')).json;
  await after.stop();
  await model.close();
  const ended = episodesIn(out).find(({ head }) => head.key === results[0].episode);
  expect(ended?.head.task).toMatchObject({ seed: 3 });
});
