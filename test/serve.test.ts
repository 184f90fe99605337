import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { episodesIn, runWarm, type Ended } from './fixtures/program.ts';

const root = join(import.meta.dirname, '..');
const node = join(root, 'node_modules', '.bin', 'node');
const rest = join(root, 'examples', 'plugins', 'rest.ts');
const folder = mkdtempSync(join(tmpdir(), 'espalier-serve-'));

const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const espalier = (...args: readonly string[]): Promise<Ended> => runWarm(args, { folder });

interface Served {
  readonly url: string;
  post(path: string, body?: unknown): Promise<[number, Record<string, unknown>]>;
  /** Posts a body as it is. */
  send(path: string, body: string): Promise<[number, Record<string, unknown>]>;
  /** Ctrl+C; the code it ended with, and what it noted. */
  stop(): Promise<[number | null, string]>;
}

async function serve(...args: readonly string[]): Promise<Served> {
  const child = spawn(node, [join(root, 'bin', 'espalier.js'), 'serve', ...args], { cwd: folder });
  children.push(child);
  let notes = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (notes += text));
  const ended = new Promise<number | null>(resolve => child.on('close', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
    child.once('close', () => reject(new Error(notes)));
  });
  const send: Served['send'] = async (path, body) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, { method: 'POST', body, headers });
    return [answer.status, (await answer.json()) as Record<string, unknown>];
  };
  return {
    url,
    send,
    post: (path, body = {}) => send(path, JSON.stringify(body)),
    async stop() {
      child.kill('SIGINT');
      return [await ended, notes];
    },
  };
}

function moduleWith(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return `./${name}`;
}

const call = (tool: string, input: object): object => ({ kind: 'call', tool, input });

describe('names', () => {
  it('[SRV-89] that have a module of tasks behind a page are environments', async () => {
    const tasks = join(root, 'examples', 'todo', 'tasks.ts');
    const { code, stderr } = await espalier('serve', `page:http://app.example/,${tasks}`, '--port', '0');
    expect([code, stderr]).toEqual([2, expect.stringContaining('app.example is out of reach')]);
  });
});

describe('a protocol of the user’s', () => {
  it('[EPI-9] [EPI-4] [EPI-6] plays an episode in a process of its own, keeps it, and abandons what is open at the end', async () => {
    const served = await serve(rest, 'mail', '--task', 'star-message/1', '--option', 'verdicts=true', '--out', 'run');
    expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/episodes$/);
    expect(existsSync(join(folder, 'run'))).toBe(false);
    const [, opened] = await served.post('', { client: 'tester' });
    expect(opened).toMatchObject({ instruction: expect.stringContaining('parcel 3754'), screen: expect.any(String) });
    const at = `/${String(opened['id'])}`;
    expect(await served.post(`${at}/steps`, { kind: 'teleport' })).toEqual([
      400,
      { error: { message: expect.stringContaining('{"kind":"teleport"} is not an action') } },
    ]);
    const nested = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    for (const body of [nested, `{"kind":"call","tool":"list_labels","input":${nested}}`])
      expect(await served.send(`${at}/steps`, body)).toEqual([
        400,
        { error: { message: expect.stringContaining('is not an action') } },
      ]);
    expect(await served.post(`${at}/steps`, call('star_message', { id: 'm7', starred: true }))).toMatchObject([
      200,
      { outcome: { applied: true }, ended: null },
    ]);
    expect(await served.post(`${at}/steps`, { kind: 'finish' })).toMatchObject([200, { ended: 'terminated' }]);
    const finished = [200, { ended: true, outcome: 'passed', reason: null, verdict: { pass: true } }];
    expect(await served.post(`${at}/finish`)).toMatchObject(finished);
    expect(await served.post(`${at}/finish`)).toMatchObject(finished);
    expect(await served.post(`${at}/steps`, { kind: 'finish' })).toMatchObject([409, {}]);
    expect(await served.post('/nobody/finish')).toMatchObject([404, {}]);
    expect(await served.post('', { task: 'star-massage' })).toMatchObject([
      400,
      { error: { message: expect.stringContaining('"star-message"') } },
    ]);
    const [, left] = await served.post('', { task: 'star-message/2' });
    await served.post(`/${String(left['id'])}/steps`, call('list_labels', {}));

    const [code, notes] = await served.stop();
    expect(code).toBe(0);
    expect(notes).toContain('collect/0/mail/star-message/1/0  passed · 2 steps');
    const ends = episodesIn(join(folder, 'run')).map(({ head, end }) => [head.student, head.strategy, end.reason]);
    expect(ends).toEqual([
      ['tester', 'rest', null],
      ['rest', 'rest', 'abandoned'],
    ]);
  });

  it('[EPI-10] writes a folder that can be exported and certified, and says that it cannot be resumed', async () => {
    const library = join(root, 'examples', 'library', 'library.ts');
    const served = await serve(rest, library, '--out', 'lent');
    const planned = await espalier('plan', library, 'lend-to-reader', '--seed', '3', '--json');
    const { actions: steps } = JSON.parse(planned.stdout) as { actions: readonly object[] };
    const [, opened] = await served.post('', { task: 'lend-to-reader/3' });
    for (const step of steps) await served.post(`/${String(opened['id'])}/steps`, step);
    await served.post(`/${String(opened['id'])}/finish`);
    await served.stop();
    expect(episodesIn(join(folder, 'lent')).map(({ end }) => end.outcome)).toEqual(['passed']);
    const [exported, certified, resumed] = await Promise.all([
      espalier('export', 'lent', '--format', 'jsonl'),
      espalier('certify', 'lent'),
      espalier('collect', '--resume', 'lent'),
    ]);
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    expect(certified).toMatchObject({ code: 0, stdout: expect.stringContaining('There is nothing to certify') });
    expect(resumed).toMatchObject({ code: 2, stderr: expect.stringContaining('added by a server or an evaluation') });
  }, 60_000);

  it('[EPI-9] is stopped in good order when it does not listen to its signal', async () => {
    const deaf = moduleWith(
      'deaf.ts',
      `export const protocol = { name: 'deaf', about: 'Deaf.', async serve({ episodes, task, announce }) {
        const episode = await episodes.open({ task: await task(null), client: 'self' });
        await episode.observe();
        announce('ready');
        await new Promise(() => setInterval(() => {}, 1000));
      } };`,
    );
    const served = await serve(deaf, 'mail', '--out', 'deaf-run');
    expect(served.url).toBe('ready');
    const [code] = await served.stop();
    expect(code).toBe(0);
    expect(episodesIn(join(folder, 'deaf-run')).map(({ end }) => end.reason)).toEqual(['abandoned']);
  }, 20_000);

  it('[EPI-9] is refused with what is wrong with it, as the modules of other nouns are', async () => {
    const cases: [string[], number, string][] = [
      [
        [moduleWith('empty.ts', 'export const nothing = 1;'), 'mail'],
        2,
        'exports no `protocol` with name, about, serve',
      ],
      [['./missing.ts', 'mail'], 2, 'there is no such file'],
      [['mcp', 'mail'], 2, 'The protocol "mcp" has a verb of its own'],
      [['mcpp', 'mail'], 2, 'There is no environment "mcpp"'],
      [[rest, 'mail', 'shop'], 2, 'serves one environment, not 2'],
      [[rest, 'mail', '--option', 'verdicts=perhaps'], 2, 'does not take the option "verdicts"'],
      [[rest, 'mail', '--option', 'verdicts'], 2, '"verdicts" is no option of a protocol'],
      [[rest, 'nowhere'], 2, 'There is no environment "nowhere"'],
      [[rest, 'mail', '--task', 'star-massage'], 2, '"star-message"'],
      [
        [
          moduleWith(
            'torn.ts',
            `export const protocol = { name: 't', about: '', serve() { throw new Error('torn') } };`,
          ),
          'mail',
        ],
        1,
        'The protocol "t" threw: torn',
      ],
    ];
    const ran = await Promise.all(cases.map(([args]) => espalier('serve', ...args)));
    for (const [index, [, code, message]] of cases.entries()) {
      expect(ran[index]?.stderr).toContain(message);
      expect(ran[index]?.code).toBe(code);
    }
  }, 60_000);

  it('[EPI-9] is listed and explained', async () => {
    const [listed, help] = await Promise.all([espalier('list', 'protocols'), espalier('serve', '--help')]);
    for (const name of ['mcp', 'openenv', 'policy', 'proxy'])
      expect(listed.stdout).toMatch(new RegExp(`^${name} `, 'm'));
    expect(listed.stdout).toContain('exports `protocol`, with name, about, serve');
    expect(help.stdout).toContain('a module that exports `protocol` goes first');
  });
});
