import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findSmallFolder, readModelFiles } from '../src/agents/small/model-files.ts';
import { createSmallModel } from '../src/agents/small/small-model.ts';
import { createSmallPolicy } from '../src/agents/small/small-policy.ts';
import { createRandom } from '../src/core/random.ts';
import { mail } from '../src/envs/apps/mail/mail.ts';
import { createLinear } from '../src/episode/strategies/linear.ts';
import { createWorld } from '../src/worlds/world.ts';
import { run, tasksOf } from './fixtures/episode-setup.ts';
import type { LoopLine } from '../src/cli/runs/loop-verb.ts';
import { serveStudent } from '../src/cli/serve/policies.ts';
import { episodesIn, library, runWarm, type Ended } from './fixtures/program.ts';

/** A model with random weights: what it does is silly, and always possible. */
const small = `small:${join(import.meta.dirname, 'fixtures', 'small')}`;
const folder = mkdtempSync(join(tmpdir(), 'espalier-small-'));

afterAll(() => rmSync(folder, { recursive: true }));

const espalier = (...args: readonly string[]): Promise<Ended> => runWarm(args, { folder });

describe('the model that comes with Espalier', () => {
  const shipped = join(import.meta.dirname, '..', 'packages', 'small');

  it('[SML-9] is whole, and at most 60 MB', () => {
    expect(findSmallFolder()).toBe(shipped);
    expect(readModelFiles(shipped).facts.layers).toBeGreaterThan(0);
    const bytes = ['model.onnx', 'model.json', 'tokenizer.json'].map(name => statSync(join(shipped, name)).size);
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(60e6);
  });

  it('[SML-9] does a task of a built-in app', async () => {
    const policy = createSmallPolicy({ model: createSmallModel(readModelFiles(shipped)) });
    const world = createWorld(mail);
    const tasks = tasksOf(world, 'star-message', [1]);
    const { totals } = await run({ tasks, parts: { environment: world, student: policy, strategy: createLinear() } });
    expect(totals.outcomes.passed).toBe(1);
  });
});

describe('the student small', () => {
  it('[SML-8] collects with adaptive speculation, by its own probabilities', async () => {
    const how = ['--student', small, '--templates', 'star-message', '--instances', '2', '--speculate', 'adaptive'];
    // More steps may not fit beside a screen: this model reads 512 tokens, each of few letters.
    const most = ['--set', 'limits.steps=3'];
    const collected = await espalier('collect', 'mail', ...how, ...most, '--out', 'run', '--json');
    expect(JSON.parse(collected.stdout)).toMatchObject({ stopped: false, breakages: [] });
    const config = JSON.parse(readFileSync(join(folder, 'run', 'config.json'), 'utf8')) as { student: object };
    expect(config.student).toMatchObject({ kind: 'small', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const nodes = episodesIn(join(folder, 'run')).flatMap(({ events }) =>
      events.flatMap(event => (event.kind === 'step' && event.node.actor.role === 'student' ? [event.node] : [])),
    );
    expect(nodes.length).toBeGreaterThan(2);
    for (const { confidence = -1, logprob = 1, entropy = -1, tokens = 0 } of nodes) {
      expect(Math.min(confidence, -logprob, entropy)).toBeGreaterThanOrEqual(0);
      expect(tokens).toBeGreaterThan(20);
    }
  });

  it('[SML-8] is evaluated under a name with its hash, alone and with lookahead', async () => {
    const how = ['--student', small, '--instances', '1', '--no-baselines', '--out', 'eval', '--json'];
    const evaluated = await espalier('eval', library, ...how);
    expect(evaluated.code).toBe(0);
    expect(evaluated.stdout).toMatch(/"small [0-9a-f]{8}"/);
    const ahead = await espalier('eval', library, ...how, '--strategy', 'lookahead', '--set', 'strategy.expansions=3');
    expect(ahead.code).toBe(0);
  });

  it('[RUN-50] says what broke, and ends with 1 where every episode errored', async () => {
    const policy = "export const policy = { name: 'broken', act: () => Promise.reject(new Error('no runtime here')) };";
    writeFileSync(join(folder, 'broken.mjs'), policy);
    const args = ['eval', library, '--student', './broken.mjs', '--instances', '1', '--no-baselines'];
    const { code, stdout } = await espalier(...args);
    expect(stdout).toMatch(/errored and are in no rate\. First: [^]*no runtime here/);
    expect(code).toBe(1);
    expect(existsSync(join(folder, 'runs', 'eval', 'store.db'))).toBe(true);
  });

  it('[SML-8] guides a search', async () => {
    const how = ['--student', `search:20,${small}`, '--strategy', 'linear', '--instances', '1', '--out', 'searched'];
    const { code, stdout } = await espalier('collect', library, ...how, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ breakages: [] });
  });

  it('[SML-8] answers chats with a call and the probabilities of all steps', async () => {
    const policy = await serveStudent(small);
    const screen = '<screen>\npage "Claims"\n  [e1] button "Save"\n</screen>';
    const chat = {
      model: 'student',
      messages: [
        { role: 'user' as const, content: [{ type: 'text' as const, text: `<task>\nSave\n</task>\n${screen}` }] },
      ],
      sampling: { temperature: 1 },
    };
    const { says, odds } = await policy.answer({ chat, question: null, random: createRandom(1) });
    expect(says).toHaveProperty('text');
    const all = odds?.all ?? [];
    expect(all.map(({ text }) => text)).toContain('click e1');
    expect(all.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 6);
    expect(policy.version).toMatch(/^sha256-[0-9a-f]{64}$/);
  });

  it('[MOD-19] rows are written in the form of its prompt', async () => {
    await espalier(
      'collect',
      library,
      '--student',
      'planner',
      '--strategy',
      'linear',
      '--instances',
      '1',
      '--out',
      'shown',
    );
    const exported = await espalier('export', 'shown', '--form', 'compact', '--table', 'next-actions', '--json');
    expect(JSON.parse(exported.stdout)).toMatchObject({ prompt: { form: 'compact' } });
    const rows = readFileSync(join(folder, 'shown', 'export', 'next-actions.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const prompts = rows.map(row => (JSON.parse(row) as { messages: { content: string }[] }).messages[1]?.content);
    expect(prompts.length).toBeGreaterThan(3);
    for (const prompt of prompts)
      expect(prompt).toMatch(/^<task> [^<]+\n(<done> [^<]+\n|<note> [^<]+\n)*<screen>\n.*\n<act>$/s);
  });
});

describe('the student small, adapted to an app', () => {
  const loop = ['loop', library, '--student', small, '--rounds', '2', '--instances', '2', '--eval-instances', '1'];
  const rate = (text = ''): number => Number(/^\d+/.exec(text)?.[0]);

  it('[SML-10] learns from corrections of its own steps, in rounds that go on where they stopped', async () => {
    const how = [...loop, '--speculate', '3', '--no-baselines', '--out', 'adapted', '--json'];
    const { code, stdout } = await espalier(...how);
    const rounds = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as LoopLine);
    expect([code, rounds.map(({ round }) => round)]).toEqual([0, [1, 2]]);
    const config = JSON.parse(readFileSync(join(folder, 'adapted', 'config.json'), 'utf8')) as { student: object };
    expect(config.student).toMatchObject({ kind: 'small', folder: join('adapted', 'student.round-1.json') });
    expect(rate(rounds[1]?.newInstances)).toBeGreaterThanOrEqual(50);
    const file = readFileSync(join(folder, 'adapted', 'student.round-2.json'), 'utf8');
    rmSync(join(folder, 'adapted', 'student.round-2.json'));
    expect(await espalier(...how)).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'adapted', 'student.round-2.json'), 'utf8')).toBe(file);
  });

  it('[SML-10] works wherever small does, under a name with a hash of its own', async () => {
    const adapted = `small:${join('adapted', 'student.round-2.json')}`;
    const how = ['--instances', '1', '--levels', 'new-instances', '--no-baselines', '--out', 'compared', '--json'];
    const { stdout } = await espalier('eval', library, '--student', adapted, '--against', small, ...how);
    expect(stdout).toMatch(/"adapted small [0-9a-f]{8}"/);
    expect(stdout).toMatch(/"small [0-9a-f]{8}"/);
    const { version } = await serveStudent(`small:${join(folder, 'adapted', 'student.round-2.json')}`);
    expect(version).toMatch(/^sha256-[0-9a-f]{64}$/);
  });

  it('[SML-10] learns from the rows of any run, and from demonstrations', async () => {
    const trained = await espalier('train', 'adapted', '--student', small, '--out', 'again.json', '--json');
    expect(JSON.parse(trained.stdout)).toMatchObject({ unread: 0 });
    const again = readFileSync(join(folder, 'again.json'), 'utf8');
    expect(again).toBe(readFileSync(join(folder, 'adapted', 'student.round-2.json'), 'utf8'));
    const shown = [...loop, '--rounds', '1', '--imitate', '--no-baselines', '--out', 'imitated', '--json'];
    const imitated = JSON.parse((await espalier(...shown)).stdout) as LoopLine;
    expect(rate(imitated.newInstances)).toBeGreaterThanOrEqual(50);
  });

  it('[SML-11] is refused with another model, adapted twice, cut, or under a wrong name', async () => {
    const refusal = async (...args: string[]): Promise<string> => {
      const { code, stderr } = await espalier(...args);
      expect([args[0], code]).toEqual([args[0], 2]);
      return stderr;
    };
    const text = readFileSync(join(folder, 'adapted', 'student.round-2.json'), 'utf8');
    const other = { ...(JSON.parse(text) as object), model: 'a'.repeat(64) };
    writeFileSync(join(folder, 'other.json'), JSON.stringify(other));
    writeFileSync(join(folder, 'cut.json'), text.slice(0, 200));
    const evaluated = (student: string) => refusal('eval', library, '--student', student, '--out', 'refused');
    expect(await evaluated('small:other.json')).toMatch(/adapts the model with the hash aaaa.*espalier train/s);
    expect(await evaluated('small:cut.json')).toMatch(/cut\.json does not adapt the model small/);
    expect(await evaluated('small:')).toMatch(/"small:" names no model.*Expected small, small:<folder/s);
    expect(await evaluated('again.json')).toMatch(/adapts the model small.*Put small: before/s);
    const twice = await refusal('train', 'adapted', '--student', 'small:again.json', '--out', 'twice.json');
    expect(twice).toMatch(/is adapted already/);
    expect(await refusal('train', 'adapted', '--student', 'planner')).toMatch(/Expected --student small/);
  });
});
