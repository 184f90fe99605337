import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredEpisode } from '../src/core/episode/journal.ts';
import { writeLargeEpisode, writeManyEpisodes } from '../bench/studio/made-runs.ts';
import {
  openStudio,
  studioEpisodes,
  studioSource,
  writeRun,
  type OpenedStudio,
} from './fixtures/studio/open-studio.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-studio-server-'));
let studio: OpenedStudio;
let episodes: StoredEpisode[];

beforeAll(async () => {
  episodes = await studioEpisodes();
  writeRun(join(folder, 'one'), episodes);
  studio = await openStudio(folder);
});

afterAll(async () => {
  await studio.close();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** With any header: browsers and fetch would not send some of these. */
function ask(path: string, headers: Record<string, string> = {}, body?: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request(`${studio.url}${path}`, { method, headers: { ...type, ...headers } }, response => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts).toString() }),
      );
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function pass(): Record<string, string> {
  return { cookie: `espalier-studio-${new URL(studio.url).port}=the-pass` };
}

describe('the server of the studio', () => {
  it('[STUDIO-1] opens by the key of the link, once, and answers nothing without its pass', async () => {
    expect((await ask('/')).status).toBe(403);
    expect((await ask('/api/runs')).status).toBe(403);
    expect((await ask('/?key=another')).status).toBe(403);
    const { status, headers } = await ask('/?key=the-key');
    expect(status).toBe(303);
    expect(headers['location']).toBe('/');
    expect(String(headers['set-cookie'])).toMatch(/=the-pass; HttpOnly; SameSite=Strict/);
    expect((await ask('/?key=the-key')).status).toBe(403);
    expect((await ask('/', pass())).status).toBe(200);
    expect((await ask('/api/runs', pass())).status).toBe(200);
  });

  it('[STUDIO-1] makes links for other people, each for one browser', async () => {
    expect((await ask('/api/invite', {}, {})).status).toBe(403);
    const { link } = JSON.parse((await ask('/api/invite', pass(), {})).body) as { link: string };
    expect((await ask(link)).status).toBe(303);
    expect((await ask(link)).status).toBe(403);
    expect((await ask('/api/invite', pass())).status).toBe(405);
  });

  it('[STUDIO-1] has no address that comes from the language itself', async () => {
    for (const name of ['constructor', 'toString', 'valueOf', 'hasOwnProperty']) {
      expect((await ask(`/api/${name}`, pass())).status).toBe(404);
      expect((await ask(`/api/${name}`, pass(), {})).status).toBe(404);
    }
  });

  it('[STUDIO-1] refuses other hosts, pages of others, and bodies that a form can send', async () => {
    const own = studio.url;
    expect((await ask('/api/runs', { ...pass(), host: 'evil.example' })).status).toBe(403);
    expect((await ask('/api/runs', { ...pass(), origin: 'http://evil.example' })).status).toBe(403);
    expect((await ask('/api/runs', { ...pass(), origin: 'null' })).status).toBe(403);
    expect((await ask('/api/runs', { ...pass(), 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await ask('/api/runs', { ...pass(), 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await ask('/api/runs', { ...pass(), origin: own, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await ask('/api/export', { ...pass(), 'content-type': 'text/plain' }, { run: 'one' })).status).toBe(415);
  });

  it('[STUDIO-2] forbids everything but its own program, and gives the report no rights', async () => {
    const { headers } = await ask('/', pass());
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
    const report = await ask('/api/report?run=one', pass());
    expect(report.body).toContain('<title>Espalier: fixture</title>');
    expect(String(report.headers['content-security-policy'])).toMatch(/^sandbox allow-scripts; default-src 'none'/);
  });

  it('[STUDIO-2] has a program that makes no markup of text', () => {
    const root = join(dirname(import.meta.dirname), 'src/studio/page');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(name => /\.tsx?$/.test(name));
    const wrong = files.filter(name =>
      /innerHTML|outerHTML|insertAdjacent|dangerously|document\.write|\beval\b|new Function|srcdoc/i.test(
        readFileSync(join(root, name), 'utf8'),
      ),
    );
    expect(files.length).toBeGreaterThan(10);
    expect(wrong).toEqual([]);
  });

  it('[STUDIO-1] says what is wrong with a request', async () => {
    expect(await ask('/api/episodes?run=none', pass())).toMatchObject({ status: 404 });
    expect((await ask('/api/episode?run=one&episode=99', pass())).body).toContain('There is no episode 99');
    expect((await ask('/api/step?run=one&episode=1&node=999', pass())).status).toBe(404);
    expect((await ask('/api/take-over/step', pass(), { id: 'x', action: { kind: 'explode' } })).status).toBe(400);
    expect((await ask('/api/take-over/step', pass(), { id: 'x', action: { kind: 'back' } })).body).toContain(
      'not open',
    );
    expect((await ask('/../package.json', pass())).status).toBe(404);
  });
});

describe('runs behind the studio', () => {
  it('[STUDIO-3] filters by outcome, template, cause, actor, text and screen, and counts what else there is', async () => {
    const place = { from: 0, count: 10, sort: '' };
    const count = async (filter: object): Promise<number> => (await studio.source.episodes('one', filter, place)).total;
    const page = await studio.source.episodes('one', {}, place);
    expect(page.rows.map(({ template }) => template)).toContain('contact-phone');
    expect(await count({ outcome: 'failed' })).toBe(1);
    expect(await count({ template: 'mail/contact-phone' })).toBe(1);
    expect(await count({ phase: 'evaluate' })).toBe(1);
    expect(await count({ actor: 'teacher' })).toBe(3);
    expect(await count({ actor: 'human' })).toBe(0);
    expect(await count({ text: page.rows[0]?.instruction.toUpperCase().slice(0, 30) })).toBeGreaterThan(0);
    expect(await count({ screen: 'button "compose"' })).toBe(4);
    expect(await count({ screen: 'nowhere to be seen' })).toBe(0);
    expect(page.facets.outcomes).toEqual([
      { value: 'passed', count: 3 },
      { value: 'failed', count: 1 },
    ]);
  });

  it('[STUDIO-12] filters by a condition, and says what is wrong with one', async () => {
    const place = { from: 0, count: 10, sort: '' };
    const { total, all } = await studio.source.episodes(
      'one',
      { where: "signal.first-rejected > 0 and outcome = 'failed'" },
      place,
    );
    expect([total, all]).toEqual([1, 4]);
    await expect(studio.source.episodes('one', { where: 'stepz > 1' }, place)).rejects.toThrow('there is no "stepz"');
    expect(studio.source.signals('one').some(({ signal }) => signal === 'first-rejected')).toBe(true);
  });

  it('[STUDIO-12] groups failures by cause, and filters by one', async () => {
    const { groups, failures } = studio.source.failures('one');
    expect(failures).toBe(1);
    expect(groups).toEqual([
      expect.objectContaining({
        cause: 'gave-up',
        count: 1,
        of: 1,
        example: expect.objectContaining({ episode: 2, reason: expect.stringContaining('cannot be done') }),
      }),
    ]);
    const place = { from: 0, count: 10, sort: '' };
    const page = await studio.source.episodes('one', { failure: groups[0]?.cause }, place);
    expect(page.rows.map(({ id }) => id)).toEqual([2]);
    expect((await studio.source.episodes('one', { failure: 'another' }, place)).total).toBe(0);
  });

  it('[STUDIO-18] maps the archive as an export fills it, and says which episodes lie in each bin', () => {
    const { rows, columns, entries } = studio.source.archive('one');
    expect(new Set(entries.map(({ episode }) => episode))).toEqual(new Set([1, 3]));
    expect(entries.every(({ row, column }) => rows.includes(row) && columns.includes(column))).toBe(true);
  });

  it('[STUDIO-12] keeps views in the folder of the run', () => {
    const view = { name: 'mine', query: { outcome: 'failed' } };
    expect(studio.source.saveView('one', { ...view, query: {} })).toHaveLength(1);
    expect(studio.source.saveView('one', view)).toEqual([view]);
    const another = studioSource(folder);
    expect(another.views('one')).toEqual([view]);
    expect(another.removeView('one', 'mine')).toEqual([]);
    writeFileSync(join(folder, 'one/studio-views.json'), '[{"name":1}]');
    expect(() => another.views('one')).toThrow('studio-views.json');
    rmSync(join(folder, 'one/studio-views.json'));
    return another.close();
  });

  it('[STUDIO-13] tells what each estimator says a step was worth beside the other tries at its task', () => {
    const [first] = episodes as [StoredEpisode];
    const lost: StoredEpisode = {
      ...first,
      head: { ...first.head, key: first.head.key.replace(/0$/, '1'), trial: 1, index: 9 },
      end: { ...first.end, outcome: 'failed', verdict: first.end.verdict && { ...first.end.verdict, pass: false } },
      events: first.events.map(event =>
        event.kind === 'leaf' && event.verdict !== null
          ? { ...event, verdict: { ...event.verdict, pass: false } }
          : event,
      ),
    };
    writeRun(join(folder, 'group'), [first, lost]);
    studio.source.refresh();
    const { leaf, steps } = studio.source.outline('group', 1);
    const node = steps.findLast(({ role, status }) => role === 'student' && status === 'kept')?.id ?? leaf;
    const worth = (episode: number): number | null | undefined =>
      studio.source.advantages({ run: 'group', episode, node }).advantages.find(({ estimator }) => estimator === 'grpo')
        ?.advantage;
    expect(worth(1)).toBeGreaterThan(0);
    expect(worth(2)).toBe(-(worth(1) ?? 0));
    const alone = studio.source.advantages({ run: 'one', episode: 3, node: 1 });
    expect(alone.advantages.find(({ estimator }) => estimator === 'grpo')).toMatchObject({
      advantage: null,
      why: 'group of one',
    });
  });

  it('[STUDIO-9] certifies nothing that did not pass', () => {
    expect(studio.source.outline('one', 1).certified).toBe('certified by construction');
    expect(studio.source.outline('one', 2).certified).toBe('nothing to certify: it did not pass');
  });

  it('[STUDIO-3] counts evaluated episodes with their template', async () => {
    const [first] = episodes as [StoredEpisode];
    const key = `evaluate/1/${first.head.task.id}/0/student 1a2b/look`;
    writeRun(join(folder, 'evaluated'), [{ ...first, head: { ...first.head, key, phase: 'evaluate' } }]);
    studio.source.refresh();
    const { facets } = await studio.source.episodes('evaluated', {}, { from: 0, count: 10, sort: 'written' });
    expect(facets.templates).toEqual([{ value: 'mail/star-message', count: 1 }]);
  });

  it('[STUDIO-10] compares two runs on what both have, flip by flip', () => {
    const [first, second, third] = episodes as [StoredEpisode, StoredEpisode, StoredEpisode];
    const failed = (episode: StoredEpisode): StoredEpisode => ({
      ...episode,
      end: { ...episode.end, outcome: 'failed' },
    });
    const broken: StoredEpisode = { ...third, end: { ...third.end, outcome: 'errored', boundary: 'policy' } };
    writeRun(join(folder, 'compared'), [failed(first), second, broken]);
    studio.source.refresh();
    const found = studio.source.compare('one', 'compared');
    expect(found).toMatchObject({ phase: 'collect', pairs: 2, unpaired: 1, left: { passed: 1 }, right: { passed: 0 } });
    expect(found.difference?.mean).toBe(0.5);
    expect(found.flips).toEqual([{ task: `collect/${first.head.task.id}/0`, left: 1, right: 1, isGain: true }]);
    expect(found.templates).toEqual([{ template: 'mail/star-message', pairs: 2, left: 1, right: 0 }]);
    expect(studio.source.compare('compared', 'compared').flips).toEqual([]);
  });

  it('[STUDIO-41] compares what a teacher was asked, and says what broke', () => {
    const [first] = episodes as [StoredEpisode];
    const broken: StoredEpisode = { ...first, end: { ...first.end, outcome: 'errored', boundary: 'policy' } };
    writeRun(join(folder, 'asked'), [first]);
    writeRun(join(folder, 'broken'), [broken]);
    studio.source.refresh();
    const { reviews, corrections } = first.end.counts;
    expect(corrections).toBeGreaterThan(0);
    const found = studio.source.compare('one', 'asked');
    expect(found.right).toMatchObject({ queries: reviews + corrections, corrections });
    expect(studio.source.compare('asked', 'broken')).toMatchObject({ pairs: 0, errored: { left: 0, right: 1 } });
    const run = studio.source.runs().find(({ id }) => id === 'broken');
    expect(run?.training).toMatchObject({ success: null, outcomes: { errored: 1 } });
  });

  it('[STUDIO-10] pairs evaluations of two students by task and trial, without baselines', () => {
    const [first] = episodes as [StoredEpisode];
    const evaluated = (student: string, round: number, outcome: 'passed' | 'failed'): StoredEpisode => ({
      ...first,
      head: {
        ...first.head,
        student,
        round,
        index: round,
        phase: 'evaluate',
        key: `evaluate/${round}/${first.head.task.id}/0/${student}`,
      },
      end: { ...first.end, outcome },
    });
    const ours = [first, evaluated('random', 0, 'failed'), evaluated('a after round 1', 1, 'failed')];
    writeRun(join(folder, 'left'), [...ours, evaluated('a after round 2', 2, 'passed')]);
    writeRun(join(folder, 'right'), [first, evaluated('b after round 1', 1, 'failed')]);
    studio.source.refresh();
    const found = studio.source.compare('left', 'right');
    expect(found).toMatchObject({
      phase: 'evaluate',
      pairs: 1,
      unpaired: 0,
      left: { passed: 1 },
      right: { passed: 0 },
    });
    expect(found.flips).toEqual([expect.objectContaining({ isGain: true })]);
  });

  it('[STUDIO-4] tells what a step changed, from the states of its path', async () => {
    const { steps } = studio.source.outline('one', 1);
    const found = await Promise.all(steps.map(({ id }) => studio.source.changes({ run: 'one', episode: 1, node: id })));
    expect(found.every(({ problem }) => problem === null)).toBe(true);
    expect(found.flatMap(({ changes }) => changes).length).toBeGreaterThan(0);
  });

  it('[STUDIO-21] reads a large run to its end behind the first table, so that no filter waits for it', async () => {
    const many = join(folder, 'many');
    mkdirSync(join(many, 'run'), { recursive: true });
    // Copied in the store: to write so many takes ten times as long.
    writeManyEpisodes(join(many, 'run'), 2052);
    const database = new DatabaseSync(join(many, 'run', 'store.db'));
    for (let copy = 1; copy < 10; copy++)
      database.exec(`INSERT INTO episodes SELECT attempt + ${copy * 2052}, run, key || ' ${copy}', phase, round, place + ${copy * 2052},
        outcome, events, task, head, ending, seal FROM episodes WHERE attempt <= 2052`);
    database.close();
    const large = await openStudio(many);
    expect(large.source.isReading()).toBe(true);
    const key = await fetch(large.link, { redirect: 'manual' });
    const watching = new AbortController();
    const headers = { cookie: key.headers.get('set-cookie')?.split(';')[0] ?? '' };
    await fetch(`${large.url}/api/events`, { headers, signal: watching.signal });
    await expect.poll(() => large.source.isReading(), { timeout: 10_000 }).toBe(false);
    expect(large.source.runs()[0]?.outcomes.passed).toBe(5130);
    watching.abort();
    await large.close();
    rmSync(many, { recursive: true });
  });

  it('[STUDIO-11] asks the signals once for each episode, and none where it has thousands of steps', () => {
    mkdirSync(join(folder, 'large'));
    writeLargeEpisode(join(folder, 'large'), 2500);
    studio.source.refresh();
    const { signals } = studio.source.step({ run: 'large', episode: 1, node: 2400 });
    expect(signals).toEqual([{ signal: 'not asked', text: expect.stringContaining('more than 2000 steps') }]);
    rmSync(join(folder, 'large'), { recursive: true });
  });

  it('[STUDIO-9] shows the others when a store is damaged, of a newer version, or deleted while it is open', async () => {
    const bad = join(folder, 'bad');
    writeRun(join(bad, 'fine'), episodes);
    writeRun(join(bad, 'newer'), episodes);
    writeRun(join(bad, 'gone'), episodes);
    mkdirSync(join(bad, 'damaged'));
    writeFileSync(join(bad, 'damaged/store.db'), 'no database at all');
    const database = new DatabaseSync(join(bad, 'newer/store.db'));
    database.exec('UPDATE meta SET format = 99');
    database.close();
    const source = studioSource(bad);
    renameSync(join(bad, 'gone/store.db'), join(bad, 'elsewhere.db'));
    source.refresh();
    const problems = new Map(source.runs().map(({ id, problem }) => [id, problem]));
    expect(problems.get('fine')).toBeNull();
    expect(problems.get('newer')).toContain('newer version');
    expect(problems.get('damaged')).toContain('not a database');
    expect(problems.get('gone')).toContain('deleted');
    expect((await source.episodes('fine', {}, { from: 0, count: 1, sort: '' })).total).toBe(4);
    await source.close();
  });

  it('[STUDIO-9] tells of a store that breaks after it was last looked at on its own card', async () => {
    const broken = join(folder, 'breaks');
    writeRun(join(broken, 'fine'), episodes);
    writeRun(join(broken, 'other'), episodes);
    const source = studioSource(broken);
    const database = new DatabaseSync(join(broken, 'other/store.db'));
    database.exec('DROP TABLE events');
    database.close();
    const problems = new Map(source.runs().map(({ id, problem }) => [id, problem]));
    expect(problems.get('fine')).toBeNull();
    expect(problems.get('other')).toContain('damaged');
    await source.close();
    rmSync(broken, { recursive: true });
  });

  it('[STUDIO-9] shows an episode whose module is gone, and says why nobody can take over', async () => {
    const lost = episodes.map(episode => ({
      ...episode,
      head: { ...episode.head, task: { ...episode.head.task, environment: 'library' } },
    }));
    writeRun(join(folder, 'lost'), lost, './nowhere/library.ts');
    const source = studioSource(folder);
    expect(source.outline('lost', 1).steps.length).toBeGreaterThan(0);
    expect(await source.changes({ run: 'lost', episode: 1, node: 1 })).toMatchObject({
      problem: expect.stringContaining('cannot be opened'),
      isGone: true,
    });
    const wanted = { run: 'lost', episode: 1, node: 0, person: 'me', replaces: null };
    await expect(source.takeOvers.open(wanted)).rejects.toThrow('The environment "library" cannot be opened');
    await source.close();
  });
});
