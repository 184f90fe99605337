import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scriptedEpisode } from '../../../test/fixtures/episodes.ts';
import { growPictured, withPictures } from '../../../test/fixtures/pictures/with-pictures.ts';
import type { StoredEpisode } from '../../core/episode/journal.ts';
import { openStore } from '../../store/store.ts';
import { createOutput } from '../terminal/output.ts';
import { runPaths } from '../../runs/folder/folder.ts';
import { inspect, type InspectRequest } from './inspect.ts';
import { report } from './report.ts';

let run = '';
beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), 'espalier-inspect-'));
});
afterEach(() => rmSync(run, { recursive: true }));

const plain: StoredEpisode = await scriptedEpisode({ slips: 1, index: 0 });
const pictured = withPictures(await scriptedEpisode({ slips: 2, index: 1, template: 'star-message', seed: 2 }));
const steps = (episode: StoredEpisode): number => episode.events.filter(({ kind }) => kind === 'step').length;

function writeRun(): void {
  const store = openStore({ path: runPaths(run).store });
  for (const each of [{ episode: plain, pictures: new Map() }, pictured])
    growPictured(store, each).end(each.episode.end);
  store.close();
}

function written(): { output: ReturnType<typeof createOutput>; text(): string } {
  let told = '';
  const stream = { write: (text: string) => (told += text) };
  return { output: createOutput({ results: stream, progress: stream, colours: false }), text: () => told };
}

async function said(request: Omit<InspectRequest, 'run'>): Promise<string> {
  const { output, text } = written();
  expect(await inspect(output, { run, ...request })).toBe(0);
  return text();
}

describe('inspect', () => {
  it('[PIC-10] says how many steps have screenshots, and how to see them', async () => {
    writeRun();
    const taken = steps(pictured.episode);
    const { key } = pictured.episode.head;
    const told = await said({ episode: key });
    expect(told).toContain(`${taken} of ${taken} steps have screenshots.`);
    expect(told).toContain(`espalier inspect ${run} ${key} --html episode.html`);
    expect(await said({ episode: plain.head.key })).not.toContain('screenshot');
  });

  it('[SRV-72] lists the episodes that a part of a key may mean, each with the command that opens it', async () => {
    const keys = Array.from({ length: 25 }, (_, index) => `collect/0/mail/star-message/${index + 10}/0`);
    const store = openStore({ path: runPaths(run).store });
    for (const [index, key] of keys.entries()) {
      const episode = { ...plain, head: { ...plain.head, key, index } };
      growPictured(store, { episode, pictures: new Map() }).end(plain.end);
    }
    store.close();
    const { output, text } = written();
    expect(await inspect(output, { run, episode: 'star-message' })).toBe(2);
    const lines = text().trimEnd().split('\n');
    expect(lines[0]).toBe('"star-message" is part of 25 keys. Open one of them:');
    const outcome = plain.end.outcome;
    expect(lines.slice(1, 21)).toEqual(keys.slice(0, 20).map(key => `  ${outcome}  espalier inspect ${run} ${key}`));
    expect(lines[21]).toBe(`and 5 more: espalier inspect ${run} lists all.`);
    // The command opens it, also where its key is a part of no other.
    expect(await said({ episode: keys[3]! })).toContain(keys[3]);
    await expect(inspect(written().output, { run, episode: 'star-message', json: true })).rejects.toThrow(
      'is part of 25 keys',
    );
  });

  it('[SIG-41] prints commands that can be pasted: the next page of the same selection, keys with spaces in quotes', async () => {
    const store = openStore({ path: runPaths(run).store });
    for (const index of [0, 1, 2]) {
      const head = { ...plain.head, key: `evaluate/1/mail/star-message/${index}/0/it's after round 1`, index };
      growPictured(store, { episode: { ...plain, head }, pictures: new Map() }).end(plain.end);
    }
    store.close();
    const where = "outcome = 'passed'";
    const told = await said({ where, template: 'mail/star-message', limit: 1, page: 2 });
    const flags = `--template mail/star-message --where 'outcome = '\\''passed'\\''' --limit 1 --page 3`;
    expect(told).toContain(`Next: espalier inspect ${run} ${flags}`);
    const { output, text } = written();
    expect(await inspect(output, { run, episode: 'star-message' })).toBe(2);
    expect(text()).toContain(`espalier inspect ${run} 'evaluate/1/mail/star-message/0/0/it'\\''s after round 1'`);
  });

  it('draws branches that were verified by themselves apart from steps that were taken back', async () => {
    writeRun();
    expect(await said({ episode: plain.head.key })).toMatch(/│ ✗ /);
    const { verdict } = plain.end;
    const first = plain.events.find(event => event.kind === 'step');
    const sample = { kind: 'leaf', node: first?.node.id ?? 1, role: 'sample', verdict, from: null } as const;
    // Nobody rejected it: it is a fork that came to its own end.
    const events = [...plain.events.filter(({ kind }) => kind !== 'review' && kind !== 'correction'), sample];
    const forked = { ...plain, head: { ...plain.head, key: 'collect/1/forked' }, events } as StoredEpisode;
    const store = openStore({ path: runPaths(run).store });
    growPictured(store, { episode: forked, pictures: new Map() }).end(forked.end);
    store.close();
    const drawn = await said({ episode: 'collect/1/forked' });
    expect(drawn).toMatch(/│ ○ /);
    expect(drawn).toContain('✓ verified by itself: passed');
  });

  it('says who acted once, and certifies only what passed', async () => {
    const failed = { ...plain, head: { ...plain.head, student: 'student', key: 'collect/1/failed' } };
    const store = openStore({ path: runPaths(run).store });
    for (const [episode, end] of [
      [plain, plain.end],
      [failed, { ...plain.end, outcome: 'failed' as const, reason: 'out of steps' }],
    ] as const)
      growPictured(store, { episode, pictures: new Map() }).end(end);
    store.close();
    expect(plain.end).toMatchObject({ outcome: 'passed', certification: 'by-construction' });
    expect(await said({ episode: plain.head.key })).toContain('certified by construction');
    const told = await said({ episode: failed.head.key });
    expect(told).not.toContain('certified by construction');
    expect(told).toContain('not passed: nothing to certify');
    expect(told).not.toContain('student student');
  });

  it('[PIC-10] writes an episode as a page with its screenshots, and one without them as well', async () => {
    writeRun();
    const page = join(run, 'pages', 'episode.html');
    const taken = steps(pictured.episode);
    const { key } = pictured.episode.head;
    expect(await said({ episode: key, html: page })).toBe(
      `Written to ${page}: ${taken} steps, each with its screenshot.\n`,
    );
    const text = readFileSync(page, 'utf8');
    for (const data of pictured.pictures.values()) expect(text).toContain(Buffer.from(data).toString('base64'));
    expect(await said({ episode: plain.head.key, html: page, json: true })).toBe(
      `${JSON.stringify({ written: [page], steps: steps(plain), screenshots: 0 })}\n`,
    );
    expect(readFileSync(page, 'utf8')).toContain('class="step kept"');
    expect(readFileSync(page, 'utf8')).not.toContain('data:image');
  });

  it('[PIC-10] asks for the episode that the page is to show', async () => {
    writeRun();
    await expect(inspect(written().output, { run, html: join(run, 'page.html') })).rejects.toThrow(
      expect.objectContaining({ boundary: 'input', message: expect.stringContaining('No episode is named') }),
    );
  });
});

describe('inspect of an episode whose snapshots did not do', () => {
  it('[ROLL-6] says where, and why', async () => {
    const events = plain.events.map(event =>
      event.kind === 'rollback'
        ? { ...event, method: 'replay' as const, divergence: 'the page was loaded anew' }
        : event,
    );
    const store = openStore({ path: runPaths(run).store });
    growPictured(store, { episode: { ...plain, events }, pictures: new Map() }).end(plain.end);
    store.close();
    const told = await said({ episode: plain.head.key });
    expect(told).toMatch(/^back to (the start|step \d+) by replay: the page was loaded anew$/m);
  });
});

const withoutIds = (episode: StoredEpisode): StoredEpisode => {
  const { verdict } = episode.end;
  const checks = verdict?.checks.map(({ name, pass }) => ({ name, pass })) ?? [];
  return { ...episode, end: { ...episode.end, verdict: verdict === null ? null : { ...verdict, checks } } };
};

async function writeFailures(count: number): Promise<void> {
  const store = openStore({ path: runPaths(run).store });
  for (let index = 0; index < count; index++) {
    const failed = await scriptedEpisode({ outcome: 'failed', index, seed: index + 1 });
    // Every other one as an earlier version wrote it.
    const episode = index % 2 === 0 ? failed : withoutIds(failed);
    growPictured(store, { episode, pictures: new Map() }).end(episode.end);
  }
  store.close();
}

describe('failed checks', () => {
  it('[RUN-30] are named by id in the list, also where they were stored without one', async () => {
    await writeFailures(2);
    const lines = (await said({})).split('\n').filter(line => line.startsWith('failed'));
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(/ not-given-up$/);
    const [first] = (await said({ json: true })).split('\n').map(line => line && (JSON.parse(line) as object));
    expect(first).toMatchObject({ failedChecks: ['not-given-up'] });
  });

  it('[RUN-30] are counted by template in the report', async () => {
    await writeFailures(3);
    await report(written().output, { source: run });
    const data = JSON.parse(readFileSync(runPaths(run).reportData, 'utf8')) as { failedChecks: object[] };
    expect(data.failedChecks).toContainEqual(expect.objectContaining({ check: 'not-given-up', count: 3, of: 3 }));
    expect(readFileSync(runPaths(run).report, 'utf8')).toContain('<code>not-given-up</code>');
  });

  it('[PRX-21] stand alone where nothing is known of side effects', async () => {
    const claim = 'nothing else was changed';
    const [inside, outside] = [
      plain,
      { ...pictured.episode, end: { ...pictured.episode.end, certification: 'none' } },
    ] as const;
    const store = openStore({ path: runPaths(run).store });
    for (const episode of [inside, outside])
      growPictured(store, { episode, pictures: pictured.pictures }).end(episode.end);
    store.close();
    expect(await said({ episode: inside.head.key })).toContain(claim);
    expect(await said({ episode: outside.head.key })).not.toContain(claim);
  });

  it('[RUN-31] are listed by page, and the totals are of all', async () => {
    await writeFailures(5);
    const second = await said({ page: 2, limit: 2 });
    expect(second.split('\n').filter(line => line.startsWith('failed'))).toHaveLength(2);
    expect(second).toContain('5 episodes: 5 failed.');
    expect(second).toContain('Shown: 3 to 4. Next: espalier inspect');
    const keys = async (page: number): Promise<string[]> =>
      (await said({ page, limit: 2, json: true }))
        .trim()
        .split('\n')
        .map(line => (JSON.parse(line) as { key: string }).key);
    expect(new Set([...(await keys(1)), ...(await keys(2)), ...(await keys(3))]).size).toBe(5);
    await expect(said({ page: 4, limit: 2 })).rejects.toThrow('There is no page 4 of 5 episodes, 2 a page.');
  });
});

describe('report', () => {
  it('[PIC-9] has the screenshots of the run in the page, and their addresses in the data beside it', async () => {
    writeRun();
    await report(written().output, { source: run });
    const { report: page, reportData } = runPaths(run);
    const [text, data] = [readFileSync(page, 'utf8'), readFileSync(reportData, 'utf8')];
    for (const [hash, bytes] of pictured.pictures) {
      expect(text).toContain(Buffer.from(bytes).toString('base64'));
      expect(data).toContain(hash);
    }
    expect(data).not.toContain('base64');
    const again = join(run, 'again.html');
    await report(written().output, { source: reportData, out: again });
    expect(readFileSync(again, 'utf8')).toContain('The screenshots are not in this page');
  });
});
