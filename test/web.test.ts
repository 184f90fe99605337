import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoredEpisode } from '../src/core/episode/journal.ts';
import { launchChromium } from './chromium.ts';
import { writeUnsandboxedBrowser } from './fixtures/pages/unsandboxed-browser.ts';
import { episodesIn, runWarm, type Ended } from './fixtures/program.ts';
import { isLong } from './long-form.ts';

const root = join(import.meta.dirname, '..');
const notes = `wai:${join(root, 'test', 'fixtures', 'wai', 'notes')}`;
const faulty = `wai:${join(root, 'test', 'fixtures', 'wai', 'faulty')}`;
const byWords = join(root, 'examples', 'agents', 'by-words.ts');

let folder = '';

/** The notes with their first tasks alone: every task is played by the student and by each baseline. */
function withFewTasks(copy: string, count: number): string {
  cpSync(join(root, 'test', 'fixtures', 'wai', 'notes'), copy, { recursive: true });
  const list = join(copy, 'real-tasks.json');
  const tasks = JSON.parse(readFileSync(list, 'utf8')) as object[];
  writeFileSync(list, JSON.stringify(tasks.slice(0, count)));
  return `wai:${copy}`;
}

function espalier(...args: string[]): Promise<Ended> {
  return runWarm(args, { folder });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'espalier-web-'));
});
afterAll(() => rm(folder, { recursive: true }));

type StepEvent = Extract<StoredEpisode['events'][number], { kind: 'step' }>;

function stepsOf(run: string): StepEvent[] {
  return episodesIn(join(folder, run)).flatMap(({ events }) => events.filter(event => event.kind === 'step'));
}

describe('apps as pixels', () => {
  const templates = isLong ? 'star-message,label-message' : 'star-message';
  const asked = ['mail', '--templates', templates, '--instances', '1'];

  test('[WEB-30] the same trees as without a browser, with a picture of every step', async () => {
    const [drawn, plain] = [
      await espalier('collect', '--env', ...asked, '--browser', '--out', 'drawn'),
      await espalier('collect', ...asked, '--out', 'plain'),
    ];
    expect([drawn.code, plain.code, drawn.stderr.includes('error')]).toEqual([0, 0, false]);
    const bare = ({ node, screen, text }: StepEvent): object => ({ node, screen, text });
    expect(stepsOf('drawn').map(bare)).toEqual(stepsOf('plain').map(bare));
    expect(stepsOf('drawn').length).toBeGreaterThan(3);
    for (const { image } of stepsOf('drawn'))
      expect(image).toMatchObject({ type: 'image/png', width: 1280, height: 800 });
    expect(stepsOf('plain').every(({ image }) => image === undefined)).toBe(true);
  });

  test('[WEB-30] report and inspect show them, export writes them', async () => {
    expect((await espalier('report', 'drawn')).code).toBe(0);
    expect((await espalier('inspect', 'drawn', 'star-message', '--html', 'episode.html')).code).toBe(0);
    const browser = await launchChromium();
    try {
      for (const page of ['drawn/report.html', 'episode.html']) {
        const tab = await browser.newPage();
        const wrong: string[] = [];
        tab.on('pageerror', cause => wrong.push(String(cause)));
        tab.on('console', message => message.type() === 'error' && wrong.push(message.text()));
        await tab.goto(`file://${join(folder, page)}`);
        const shown = await tab.evaluate(
          () =>
            [...document.querySelectorAll('*')].filter(pictured =>
              getComputedStyle(pictured).backgroundImage.startsWith('url("data:image/png'),
            ).length,
        );
        expect({ page, wrong, isShown: shown > 0 }).toEqual({ page, wrong: [], isShown: true });
      }
    } finally {
      await browser.close();
    }
    expect((await espalier('export', 'drawn')).stdout).toContain('Screenshots:');
    expect((await readdir(join(folder, 'drawn', 'export', 'images'))).length).toBeGreaterThan(1);
  });

  test('[WEB-30] another face: the config says which, and a run goes on with it', async () => {
    const args = [
      'collect',
      'mail',
      '--templates',
      'star-message',
      '--instances',
      '1',
      '--set',
      'browser.vary=3',
      '--out',
      'varied',
    ];
    expect((await espalier(...args, '--set', 'browser.screenshots=jpeg', '--viewport', '390x844')).code).toBe(0);
    expect(stepsOf('varied')[0]?.image).toMatchObject({ type: 'image/jpeg', width: 390, height: 844 });
    // Other labels are other words on the screen, which the journal holds.
    expect(stepsOf('varied')[0]?.screen).not.toBe(stepsOf('plain')[0]?.screen);
    const config = JSON.parse(readFileSync(join(folder, 'varied', 'config.json'), 'utf8')) as { browser: object };
    expect(config.browser).toMatchObject({ vary: 3, screenshots: 'jpeg', theme: expect.any(String) });
    const again = await espalier('collect', '--resume', 'varied');
    expect(again.stdout).toContain('0 episodes in');
  });
});

describe('other people’s pages', () => {
  test('[WEB-31] speculative rollback with agents of one’s own, by restored snapshots', async () => {
    const agents = ['--student', byWords, '--teacher', byWords, '--instances', '1', '--steps', '12'];
    const { code, stdout, stderr } = await espalier('collect', '--env', notes, ...agents, '--out', 'notes');
    expect({ code, stderr: stderr.includes('error') }).toEqual({ code: 0, stderr: false });
    expect(stdout).toMatch(/^notes +\d+ +\d+ +\d+ +\d+ +0 /m);
    const events = episodesIn(join(folder, 'notes')).flatMap(episode => episode.events);
    const methods = new Set(events.flatMap(event => (event.kind === 'rollback' ? [event.method] : [])));
    expect(methods).toEqual(new Set(['restore']));
    expect((await espalier('inspect', 'notes')).stdout).toContain('notes/real-task-e1');
  });

  test('[WEB-31] evaluation, with the baselines that need no state', async () => {
    const few = withFewTasks(join(folder, 'few-notes'), 2);
    const args = ['--env', few, '--student', 'untrained', '--levels', 'new-instances', '--instances', '1'];
    const { code, stdout } = await espalier('eval', ...args, '--out', 'evaluated');
    expect(code).toBe(0);
    expect(stdout).toContain('random');
    expect(stdout).not.toContain('planner');
    const own = await espalier(
      'eval',
      '--env',
      few,
      '--student',
      byWords,
      '--no-baselines',
      ...args.slice(4),
      '--out',
      'own',
    );
    expect([own.code, own.stdout.includes('by words')]).toEqual([0, true]);
    const outcomes = [...episodesIn(join(folder, 'evaluated')), ...episodesIn(join(folder, 'own'))].map(
      ({ end }) => end,
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'errored')).toEqual([]);
  });

  test('[WEB-31] check: pages that hold every law', async () => {
    const sound = await espalier('check', '--env', notes, '--template', 'real-task-e1', '--json');
    expect(sound.code).toBe(0);
    const lines = sound.stdout.trim().split('\n');
    const laws = lines.map(line => JSON.parse(line) as { kind: string; pass?: boolean; tried?: number });
    expect(laws.filter(({ kind, pass }) => kind === 'law' && pass === true)).toHaveLength(5);
  });

  test('[WEB-31] [WAI-12] check: laws, and verifiers that pass untouched', async () => {
    const bad = await espalier('check', faulty, '--template', 'real-task-passes', '--seeds', '2');
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain('5 of 5 laws held, 2 findings');
    expect(bad.stdout).toContain('real-task-passes  passes untouched');
  });
});

describe('bad input', () => {
  const agent = join(root, 'bench', 'processes.ts');
  const cases = [
    { what: 'a browser that is not there', args: ['mail', '--browser-path', '/nowhere'], said: /can be run/, code: 1 },
    { what: 'a folder that is not there', args: ['wai:nowhere', '--strategy', 'linear'], said: /nowhere/, code: 2 },
    {
      what: 'a MiniWoB++ folder that is not there',
      args: ['miniwob:nowhere', '--strategy', 'linear'],
      said: /nowhere/,
      code: 2,
    },
    { what: 'an app without a module', args: ['app:'], said: /names no module/, code: 2 },
    { what: 'a page without tasks', args: ['page:http://127.0.0.1:9/'], said: /no module of tasks/, code: 2 },
    { what: 'a planner where no state is shown', args: [notes], said: /--student search --strategy linear/, code: 2 },
    {
      what: 'no student',
      args: [notes, '--strategy', 'linear', '--student', agent],
      said: /exports no `policy`/,
      code: 2,
    },
  ];

  test.each(cases)('[WEB-32] $what', async ({ args, said, code }) => {
    const ended = await espalier('collect', ...args, '--instances', '1', '--out', 'never');
    expect(ended).toMatchObject({ code, stderr: expect.stringMatching(said) });
    expect(ended.stderr).not.toContain('    at ');
    expect(existsSync(join(folder, 'never', 'store.db'))).toBe(false);
  });
});

describe('an app with its server', () => {
  test('[WAPP-8] is collected, rolled back by snapshot, certified against a new server and exported', async () => {
    const clerk = join(root, 'test', 'fixtures', 'app', 'clerk.ts');
    const asked = [
      '--templates',
      'add-ticket',
      '--student',
      clerk,
      '--teacher',
      clerk,
      '--instances',
      '1',
      '--out',
      'app',
    ];
    const ended = await espalier('collect', `app:${join(root, 'examples', 'tickets', 'tasks.ts')}`, ...asked);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toMatch(/app-tickets-tasks +1 +1 +0 /);
    const shown = await espalier('inspect', 'app', 'add-ticket');
    expect(shown.stdout).toContain('1 rollback, 1 restored');
    expect(shown.stdout).toContain('certified by replay');
    expect((await espalier('export', 'app')).stdout).toMatch(/next-actions.parquet +3 /);
  });
});

describe('the browser program', () => {
  test.each(['tasks', 'play', 'check'])('[CLI-9] %s takes the one that is named', async verb => {
    const ended = await espalier(verb, notes, '--browser-path', '/nowhere');
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('can be run at /nowhere') });
  });

  test('[CLI-9] starts without its sandbox only where that is allowed, and bench says which', async () => {
    // Another user may have to read it.
    chmodSync(folder, 0o755);
    const path = writeUnsandboxedBrowser(folder);
    const measure = (...flags: string[]): Promise<Ended> =>
      espalier('bench', 'miniwob.episodes', '--json', '--browser-path', path, ...flags);
    const refused = await measure('--browser-sandbox', 'require');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--no-browser-sandbox') });
    const allowed = await measure('--no-browser-sandbox');
    expect(allowed).toMatchObject({ code: 0, stderr: expect.stringContaining('browser without its sandbox') });
    const shown = ['tasks', notes, 'real-task-e1', '--screen', '--browser-path', path, '--no-browser-sandbox'];
    const trusted = await espalier(...shown);
    expect(trusted).toMatchObject({ code: 0, stderr: expect.stringContaining('without its sandbox') });
  });
});
