import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { planFor } from '../../../test/fixtures/episode-setup.ts';
import { episodesIn, library } from '../../../test/fixtures/program.ts';
import {
  callItem,
  createGymClient,
  messageItem,
  responseOf,
  rowOf,
  type GymAnswer,
  type GymClient,
} from '../../../test/fixtures/serve/gym-client.ts';
import { startServer, stoppedAfterEach } from '../../../test/fixtures/serve/start-server.ts';
import { isLong } from '../../../test/long-form.ts';
import { toolCallOf } from '../../core/episode/action-tools.ts';
import { createRandom, type Random } from '../../core/random.ts';
import { createWorld } from '../../worlds/world.ts';
import { createLastAnswers } from './last-answers.ts';

const start = stoppedAfterEach();
const world = createWorld(app);
const plan = planFor(world.open(world.task('lend-to-reader', 3))).map(toolCallOf);
const row = rowOf('library', 'lend-to-reader/3');
const root = join(import.meta.dirname, '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'espalier-gym-retry-'));
const children = new Set<ChildProcess>();
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

type Items = readonly object[];

/** Each call changes the world or shows it: done twice, it would tell. */
const calls = (random: Random): object[] => {
  const [name, input] = random.pick<[string, object | string]>([
    ['observe', {}],
    ['list_books', { text: '' }],
    ['lend_book', { id: `b${random.between(1, 9)}`, reader: `reader ${random.between(1, 99)}` }],
    ['reserve_book', { id: `b${random.between(1, 9)}`, reader: `reader ${random.between(1, 99)}` }],
    ['return_book', { id: `b${random.between(1, 9)}` }],
    ['click', { ref: `e${random.between(1, 12)}` }],
    ['click', 'not json'],
    ['no_such_tool', {}],
  ]);
  return [callItem(`c${random.between(1, 1e6)}`, name, input)];
};

/** The responses of an agent, one for each step; the last one ends the rollout, by a call or with a message. */
function drawSteps(random: Random): Items[] {
  const steps = Array.from({ length: random.between(2, 4) }, () =>
    Array.from({ length: random.between(1, 3) }, () => calls(random)).flat(),
  );
  const finish = callItem('end', 'finish', {});
  const last = random.pick<Items>([
    [finish],
    [callItem('look', 'observe', {}), ...calls(random), finish, callItem('late', 'observe', {})],
    [messageItem('Done.')],
    plan.map(({ name, input }, index) => callItem(`p${index}`, name, input)),
  ]);
  return [...steps, last];
}

function bodyOf(step: Items, index: number): object {
  return { ...row, response: responseOf(...step), _ng_step_request_id: `step ${index}` };
}

interface Played {
  /** Those up to the one that ended the rollout. */
  readonly steps: readonly Items[];
  readonly texts: readonly string[];
  /** The states after each step that was taken, of the episode that was verified. */
  readonly states: readonly string[];
}

function statesIn(out: string): string[] {
  const verified = episodesIn(out).filter(({ end }) => end.verdict !== null);
  expect(verified).toHaveLength(1);
  return verified[0]!.events.flatMap(event => (event.kind === 'step' ? [event.node.after] : []));
}

/** What the steps are answered with when nothing breaks. */
async function playWhole(steps: readonly Items[], out: string): Promise<Played> {
  const server = await startServer({ out });
  const client = createGymClient(server.gymUrl);
  await client.post('reset', row);
  const texts: string[] = [];
  for (const [index, step] of steps.entries()) {
    const answer = await client.post('step', bodyOf(step, index));
    expect(answer.status).toBe(200);
    texts.push(answer.text);
    const { terminated, truncated } = answer.json();
    if (terminated || truncated) break;
  }
  await server.stop();
  return { steps: steps.slice(0, texts.length), texts, states: statesIn(out) };
}

/** What a server that was killed had saved of a request: events of the journal, and lines of the file of sessions. */
interface Saved {
  readonly events: number;
  readonly lines: number;
}

function savedIn(out: string): Saved {
  const database = new DatabaseSync(join(out, 'store.db'), { readOnly: true });
  const counted = database.prepare('SELECT max(seq) AS count FROM events').get();
  database.close();
  return { events: Number(counted?.['count']), lines: linesIn(out).length };
}

function linesIn(out: string): string[] {
  return readFileSync(join(out, 'sessions.jsonl'), 'utf8').split('\n').slice(0, -1);
}

/** All that may be saved of a request when the server is killed at it. The last one has a leaf and an end after its steps. */
function* leftovers(before: Saved, after: Saved): Generator<Saved> {
  const steps = after.lines === before.lines ? after.events : after.events - 2;
  for (let { events } = before; events <= after.events; events++) {
    // The answer is written after its steps and before the leaf; the end of the session after that of the episode.
    const least = events <= steps ? before.lines : before.lines + 1;
    const most = events < steps ? before.lines : events < after.events ? before.lines + 1 : after.lines;
    for (let lines = least; lines <= Math.min(most, after.lines); lines++) yield { events, lines };
  }
}

/** A copy of the folder of a server that was killed when only this was saved. */
function copyLeft(out: string, left: string, { events, lines }: Saved): void {
  cpSync(out, left, { recursive: true, filter: path => !/-(shm|lock)$/.test(path) });
  const database = new DatabaseSync(join(left, 'store.db'));
  database.exec(`DELETE FROM events WHERE seq > ${events}`);
  const ends = database.prepare("SELECT count(*) AS count FROM events WHERE kind = 'end'").get();
  if (ends?.['count'] === 0) database.exec('DELETE FROM episodes');
  database.close();
  const kept = linesIn(left).slice(0, lines);
  writeFileSync(join(left, 'sessions.jsonl'), kept.map(line => `${line}\n`).join(''));
}

/** Sends each step twice from here on, and gives the answers. */
async function goOn(client: GymClient, steps: readonly Items[], from: number): Promise<string[][]> {
  const texts: string[][] = [];
  for (let index = from; index < steps.length; index++) {
    const send = async () => (await client.post('step', bodyOf(steps[index]!, index))).text;
    texts.push([await send(), await send()]);
  }
  return texts;
}

describe('a step that is sent again', () => {
  it('[NG-13] is answered as the first time, whatever a killed server had saved of it, and nothing is done twice', async () => {
    const random = createRandom('what was saved');
    let tried = 0;
    for (let rollout = 0; rollout < (isLong ? 12 : 3); rollout++) {
      const place = join(folder, `saved-${rollout}`);
      const { steps, texts, states } = await playWhole(drawSteps(random), join(place, 'whole'));
      const out = join(place, 'run');
      const server = await start({ out });
      const client = createGymClient(server.gymUrl);
      await client.post('reset', row);
      for (const [index, step] of steps.entries()) {
        const before = savedIn(out);
        expect((await client.post('step', bodyOf(step, index))).text).toBe(texts[index]);
        for (const saved of leftovers(before, savedIn(out))) {
          const left = join(place, `left-${++tried}`, 'run');
          copyLeft(out, left, saved);
          const after = await startServer({ out: left });
          const answers = await goOn(createGymClient(after.gymUrl, {}, client.cookie()), steps, index);
          await after.stop();
          const expected = texts.slice(index).map(text => [text, text]);
          expect({ rollout, index, saved, answers }).toEqual({ rollout, index, saved, answers: expected });
          expect(statesIn(left)).toEqual(states);
        }
      }
    }
    expect(tried).toBeGreaterThan(20);
  }, 120_000);

  it('[NG-13] is answered as the first time by servers that die of SIGKILL wherever they write', async () => {
    const random = createRandom('kill the resources server');
    let kills = 0;
    for (let rollout = 0; rollout < (isLong ? 10 : 1); rollout++) {
      const place = join(folder, `killed-${rollout}`);
      const { steps, texts, states } = await playWhole(drawSteps(random), join(place, 'whole'));
      const out = join(place, 'run');
      const killed = createKilledServer(out, random);
      await killed.post('reset', row);
      for (const [index, step] of steps.entries()) {
        expect([rollout, index, await killed.post('step', bodyOf(step, index))]).toEqual([
          rollout,
          index,
          texts[index],
        ]);
        // The answer may be lost on its way, and the server killed before the client asks again.
        if (index < steps.length - 1 && random.chance(0.5)) continue;
        await killed.kill();
        expect([rollout, index, await killed.post('step', bodyOf(step, index))]).toEqual([
          rollout,
          index,
          texts[index],
        ]);
      }
      await killed.kill();
      kills += killed.kills();
      expect(statesIn(out)).toEqual(states);
    }
    expect(kills).toBeGreaterThan(3);
  }, 300_000);

  it('[NG-14] is refused when its id was that of another step', async () => {
    const { gymUrl } = await start();
    const client = createGymClient(gymUrl);
    await client.post('reset', row);
    const step = (id: string, text: string) =>
      client.post('step', { ...bodyOf([callItem('c', 'list_books', { text })], 0), _ng_step_request_id: id });
    const first = await step('one', '');
    const other = await step('one', 'other');
    expect([other.status, other.json().detail]).toEqual([409, expect.stringContaining('Send a new id')]);
    expect((await step('one', '')).text).toBe(first.text);
    expect((await step('two', 'other')).status).toBe(200);
  });

  it('[NG-14] is refused when it has other calls, whether they read or act, one more or one fewer', async () => {
    const { gymUrl } = await start();
    const look = callItem('l', 'observe', {});
    const list = callItem('a', 'list_books', { text: '' });
    const finish = callItem('f', 'finish', {});
    const pairs: readonly (readonly [Items, Items])[] = [
      [[look], [list]],
      [[list], [list, look]],
      [[list, look], [list]],
      [[list], []],
      [[look], [finish]],
      [[finish], [look]],
    ];
    for (const [first, second] of pairs) {
      const client = createGymClient(gymUrl);
      await client.post('reset', row);
      const send = (items: Items) => client.post('step', { ...bodyOf(items, 0), _ng_step_request_id: 'verify' });
      const answer = await send(first);
      expect(answer.status).toBe(200);
      expect((await send(second)).status, JSON.stringify([first, second])).toBe(409);
      expect((await send(first)).text).toBe(answer.text);
    }
  });
});

describe('answers in memory', () => {
  it('[NG-14] are bounded by their characters, the oldest go first', () => {
    const answers = createLastAnswers(100);
    const answer = { text: 'x'.repeat(30) };
    for (const session of ['one', 'two', 'three']) answers.keep(session, 'request', answer);
    expect(['one', 'two', 'three'].map(session => answers.of(session, 'request'))).toEqual([null, answer, answer]);
    answers.keep('two', 'next', { text: '' });
    answers.keep('four', 'request', answer);
    expect(answers.of('three', 'request')).toEqual(answer);
    expect(answers.of('two', 'request')).toBeNull();
  });
});

interface KilledServer {
  /** Sends a request until it is answered: while no server answers, another one is started. */
  post(path: string, body: object): Promise<string>;
  kill(): Promise<void>;
  kills(): number;
}

/** Servers over one folder, one after another: each dies somewhere, or is killed. */
function createKilledServer(out: string, random: Random): KilledServer {
  let running: DyingServer | null = null;
  let [cookie, kills] = ['', 0];
  const stop = async (child: ChildProcess): Promise<void> => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    expect(child.signalCode).toBe('SIGKILL');
    kills++;
    running = null;
  };
  const send = async (path: string, body: object): Promise<GymAnswer | null> => {
    running ??= await startDying(out, random.between(1, 24));
    if (running === null) return null;
    const client = createGymClient(running.url, {}, cookie);
    // A server that dies breaks the connection.
    const answer = await client.post(path, body).catch(() => null);
    if (answer === null) await stop(running.child);
    else cookie = client.cookie();
    return answer;
  };
  return {
    kills: () => kills,
    async kill() {
      if (running !== null) await stop(running.child);
    },
    async post(path, body) {
      for (let tries = 0; tries < 50; tries++) {
        const answer = await send(path, body);
        if (answer === null) continue;
        expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
        return answer.text;
      }
      throw new Error('No server answered.');
    },
  };
}

const dying = join(root, 'test', 'fixtures', 'serve', 'dying-server.ts');

interface DyingServer {
  readonly child: ChildProcess;
  readonly url: string;
}

/** Null when it dies before it listens. */
async function startDying(out: string, diesAt: number): Promise<DyingServer | null> {
  const args = ['serve', library, '--port', '0', '--nemo-gym', '0', '--out', out, '--json'];
  const child = spawn(process.execPath, ['--import', dying, join(root, 'bin', 'espalier.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ESPALIER_TEST_DIES_AT: String(diesAt) },
  });
  children.add(child);
  child.once('close', () => children.delete(child));
  const said = await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  const url = (JSON.parse(String(said[0])) as { nemoGym?: string } | null)?.nemoGym;
  return url === undefined ? null : { child, url };
}
