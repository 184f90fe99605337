import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { toolCallOf } from '../src/core/episode/action-tools.ts';
import { nouns } from '../src/cli/environments/nouns.ts';
import { contents } from './fixtures/episode-setup.ts';
import { episodesIn, library, runProgram, runWarm, type Ended } from './fixtures/program.ts';

const root = join(import.meta.dirname, '..');
const beam = join(root, 'examples', 'plugins', 'beam.ts');
const stepCounts = join(root, 'examples', 'plugins', 'step-counts.ts');
const ollama = join(root, 'examples', 'plugins', 'ollama.ts');
const shortRunJudge = join(root, 'examples', 'plugins', 'short-run-judge.ts');
const teacherHelp = join(root, 'examples', 'plugins', 'teacher-help.ts');
const folder = mkdtempSync(join(tmpdir(), 'espalier-plugins-'));

afterAll(() => rmSync(folder, { recursive: true }));

const espalier = (...args: readonly string[]): Promise<Ended> => runWarm(args, { folder });

function linesOf(text: string): Record<string, unknown>[] {
  return text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>);
}

function moduleWith(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return `./${name}`;
}

describe('modules of the user', () => {
  it('[CLI-8] a strategy with several cursors, an environment and a table, through the verbs', async () => {
    const width = ['--strategy', beam, '--set', 'strategy.options.width=2'];
    const student = ['--student', 'random', '--instances', '2'];
    const collected = await espalier('collect', library, '--out', 'run', ...student, ...width, '--json');
    expect(collected.code).toBe(0);
    expect(JSON.parse(collected.stdout)).toMatchObject({ planned: 4, stopped: false, breakages: [] });
    expect(JSON.parse(readFileSync(join(folder, 'run', 'config.json'), 'utf8'))).toMatchObject({
      environments: [library],
      strategy: { kind: 'module', file: beam, options: { width: 2 } },
      teacher: { kind: 'none' },
    });
    const resumed = await espalier('collect', '--resume', 'run', '--json');
    expect(JSON.parse(resumed.stdout)).toMatchObject({ ended: 0, skipped: 4 });

    const exported = await espalier('export', 'run', '--table', `${stepCounts},episodes`, '--out', 'rows', '--json');
    expect(exported.code).toBe(0);
    const rows = linesOf(readFileSync(join(folder, 'rows', 'step-counts.jsonl'), 'utf8'));
    expect(rows.every(({ role, steps }) => role === 'beam' && (steps as number) > 0)).toBe(true);
    const episodes = linesOf(readFileSync(join(folder, 'rows', 'episodes.jsonl'), 'utf8'));
    expect(episodes[0]).toMatchObject({ strategy: 'beam 2', forks: 1 });
    // A cursor that came to a state that was seen before gave way: one or two leaves for each of the four episodes.
    expect(rows.length).toBeGreaterThanOrEqual(4);
    expect(rows).toHaveLength(episodes.reduce((sum, { leaves }) => sum + (leaves as number), 0));
    // An export without the table removes what it wrote.
    await espalier('export', 'run', '--table', 'episodes', '--out', 'rows');
    expect(existsSync(join(folder, 'rows', 'step-counts.jsonl'))).toBe(false);
  });

  it('[CLI-8] of the wrong shape are refused by name before anything is written', async () => {
    const wrong = moduleWith('wrong.ts', 'export const other = 1;\n');
    const throwing = moduleWith('throwing.ts', "export const strategy = () => { throw new Error('no luck'); };\n");
    const collect = ['collect', library, '--out', 'never'];
    const [shape, threw, option, name, table, pair] = await Promise.all([
      espalier(...collect, '--strategy', wrong),
      espalier(...collect, '--strategy', throwing),
      espalier(...collect, '--strategy', beam, '--set', 'strategy.options.width=99'),
      espalier(...collect, '--strategy', 'liner'),
      espalier('export', 'never', '--table', 'episode'),
      espalier(...collect, '--strategy', beam, '--set', 'strategy.options.width'),
    ]);
    expect(shape).toMatchObject({ code: 2, stderr: expect.stringContaining('exports no `strategy` with name, run.') });
    expect(threw).toMatchObject({ code: 2, stderr: expect.stringContaining('threw: no luck') });
    expect(option).toMatchObject({ code: 2, stderr: expect.stringContaining('does not take the option "width"') });
    expect(name).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no strategy "liner". Did you mean "linear"?'),
    });
    expect(name.stderr).toContain('or the path of a module that exports `strategy`');
    expect(table).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean "episodes"?') });
    expect(pair).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--set was given "strategy.options.width"'),
    });
    expect(existsSync(join(folder, 'never'))).toBe(false);
  });

  it('[CLI-8] rows that do not fit their columns are told with table, episode and column', async () => {
    await espalier('collect', library, '--out', 'few', '--strategy', 'linear', '--instances', '1');
    const table = (row: string): string =>
      `export const table = { name: 'mine', columns: { steps: 'int' }, episodes: 'all', *rows() { ${row} } };\n`;
    const bad = await Promise.all(
      ["yield { steps: 'two' };", 'yield { steps: 1, more: 2 };', "throw new Error('no rows');"].map((row, index) =>
        espalier('export', 'few', '--table', moduleWith(`bad-${index}.ts`, table(row)), '--out', `bad-${index}`),
      ),
    );
    expect(bad.map(({ code }) => code)).toEqual([2, 2, 2]);
    expect(bad[0]?.stderr).toMatch(/Table "mine", episode collect\/1\/library\S+: the column "steps" has "two"\./);
    expect(bad[1]?.stderr).toContain('the row has "more", which is no column.');
    expect(bad[2]?.stderr).toContain('`rows` threw: no rows.');
  });
});

/** Answers late, and each time after another while; remembers in each attempt how often it was asked. */
const forkingPolicy = `
import type { OrdinaryPolicy, View } from 'espalier';

export const policy = (): OrdinaryPolicy => remembering(0);

function remembering(asked: number): OrdinaryPolicy {
  return {
    name: 'forking',
    async act({ random, observation }: View) {
      asked++;
      await new Promise(resolve => setTimeout(resolve, Math.random() * 4));
      const refs = [...observation.text.matchAll(/\\[?\\b(e\\d+)\\b/g)].map(found => found[1] as string);
      const action = random.chance(0.2) ? { kind: 'finish' as const } : { kind: 'click' as const, ref: random.pick(refs) };
      return { action, thought: 'question ' + asked };
    },
    fork: () => remembering(asked),
  };
}
`;

describe('a policy of the user that can be forked', () => {
  it('[SRC-14] gives the same attempts in this thread and in workers, whatever answer comes first', async () => {
    const student = [
      '--student',
      moduleWith('forking.ts', forkingPolicy),
      '--strategy',
      'best-of-n',
      '--set',
      'strategy.attempts=3',
    ];
    const collect = (workers: number): Promise<Ended> =>
      espalier(
        'collect',
        library,
        ...student,
        '--instances',
        '2',
        '--workers',
        `${workers}`,
        '--out',
        `forked-${workers}`,
      );
    const ended = [await collect(0), await collect(2)];
    expect(ended.map(({ code, stderr }) => [code, stderr.includes('threw')])).toEqual([0, 1].map(() => [0, false]));
    const [here, apart] = [0, 2].map(workers => episodesIn(join(folder, `forked-${workers}`)));
    expect(contents(apart ?? [])).toEqual(contents(here ?? []));
    expect(here).toHaveLength(4);
    for (const { end, events } of here ?? []) {
      expect(end.counts).toMatchObject({ forks: 2, rollbacks: 0 });
      const cursors = events.flatMap(event => (event.kind === 'step' ? [event.cursor ?? 0] : []));
      expect(new Set(cursors)).toEqual(new Set([0, 1, 2]));
      // Each attempt has a memory of its own: its first question is number 1.
      const thoughts = events.flatMap(event => (event.kind === 'step' ? [event.node.thought] : []));
      expect(thoughts.filter(thought => thought === 'question 1')).toHaveLength(3);
    }
  });
});

/** A server that speaks as Ollama does: it finishes at once, and refuses models that it does not have. */
async function startOllama(asked: Record<string, unknown>[]): Promise<Server> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body =
      request.method === 'POST' ? (JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>) : {};
    asked.push({ url: request.url, ...body });
    const { name, input } = toolCallOf({ kind: 'finish' });
    const isKnown = request.url === '/api/chat' && body['model'] === 'told';
    const message = { role: 'assistant', content: '', tool_calls: [{ function: { name, arguments: input } }] };
    const reply = {
      model: 'told',
      created_at: 'now',
      message,
      done_reason: 'stop',
      prompt_eval_count: 7,
      eval_count: 3,
    };
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKnown ? reply : { error: 'no such model' }));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe('a dialect of the user', () => {
  it('[CLI-8] [DIA-14] stands in the place of ours in an endpoint, with the same errors', async () => {
    const asked: Record<string, unknown>[] = [];
    const server = await startOllama(asked);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const collect = (student: string, out: string): Promise<Ended> =>
      espalier(
        'collect',
        library,
        '--instances',
        '1',
        '--strategy',
        'linear',
        '--student',
        student,
        '--out',
        out,
        '--json',
      );
    try {
      const [fine, shape, unknown, missing, proxied, listed] = await Promise.all([
        collect(`${ollama}:told@${url}`, 'spoken'),
        collect(`${moduleWith('no-dialect.ts', 'export const other = 1;\n')}:told@${url}`, 'unspoken'),
        collect(`${ollama}:other@${url}`, 'unspoken-model'),
        collect(`${ollama}:told`, 'unspoken-address'),
        espalier('proxy', `${ollama}:told@${url}`, '--out', 'unspoken-proxy'),
        espalier('list', 'dialects'),
      ]);
      expect(fine.code).toBe(0);
      expect(JSON.parse(fine.stdout)).toMatchObject({ planned: 2, ended: 2, breakages: [] });
      expect(asked.find(({ model }) => model === 'told')).toMatchObject({ url: '/api/chat', stream: false });
      const [episode] = episodesIn(join(folder, 'spoken'));
      expect(episode?.events.find(({ kind }) => kind === 'call')).toMatchObject({
        endpoint: `${ollama}:told@${url}`,
        usage: { prompt: 7, completion: 3 },
      });
      expect(shape).toMatchObject({ code: 2, stderr: expect.stringContaining('exports no `dialect` with name, path') });
      expect(unknown.stderr).toContain('no such model');
      expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('has no address') });
      expect(proxied).toMatchObject({ code: 2, stderr: expect.stringContaining('Expected a built-in dialect') });
      expect(listed.stdout).toContain('module of yours that exports `dialect`');
    } finally {
      server.close();
    }
  });
});

describe('a judge of the user', () => {
  it('[CLI-8] [MRN-10] judges finished episodes as a model does, with the same errors', async () => {
    const collected = ['--student', 'planner', '--strategy', 'linear', '--instances', '2', '--out', 'judged'];
    expect((await espalier('collect', library, ...collected)).code).toBe(0);
    const by = (judge: string): Promise<Ended> => espalier('judge', 'judged', '--judge', judge, '--json');
    const judge = (name: string, body: string): string =>
      `export const judge = { name: '${name}', async judge() { ${body} } };\n`;
    const opinion = "return { pass: true, confidence: 1, reason: 'yes' };";
    const first = await by(shortRunJudge);
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ judge: 'short-run', cases: 4, failures: [], quality: { n: 4 } });
    const kept = (): Record<string, unknown>[] =>
      linesOf(readFileSync(join(folder, 'judged', 'judgements.jsonl'), 'utf8'));
    expect(kept()).toHaveLength(4);
    expect(kept()[0]).toMatchObject({ judge: 'short-run', reason: expect.stringContaining('steps'), tokens: null });
    // Asked again, it judges nothing again; a module that was changed judges anew.
    await by(shortRunJudge);
    expect(kept()).toHaveLength(4);
    const changing = moduleWith('changing.ts', judge('changing', opinion));
    await by(changing);
    moduleWith('changing.ts', `${judge('changing', opinion)}// Changed.\n`);
    await runProgram(['judge', 'judged', '--judge', changing], { folder });
    expect(kept()).toHaveLength(12);

    const [broken, unsure, shape, unknown] = await Promise.all([
      by(moduleWith('broken-judge.ts', judge('broken', "throw new Error('no idea');"))),
      by(moduleWith('unsure.ts', judge('unsure', 'return { pass: true, confidence: 2, reason: "" };'))),
      by(moduleWith('no-judge.ts', 'export const other = 1;\n')),
      by('somebody'),
    ]);
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('The judge "broken" threw: no idea.') });
    const unusable = 'The opinion of the judge "unsure" cannot be used';
    expect(unsure).toMatchObject({ code: 1, stderr: expect.stringContaining(unusable) });
    expect(shape).toMatchObject({ code: 2, stderr: expect.stringContaining('exports no `judge` with name, judge.') });
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('"somebody" names no judge.') });
    expect(kept()).toHaveLength(12);
    expect(unknown.stderr).toContain('or the path of a module that exports `judge`');
  });
});

describe('a signal of the user', () => {
  it('[SIG-3] [CLI-8] stands beside ours in inspect and export, with the same help and errors', async () => {
    const run = ['--out', 'told', '--instances', '1', '--templates', 'lend-to-reader', '--json'];
    expect((await espalier('collect', library, ...run)).code).toBe(0);
    const [shown, all, none, unknown, wrong, bad] = await Promise.all([
      espalier('inspect', 'told', 'lend-to-reader', '--signal', `stalls,${teacherHelp}`),
      espalier('export', 'told', '--signal', `${teacherHelp},first-rejected`, '--out', 'told-rows', '--json'),
      espalier('export', 'told', '--out', 'told-usual', '--json'),
      espalier('inspect', 'told', 'lend-to-reader', '--signal', 'stals'),
      espalier('export', 'told', '--signal', moduleWith('no-signal.ts', 'export const other = 1;\n')),
      espalier('export', 'told', '--signal', moduleWith('bad-signal.ts', badSignal), '--out', 'told-bad'),
    ]);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/teacher-help: share [\d.]+/) });
    expect(all.code).toBe(0);
    const rows = linesOf(readFileSync(join(folder, 'told-rows', 'signals.jsonl'), 'utf8'));
    const share = rows.find(({ label }) => label === 'share');
    expect(share).toMatchObject({ signal: 'teacher-help', node: null, template: 'lend-to-reader' });
    const helped = rows.filter(({ label }) => label === 'helped');
    expect(helped.length).toBeGreaterThan(0);
    expect(rows.filter(({ signal }) => signal === 'first-rejected')).toHaveLength(1);
    expect(existsSync(join(folder, 'told-rows', 'next-actions.jsonl'))).toBe(true);
    // Who does not ask for it gets none.
    expect(none.code).toBe(0);
    expect(existsSync(join(folder, 'told-usual', 'signals.jsonl'))).toBe(false);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean "stalls"?') });
    expect(unknown.stderr).toContain('or the path of a module that exports `signal`');
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('exports no `signal` with name, annotate.'),
    });
    expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('Signal "bad", episode collect/1/library') });
  });
});

const badSignal = "export const signal = { name: 'bad', annotate: () => [{ node: 999, label: 'x' }] };\n";

describe('list', () => {
  it('[CLI-7] shows all nouns and their entries, and help and errors name the same', async () => {
    const [all, strategies, unknown, help, settings] = await Promise.all([
      espalier('list', '--json'),
      espalier('list', 'strategies'),
      espalier('list', 'strategys'),
      espalier('collect', '--help'),
      espalier('help', 'settings', 'strategy'),
    ]);
    expect(linesOf(all.stdout).map(({ noun }) => noun)).toEqual(nouns.names);
    const { registry } = nouns.need('strategies');
    for (const { name, about, options } of registry.entries) {
      expect(strategies.stdout).toContain(`${name}  `.trimEnd());
      expect(strategies.stdout).toContain(about);
      expect(help.stdout.replaceAll(/\s+/g, ' ')).toContain(name);
      for (const option of Object.keys(options?.shape ?? {})) expect(settings.stdout).toContain(`strategy.${option} `);
    }
    expect(strategies.stdout).toContain('module of yours that exports `strategy`');
    for (const noun of ['students', 'teachers', 'environments']) expect(help.stdout).toContain(`espalier list ${noun}`);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean "strategies"?') });
  });

  it('[CLI-7] has one line of JSON for each entry, with the options of those that have any', async () => {
    const { stdout } = await espalier('list', 'strategies', '--json');
    const found = linesOf(stdout).find(({ name }) => name === 'best-of-n');
    expect(found).toMatchObject({ options: { properties: { attempts: { default: 4 } } } });
  });
});
