import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countCauses, failureOf } from '../src/analysis/signals/causes.ts';
import type { StoredEpisode } from '../src/core/episode/journal.ts';
import { foldEpisode } from '../src/core/episode/record.ts';
import { inspect } from '../src/cli/runs/inspect.ts';
import { createOutput } from '../src/cli/terminal/output.ts';
import { createManualClock } from '../src/core/clock.ts';
import { createRandomPolicy } from '../src/agents/random.ts';
import type { Contender } from '../src/runs/agents/evaluated.ts';
import { evaluateRun } from '../src/runs/evaluate.ts';
import { readReport } from '../src/runs/report.ts';
import { openStore } from '../src/store/store.ts';
import { createSystemHost } from '../src/system/workers/host.ts';
import { scriptedEpisode } from './fixtures/episodes.ts';
import { library } from './fixtures/program.ts';
import { openStudio, studioEpisodes, writeRun, type OpenedStudio } from './fixtures/studio/open-studio.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-studio-people-'));
let studio: OpenedStudio;
let episodes: StoredEpisode[];

/** A branch as the studio keeps it: of the same task, by a person. */
function branchOf(episode: StoredEpisode, trial: number): StoredEpisode {
  const key = `collect/0/${episode.head.task.id}/${trial}`;
  return { ...episode, head: { ...episode.head, key, round: 0, trial, strategy: 'studio', teacher: 'Ann', index: 50 } };
}

function evaluated(episode: StoredEpisode, student: string, outcome: 'passed' | 'failed'): StoredEpisode {
  const key = `evaluate/1/${episode.head.task.id}/0/${student}`;
  return {
    ...episode,
    head: { ...episode.head, key, student, phase: 'evaluate', index: 20 },
    end: { ...episode.end, outcome },
  };
}

beforeAll(async () => {
  episodes = await studioEpisodes();
  const [first, second] = episodes as [StoredEpisode, StoredEpisode];
  const people = [branchOf(second, 0), branchOf(second, 1)];
  writeRun(join(folder, 'alone'), [first, second]);
  writeRun(join(folder, 'joined'), [first, second, ...people]);
  writeRun(join(folder, 'mixed'), [
    first,
    second,
    evaluated(first, 'planner', 'passed'),
    evaluated(first, 'random', 'failed'),
    evaluated(first, 'student a', 'failed'),
    evaluated(second, 'student b', 'passed'),
    ...people,
  ]);
  studio = await openStudio(folder);
});

afterAll(async () => {
  await studio.close();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly allow: string | undefined;
  readonly body: string;
}

function ask(path: string, method = 'GET'): Promise<Answer> {
  const { port } = new URL(studio.url);
  const headers = { cookie: `espalier-studio-${port}=the-pass` };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, response => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          allow: response.headers.allow,
          body: Buffer.concat(parts).toString(),
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('what people add to a run', () => {
  it('[STUDIO-28] changes no rate of an agent in the studio', async () => {
    const { source } = studio;
    const [alone, joined] = ['alone', 'joined'].map(id => source.runs().find(run => run.id === id));
    expect(joined?.training?.success).toEqual(alone?.training?.success);
    expect(joined?.beside.people).toBe(2);
    expect(source.compare('joined', 'alone')).toMatchObject({ pairs: 2, unpaired: 0, flips: [] });
    expect(source.failures('joined').groups).toEqual(source.failures('alone').groups);
    const counts = async (run: string): Promise<number[][]> =>
      (await source.tasks(run)).flatMap(({ templates }) => templates.map(own => [own.passed, own.episodes]));
    expect(await counts('joined')).toEqual(await counts('alone'));
  });

  it('[STUDIO-28] changes nothing that signals say of agents, though a person solved what they failed', async () => {
    const failed = episodes[1] as StoredEpisode;
    const solved = branchOf(await scriptedEpisode({ seed: 2 }), 0);
    expect(solved.head.task.seal).toBe(failed.head.task.seal);
    writeRun(join(folder, 'unsolved'), [failed]);
    writeRun(join(folder, 'solved'), [failed, solved]);
    studio.source.refresh();
    const [unsolved, joined] = await Promise.all(
      ['unsolved', 'solved'].map(run => studio.source.learning.signals(run)),
    );
    expect(unsolved?.labels.length).toBeGreaterThan(0);
    expect(joined).toEqual(unsolved);
  });

  it('[STUDIO-28] changes no rate in the report', () => {
    const read = (run: string) => readReport({ folder: join(folder, run), command: '', machine: '', version: '' });
    const [alone, joined] = [read('alone'), read('joined')];
    expect(joined.arms[0]?.rounds.map(({ round, episodes: own }) => [round, own])).toEqual(
      alone.arms[0]?.rounds.map(({ round, episodes: own }) => [round, own]),
    );
    // Only the folder in the command that opens an example differs.
    const withoutFolder = ({ causes }: typeof joined) =>
      causes.map(({ example: { command: _command, ...example }, ...cause }) => ({ ...cause, example }));
    expect([withoutFolder(joined), joined.failedChecks, joined.faults]).toEqual([
      withoutFolder(alone),
      alone.failedChecks,
      alone.faults,
    ]);
  });

  it('[STUDIO-28] changes nothing of an evaluation against another student, nor of its levels', async () => {
    const run = join(folder, 'against');
    const contender = (name: string): Contender => ({ name, policyFor: () => createRandomPolicy() });
    const evaluateBoth = () =>
      evaluateRun({
        environments: [library],
        folder: run,
        subject: contender('subject'),
        against: contender('other'),
        round: 1,
        instances: 1,
        trials: 1,
        levels: ['new-instances', 'held-out'],
        baselines: false,
        seed: 1,
        concurrency: 1,
        browser: null,
        host: { ...createSystemHost({ workers: 0 }), clock: createManualClock() },
      });
    const read = () => readReport({ folder: run, command: '', machine: '', version: '' });
    const before = { found: await evaluateBoth(), told: read() };
    const store = openStore({ path: join(run, 'store.db') });
    // In an app that the run did not train on: it must not move what was evaluated to another level.
    const { head, events, end } = branchOf(episodes[0] as StoredEpisode, 0);
    const log = store.begin({ ...head, run: 'against' });
    for (const event of events) log.append(event);
    log.end(end);
    store.close();
    const { seconds: _now, ...after } = await evaluateBoth();
    const { seconds: _then, ...found } = before.found;
    expect(found.against?.comparison.newInstances?.pairs).toBeGreaterThan(0);
    expect({ ...after, known: [] }).toEqual({ ...found, known: [] });
    const told = read();
    expect(told.comparisons).toEqual(before.told.comparisons);
    expect(told.arms[0]?.rounds).toEqual(before.told.arms[0]?.rounds);
  });

  it('[STUDIO-28] is counted apart by inspect', async () => {
    const lines: string[] = [];
    const stream = { write: (text: string) => lines.push(text) };
    const output = createOutput({ results: stream, progress: stream, colours: false });
    await inspect(output, { run: join(folder, 'joined') });
    expect(lines.join('')).toContain('2 episodes: 1 passed, 1 failed. Beside them, 2 episodes by people: 2 failed.');
  });
});

describe('the card of a run', () => {
  it('[STUDIO-29] has the success of the student that was evaluated last, and training beside it', () => {
    const run = studio.source.runs().find(({ id }) => id === 'mixed');
    expect(run?.evaluation).toMatchObject({
      student: 'student b',
      levels: [{ level: 'new-instances', success: { passed: 1, of: 1, rate: 1 } }],
    });
    expect(run?.evaluation).not.toHaveProperty('success');
    expect(run?.training?.success).toMatchObject({ passed: 1, of: 2, rate: 0.5 });
    expect(run?.beside).toEqual({ earlier: 1, baselines: 2, people: 2 });
  });
});

describe('levels on the card', () => {
  it('[STUDIO-39] are those of the report, never mixed', () => {
    const [first] = episodes as [StoredEpisode];
    const at = (path: string, outcome: 'passed' | 'failed', seed: number): StoredEpisode => {
      const [environment = '', template = ''] = path.split('/');
      const made = evaluated(first, 'student a', outcome);
      const split = template === 'held' ? ('test' as const) : ('train' as const);
      const task = { ...made.head.task, environment, template, split, id: `${environment}/${template}/${seed}` };
      const key = `evaluate/1/${environment}/${template}/${seed}/0/student a`;
      return { ...made, head: { ...made.head, task, key, index: 50 + seed } };
    };
    writeRun(join(folder, 'levels'), [
      first,
      at('mail/known', 'passed', 1),
      at('mail/known', 'failed', 2),
      at('mail/held', 'failed', 3),
      at('shop/known', 'failed', 4),
    ]);
    studio.source.refresh();
    const run = studio.source.runs().find(({ id }) => id === 'levels');
    const [reported] = readReport({ folder: join(folder, 'levels'), command: '', machine: '', version: '' }).arms;
    const round = reported?.rounds.at(-1);
    const told = Object.fromEntries(run?.evaluation?.levels.map(({ level, success }) => [level, success]) ?? []);
    expect(Object.keys(told)).toEqual(['new-instances', 'held-out', 'unseen-app']);
    for (const [level, estimate] of [
      ['new-instances', round?.newInstances],
      ['held-out', round?.heldOut],
      ['unseen-app', round?.unseenApps],
    ] as const) {
      const { rate, low, high } = estimate ?? {};
      expect(told[level]).toMatchObject({ rate, low, high });
    }
  });

  it('[STUDIO-40] a failure is told by its checks, not by the words that say that it failed', async () => {
    const [first] = episodes as [StoredEpisode];
    const checks = [
      { id: 'starred', name: 'it is starred', pass: false },
      { id: 'read', name: 'it is read', pass: false },
    ];
    const verdict = { pass: false, checks, progress: 0, clean: true, evidence: { sideEffects: [], answer: null } };
    const end = { ...first.end, outcome: 'failed' as const, reason: 'finish not passed', verdict };
    writeRun(join(folder, 'unmet'), [{ ...first, end }]);
    studio.source.refresh();
    const { rows } = await studio.source.episodes('unmet', {}, { from: 0, count: 1, sort: '' });
    expect(rows[0]?.cause).toBe('unmet: starred and 1 more');
  });
});

describe('tasks and worlds', () => {
  it('[STUDIO-35] count the episodes of students, without baselines and people', async () => {
    const [first] = episodes as [StoredEpisode];
    const baselines = ['planner', 'random'].map(name => evaluated(first, name, 'passed'));
    writeRun(join(folder, 'baselines'), [evaluated(first, 'student a', 'failed'), ...baselines, branchOf(first, 0)]);
    studio.source.refresh();
    const [world] = await studio.source.tasks('baselines');
    const template = world?.templates.find(({ id }) => id === 'star-message');
    expect(template).toMatchObject({ passed: 0, episodes: 1 });
  });
});

describe('failures by cause', () => {
  it('[STUDIO-30] have a group for what was given up or broke, by its reason', async () => {
    const given = await scriptedEpisode({ outcome: 'discarded', seed: 5 });
    const broke = await scriptedEpisode({ outcome: 'errored', seed: 6, index: 1 });
    const late: StoredEpisode = { ...broke, end: { ...broke.end, reason: 'deadline', message: 'it took too long.' } };
    expect(failureOf(foldEpisode(late))?.reason).toMatch(/broke: it took too long\.$/);
    const passing = episodes[0]?.end.verdict ?? null;
    const passed: StoredEpisode = { ...given, end: { ...given.end, reason: 'no verdict', verdict: passing } };
    const found = countCauses([given, late, passed].map(foldEpisode), { collected: new Set() });
    expect(found.map(({ cause }) => cause).toSorted()).toEqual([
      'discarded: no verdict',
      'discarded: out of interventions',
      'infrastructure: deadline',
    ]);
    expect(found.every(({ advice }) => advice.length > 10)).toBe(true);
    writeRun(join(folder, 'given-up'), [given]);
    studio.source.refresh();
    expect(studio.source.failures('given-up').groups.map(({ cause }) => cause)).toEqual([
      'discarded: out of interventions',
    ]);
    const place = { from: 0, count: 5, sort: '' };
    const page = await studio.source.episodes('given-up', { failure: 'discarded: out of interventions' }, place);
    expect(page.total).toBe(1);
  });
});

describe('the failures of a run', () => {
  it('[STUDIO-36] are those that are grouped by cause: given up too, without baselines and people', async () => {
    const given = await scriptedEpisode({ outcome: 'discarded', seed: 5 });
    writeRun(join(folder, 'only-given-up'), [given]);
    studio.source.refresh();
    for (const [run, total] of [
      ['only-given-up', 1],
      ['mixed', 2],
    ] as const) {
      const page = await studio.source.episodes(run, { failure: 'any' }, { from: 0, count: 9, sort: '' });
      expect([run, page.total, studio.source.failures(run).failures]).toEqual([run, total, total]);
      expect(page.rows.map(({ student }) => student)).not.toContain('random');
    }
  });
});

describe('what is not there', () => {
  it('[STUDIO-31] is answered with 404, and with what is nearest', async () => {
    const episode = await ask('/api/episode?run=alone&episode=99');
    expect([episode.status, episode.body]).toEqual([404, expect.stringContaining('The nearest is 2: collect/1/mail/')]);
    const wanted = studio.source.outline('alone', 1).steps.length;
    for (const name of ['step', 'screen', 'changes', 'advantages']) {
      const { status, body } = await ask(`/api/${name}?run=alone&episode=1&node=999`);
      expect([name, status, body]).toEqual([name, 404, expect.stringContaining(`the nearest is ${wanted}.`)]);
      expect(body).not.toContain('damaged');
    }
    expect((await ask('/api/episodes?run=none')).status).toBe(404);
    expect((await ask('//')).status).toBe(404);
  });

  it('[STUDIO-31] may be named by a word in the place of its number', async () => {
    for (const name of ['episode?', 'rows?', 'tokens?', 'step?node=1&', 'texts?from=1&count=5&']) {
      const { status, body } = await ask(`/api/${name}run=alone&episode=abc`);
      expect([name, status, body]).toEqual([name, 404, expect.stringContaining('There is no episode')]);
    }
    expect((await ask(`/api/episode?run=alone&episode=${'9'.repeat(30)}`)).status).toBe(404);
    expect((await ask('/api/step?run=alone&episode=1&node=x')).body).toContain('There is no step');
    expect((await ask('/api/episode?run=alone')).status).toBe(400);
  });

  it('[STUDIO-31] is told apart from what is there for another method', async () => {
    for (const name of ['report?run=alone', 'episodes?run=alone', 'events'])
      expect(await ask(`/api/${name}`, 'DELETE')).toMatchObject({ status: 405, allow: 'GET, HEAD' });
    expect(await ask('/', 'DELETE')).toMatchObject({ status: 405, allow: 'GET, HEAD' });
    expect(await ask('/api/export')).toMatchObject({ status: 405, allow: 'POST' });
    expect((await ask('/api/nothing', 'DELETE')).status).toBe(404);
  });

  it('[STUDIO-16] tells of a damaged branch by its line, and not by what stands there', () => {
    mkdirSync(join(folder, 'alone/take-overs'));
    writeFileSync(join(folder, 'alone/take-overs/broken.jsonl'), '{"request":{"secret":\n');
    const [draft] = studio.source.takeOvers.drafts('alone');
    expect(draft?.problem).toContain('line 1 of take-overs/broken.jsonl cannot be read');
    expect(draft?.problem).not.toContain('secret');
  });
});

describe('rows as they will be exported', () => {
  it('[STUDIO-32] can be had of every table, preferences among the usual ones', async () => {
    const { tables, rows } = await studio.source.rows('alone', { episode: 1 });
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['next-actions', 'corrections', 'preferences', 'episodes', 'signals', 'world-model']),
    );
    expect(new Set(rows.map(({ table }) => table))).toEqual(
      new Set(['next-actions', 'corrections', 'preferences', 'episodes']),
    );
    const chosen = await studio.source.rows('alone', { episode: 1, table: 'world-model' });
    expect(new Set(chosen.rows.map(({ table }) => table))).toEqual(new Set(['world-model']));
    const { files } = await studio.source.exportRows('alone');
    const other = await studio.source.rows('alone', { episode: 2 });
    const shown = [...rows, ...other.rows].filter(({ table }) => table === 'preferences');
    expect(shown).toHaveLength(files.find(({ name }) => name === 'preferences.jsonl')?.rows ?? -1);
    await expect(studio.source.rows('alone', { episode: 1, table: 'nothing' })).rejects.toThrow('There is no table');
  });
});
