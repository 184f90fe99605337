import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servePlanner } from '../src/cli/serve/policies.ts';
import { createRandom } from '../src/core/random.ts';
import type { JsonObject } from '../src/core/json.ts';
import { loop, type LoopOptions } from '../src/library/loop.ts';
import type { LoopRound } from '../src/runs/loop.ts';
import type { Listening } from '../src/serve/http.ts';
import { createPolicyServer } from '../src/serve/policy/policy-server.ts';
import { createSystemHost } from '../src/system/workers/host.ts';
import { startScriptedUpstream, type ScriptedUpstream } from './fixtures/models/scripted-upstream.ts';
import { episodesIn } from './fixtures/program.ts';

let folder = '';
let teacher: Listening;
let student: ScriptedUpstream;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-loop-models-'));
  const planner = await servePlanner({ environments: ['mail'], errors: 0, host: createSystemHost() });
  teacher = await createPolicyServer({ policies: [planner], random: createRandom('server') });
  student = await startScriptedUpstream(() => ({ calls: [{ name: 'finish', input: { infeasible: true } }] }));
});
afterAll(async () => {
  await teacher.close(AbortSignal.abort());
  await student.close();
  rmSync(folder, { recursive: true });
});

async function run(options: Partial<LoopOptions>): Promise<LoopRound[]> {
  const rounds: LoopRound[] = [];
  const made = loop({
    folder: join(folder, 'loop'),
    environments: ['mail'],
    templates: ['star-message'],
    rounds: 1,
    instances: [2],
    evaluationInstances: 1,
    baselines: false,
    student: `openai:one@${student.url}`,
    teacher: `espalier:planner@${teacher.url}/v1`,
    ...options,
  });
  for await (const round of made) rounds.push(round);
  return rounds;
}

describe('a loop with models', () => {
  it('[RUN-39] collects with a model that acts and one that teaches, and trains the small student from their rows', async () => {
    const [round] = await run({});
    expect(student.asked.length).toBeGreaterThan(0);
    expect(round?.collected.environments[0]).toMatchObject({ environment: 'mail', outcomes: { passed: 2 } });
    const episodes = episodesIn(join(folder, 'loop'));
    const collected = episodes.filter(({ head }) => head.phase === 'collect').map(({ head }) => head);
    expect(collected.map(head => `${head.student}, ${head.teacher}`)).toEqual(
      Array(2).fill('openai:one, espalier:planner'),
    );
    expect(round?.trained).toMatchObject({ unread: 0 });
    expect(round?.trained.rows).toBeGreaterThan(0);
    expect(round?.evaluation.student).toBe('loop after round 1');
  });

  it('[RUN-39] goes on with a model that moved and with a larger budget, not with another model', async () => {
    const asked = student.asked.length;
    const moved = `openai:one@${student.url.replace('127.0.0.1', 'localhost')}`;
    expect(await run({ student: moved, spending: { tokens: 10_000_000 } })).toHaveLength(1);
    expect(student.asked).toHaveLength(asked);
    await expect(run({ student: `openai:two@${student.url}` })).rejects.toThrow(
      'begun with other options: student was',
    );
    const written = JSON.parse(readFileSync(join(folder, 'loop', 'loop.json'), 'utf8')) as JsonObject;
    expect(written).toMatchObject({ student: { kind: 'model', model: 'openai:one' } });
    await expect(run({ imitate: true, teacher: undefined })).rejects.toThrow(
      '--imitate and --student both say who acts',
    );
  });

  it('[RUN-39] stops when the budget is spent', async () => {
    expect(await run({ folder: join(folder, 'poor'), spending: { tokens: 1 } })).toEqual([]);
  });
});
