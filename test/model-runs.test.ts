import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TreeNode } from '../src/core/tree.ts';
import { servePlanner, serveStudent } from '../src/cli/serve/policies.ts';
import { createSystemHost } from '../src/system/workers/host.ts';
import { createRandom } from '../src/core/random.ts';
import { createCallReader } from '../src/core/episode/call-log.ts';
import { foldEpisode } from '../src/core/episode/record.ts';
import type { Listening } from '../src/serve/http.ts';
import { openStore } from '../src/store/store.ts';
import { createPolicyServer } from '../src/serve/policy/policy-server.ts';
import { startScriptedUpstream, type Script, type ScriptedUpstream } from './fixtures/models/scripted-upstream.ts';
import { episodesIn, library, runProgram, runWarm, type Ended, type ProgramOptions } from './fixtures/program.ts';

const secret = 'k-3f9a7c51e2d84b06';
let folder = '';
let served: Listening;
const upstreams: ScriptedUpstream[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'espalier-models-'));
  const planner = await servePlanner({ environments: [library], errors: 0.2, host: createSystemHost() });
  served = await createPolicyServer({
    policies: [await serveStudent('untrained'), planner],
    random: createRandom('server'),
  });
});
afterAll(async () => {
  await served.close(AbortSignal.abort());
  for (const upstream of upstreams) await upstream.close();
  await rm(folder, { recursive: true });
});

/** In a process of its own when it is given options. */
function espalier(args: readonly string[], options?: Partial<ProgramOptions>): Promise<Ended> {
  return options === undefined ? runWarm(args, { folder }) : runProgram(args, { folder, ...options });
}

async function upstreamOf(script: Script): Promise<{ name: string; port: string; asked: ScriptedUpstream['asked'] }> {
  const upstream = await startScriptedUpstream(script);
  upstreams.push(upstream);
  return { name: `openai:one@${upstream.url}`, port: new URL(upstream.url).port, asked: upstream.asked };
}

const givesUp: Script = () => ({ calls: [{ name: 'finish', input: { infeasible: true } }] });
const linear = ['--strategy', 'linear', '--teacher', 'none'];

/** What was done in a run, apart from who is named for it, what it took, and what no chat answer says of how sure an agent is. */
function trees(run: string): unknown[] {
  return episodesIn(join(folder, run)).map(stored => {
    const { tree, reviews, corrections, rollbacks, leaves, end } = foldEpisode(stored);
    const { tokens: _tokens, cost: _cost, ...counts } = end.counts;
    return {
      key: stored.head.key,
      nodes: tree.record().nodes.map(({ actor, ...node }) => ({ ...withoutRemarks(node), role: actor.role })),
      reviews: reviews.map(({ by, ...review }) => ({ ...review, role: by.role })),
      corrections,
      rollbacks,
      leaves,
      end: { ...end, counts, milliseconds: 0 },
    };
  });
}

function withoutRemarks({
  tokens: _t,
  cost: _c,
  prior: _p,
  value: _v,
  confidence: _s,
  logprob: _l,
  entropy: _e,
  ...node
}: Omit<TreeNode, 'actor'>) {
  return node;
}

function filesIn(run: string): string {
  return readdirSync(join(folder, run), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

/** All that the store of a run holds, exchanges with models included. */
function saidIn(run: string): string {
  const store = openStore({ path: join(folder, run, 'store.db'), readOnly: true });
  const read = createCallReader(store.attachment);
  try {
    return [...store.episodes()]
      .flatMap(stored => [
        JSON.stringify(stored),
        ...stored.events.flatMap(event => (event.kind === 'call' ? [JSON.stringify(read(event.record))] : [])),
      ])
      .join('\n');
  } finally {
    store.close();
  }
}

describe('collecting with models', () => {
  test('[MRN-1] a student and a teacher behind an endpoint give the trees that they give in process', async () => {
    const rest = [library, '--instances', '3', '--set', 'strategy.branching=true', '--seed', '5'];
    const url = `${served.url}/v1`;
    const agents = ['--student', `espalier:student@${url}`, '--teacher', `espalier:planner@${url}`];
    const over = await espalier(['collect', ...rest, ...agents, '--set', 'student.temperature=1', '--out', 'over']);
    expect(over).toMatchObject({ code: 0 });
    expect(await espalier(['collect', ...rest, '--set', 'teacher.errors=0.2', '--out', 'inside'])).toMatchObject({
      code: 0,
    });
    expect(trees('over')).toEqual(trees('inside'));
    expect(trees('over')).toHaveLength(6);
    expect(over.stdout).toMatch(/^Models: \d+ calls/m);
  });

  test('[RUN-32] attempts at one task run at once: as many requests are under way as the concurrency says', async () => {
    const [trials, concurrency] = [12, 6];
    let [open, peak] = [0, 0];
    // Nobody is answered before as many ask as may; where fewer do, a timer lets them go, and the peak stays low.
    let release = (): void => undefined;
    const full = new Promise<void>(resolve => (release = resolve));
    const timer = setTimeout(release, 15_000);
    const { name, asked } = await upstreamOf(async () => {
      peak = Math.max(peak, ++open);
      if (peak === concurrency) release();
      await full;
      open--;
      return givesUp({} as Parameters<Script>[0]);
    });
    const order = ['collect', library, '--templates', 'lend-to-reader', '--instances', '1', '--trials', String(trials)];
    const ended = await espalier([
      ...order,
      '--student',
      name,
      ...linear,
      '--concurrency',
      String(concurrency),
      '--out',
      'group',
    ]);
    clearTimeout(timer);
    expect(ended).toMatchObject({ code: 0 });
    expect(peak).toBe(concurrency);
    expect(asked).toHaveLength(trials);
    const heads = episodesIn(join(folder, 'group')).map(({ head }) => head);
    expect(new Set(heads.map(({ task }) => task.id)).size).toBe(1);
    expect(heads.map(({ trial }) => trial).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: trials }, (_, trial) => trial),
    );
  });

  test('[MRN-2] a budget stops a run in good order; given more, it goes on with what is left', async () => {
    const { name } = await upstreamOf(givesUp);
    const order = ['collect', library, '--student', name, ...linear, '--instances', '10', '--out', 'budget'];
    const first = await espalier([...order, '--budget-tokens', '9000', '--concurrency', '3']);
    expect(first.code).toBe(1);
    expect(first.stderr).toMatch(/The budget of the run is gone|The remaining budget does not cover another episode/);
    expect(first.stderr).toContain('espalier collect --resume budget --budget-');
    const ended = episodesIn(join(folder, 'budget')).map(({ head }) => head.key);
    expect(ended.length).toBeGreaterThan(0);
    expect(ended.length).toBeLessThan(20);
    const again = await espalier(['collect', '--resume', 'budget', '--budget-tokens', '1000000']);
    expect(again).toMatchObject({ code: 0 });
    const keys = episodesIn(join(folder, 'budget')).map(({ head }) => head.key);
    expect(keys).toHaveLength(20);
    expect(new Set(keys).size).toBe(20);
    expect(keys).toEqual(expect.arrayContaining(ended));
    const spent = JSON.parse(readFileSync(join(folder, 'budget', 'spending.json'), 'utf8')) as { calls: number };
    expect(spent.calls).toBeGreaterThanOrEqual(20);
  });

  test('[MRN-8] an endpoint that goes away in the middle stops the run; when it is back, the next start does the rest', async () => {
    let isBack = false;
    const { name } = await upstreamOf(asked =>
      asked.index < 6 || isBack ? givesUp(asked) : { status: 401, error: 'the key was taken back' },
    );
    const order = ['collect', library, '--student', name, ...linear, '--instances', '6', '--concurrency', '2'];
    const first = await espalier([...order, '--out', 'outage']);
    expect(first).toMatchObject({ code: 1, stderr: expect.stringMatching(/key was taken back[\s\S]*--resume outage/) });
    const ended = episodesIn(join(folder, 'outage'));
    expect(ended.length).toBeGreaterThan(0);
    expect(ended.every(({ end }) => end.outcome === 'failed')).toBe(true);
    isBack = true;
    expect(await espalier(['collect', '--resume', 'outage'])).toMatchObject({ code: 0 });
    expect(episodesIn(join(folder, 'outage')).map(({ end }) => end.outcome)).toEqual(
      Array.from({ length: 12 }, () => 'failed'),
    );
  });

  test('[MRN-3] a key is in no file of the run and in nothing that is said, even when the server repeats it', async () => {
    let isFirst = true;
    const { name, port, asked } = await upstreamOf(question => {
      const wasFirst = isFirst;
      isFirst = false;
      return wasFirst
        ? { status: 400, error: `bad request with ${question.headers['authorization']}` }
        : givesUp(question);
    });
    const order = ['collect', library, '--student', name, ...linear, '--instances', '2', '--out', 'secret'];
    const { stdout, stderr } = await espalier(order, { env: { [`ESPALIER_KEY_127_0_0_1_${port}`]: secret } });
    expect(asked.every(({ headers }) => headers['authorization'] === `Bearer ${secret}`)).toBe(true);
    expect(stdout).toMatch(/bad\s+request with Bearer \[key\]/);
    expect(`${stdout}${stderr}`).not.toContain(secret);
    expect(filesIn('secret')).not.toContain(secret);
    // Files may be compressed: what they say is looked at as well.
    expect(saidIn('secret')).toContain('finish');
    expect(saidIn('secret')).not.toContain(secret);
    const inspected = await espalier(['inspect', 'secret', '--json'], {
      env: { [`ESPALIER_KEY_127_0_0_1_${port}`]: secret },
    });
    expect(inspected.stdout).not.toContain(secret);
  });

  test('[MRN-4] an endpoint that is down, a model that it does not know, and a planner as a student are refused at once', async () => {
    const collect = (student: string): Promise<Ended> =>
      espalier(['collect', library, '--student', student, ...linear, '--out', 'refused']);
    const { name } = await upstreamOf(givesUp);
    expect(await collect('openai:one@http://127.0.0.1:9/v1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be reached'),
    });
    expect(await collect(name.replace(':one', ':three'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/serves no model "three".\s+Expected one of: one, two/),
    });
    expect(await collect(`espalier:planner@${served.url}/v1`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('would pass for a student'),
    });
    expect(existsSync(join(folder, 'refused'))).toBe(false);
  });

  test('[MRN-5] a run keeps the hashes of its prompts; prompts that were changed since are refused', async () => {
    const { name, asked } = await upstreamOf(givesUp);
    expect(await espalier(['prompts', '--out', 'prompts'])).toMatchObject({ code: 0 });
    writeFileSync(join(folder, 'prompts', 'act.md'), 'Prune the tree.\n');
    const order = [
      'collect',
      library,
      '--student',
      name,
      ...linear,
      '--set',
      'student.prompts=prompts',
      '--out',
      'own',
    ];
    expect(await espalier([...order, '--instances', '1'])).toMatchObject({ code: 0 });
    expect(JSON.stringify(asked[0]?.body['messages'])).toContain('Prune the tree.');
    const config = JSON.parse(readFileSync(join(folder, 'own', 'config.json'), 'utf8')) as {
      student: { promptHashes: Record<string, string> };
    };
    expect(config.student.promptHashes['act']).toMatch(/^[0-9a-f]{64}$/);
    writeFileSync(join(folder, 'prompts', 'act.md'), 'Prune it again.\n');
    expect(await espalier(['collect', '--resume', 'own'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The run began with other prompts: act.'),
    });
  });
});

describe('evaluating and judging with models', () => {
  test('[MRN-6] a model is evaluated as any student is', async () => {
    const { name } = await upstreamOf(givesUp);
    const order = ['eval', library, '--student', name, '--instances', '2', '--out', 'evaluated', '--json'];
    const { code, stdout } = await espalier(order);
    expect(code).toBe(0);
    const { subject, baselines } = JSON.parse(stdout) as { subject: object; baselines: unknown[] };
    expect(subject).toMatchObject({
      student: expect.stringMatching(/^openai:one [0-9a-f]{8}$/),
      trials: expect.any(Number),
    });
    expect(baselines).toHaveLength(5);
  });

  test('[MRN-7] a judge is held against the verifier; asked again, it judges only what is missing', async () => {
    const { name, asked } = await upstreamOf(({ index }) => ({
      text: `Hm. {"reason": "it looks done", "pass": ${index % 2 === 0}, "confidence": 0.8}`,
    }));
    const order = ['judge', 'inside', '--judge', name, '--json'];
    const first = await espalier(order);
    const { quality, cases } = JSON.parse(first.stdout) as { cases: number; quality: { n: number; brier: number } };
    expect(cases).toBeGreaterThan(0);
    expect(quality.n).toBe(cases);
    expect(quality.brier).toBeGreaterThan(0);
    expect(asked).toHaveLength(cases);
    expect((await espalier(order)).stdout).toBe(first.stdout);
    expect(asked).toHaveLength(cases);
  });
});
