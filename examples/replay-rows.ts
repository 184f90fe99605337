/**
 * Replays exported rows of WebArena-Infinity in a browser of its own, and asks the benchmark's verifiers. Nothing of Espalier
 * is imported: the rows and the benchmark's folder are enough.
 *
 *   node examples/replay-rows.ts <apps> <rows.jsonl…> [--sample 100] [--seed 1] [--browser <path>]
 */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { chromium, type Locator, type Page, type Request } from 'playwright-core';

interface Row {
  readonly run: string;
  readonly episode: string;
  readonly environment: string;
  readonly template: string;
  readonly applied: boolean;
  readonly messages: readonly { readonly role: string }[];
  /** As JSON: `{"kind":"fill","ref":"e4","text":"Ada"}`. The reference means something on the row's screen alone. */
  readonly action: string;
  /** A CSS path of the action's element. */
  readonly locator: string | null;
  /** What the page was given, as JSON. */
  readonly conditions: string | null;
}

interface Conditions {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly language: string;
  readonly time_zone: string;
  readonly clock: string;
  readonly load_milliseconds: number;
  readonly step_milliseconds: number;
  readonly random: { readonly generator: string; readonly seed: number };
}

type Verdict = readonly [passed: boolean, message: string];

/** Why a path did not pass: the verifier said no, an action could not be taken, or its rows lack something. */
type Failure = 'verifier' | 'action' | 'rows';

class MissingError extends Error {}

const browsers = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];
const longest = 10_000;

const { values, positionals } = parseArgs({
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' }, browser: { type: 'string' } },
  allowPositionals: true,
});
const [apps = '', ...files] = positionals;
const paths = files.flatMap(readPaths);
if (paths.length === 0) throw new Error('Expected a folder of apps, and files with rows: next-actions.jsonl.');
const executablePath = values.browser ?? browsers.find(path => existsSync(path));
if (executablePath === undefined) throw new Error('There is no Chromium. Expected --browser <path>.');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const ends = new Map<string, (Failure | null)[]>();
for (const rows of sampled(paths, Number(values.sample ?? paths.length), values.seed)) {
  const { environment } = rows[0] as Row;
  ends.set(environment, [...(ends.get(environment) ?? []), await failureOf(rows)]);
}
await browser.close();
const all = [...ends.values()].flat();
print('app', 'replayed', 'passed', 'verifier', 'action', 'rows');
for (const [app, own] of [...ends, ['all', all] as const]) {
  const count = (which: Failure | null): number => own.filter(found => found === which).length;
  print(app, own.length, count(null), count('verifier'), count('action'), count('rows'));
}
process.exitCode = all.every(failure => failure === null) ? 0 : 1;

function print(app: string, ...counts: readonly (string | number)[]): void {
  console.log([app.padEnd(30), ...counts.map(count => String(count).padStart(8))].join('  '));
}

/** The rows of each episode, in order. */
function readPaths(file: string): Row[][] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const rows = lines.filter(line => line !== '').map(line => JSON.parse(line) as Row);
  return [...Map.groupBy(rows, ({ run, episode }) => `${run} ${episode}`).values()];
}

/** So many paths, of each app in turn; which of an app is drawn by the seed. */
function sampled(given: readonly Row[][], most: number, seed: string): readonly Row[][] {
  const draw = ([row]: Row[]): string =>
    createHash('sha256').update(`${seed} ${row?.run} ${row?.episode}`).digest('hex');
  const drawn = given.map(rows => [draw(rows), rows] as const).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const byApp = Map.groupBy(drawn, ([, rows]) => rows[0]?.environment);
  const turns = [...byApp.values()].flatMap(list => list.map(([, rows], turn) => ({ rows, turn })));
  return turns
    .toSorted((one, other) => one.turn - other.turn)
    .map(({ rows }) => rows)
    .slice(0, most);
}

async function failureOf(rows: readonly Row[]): Promise<Failure | null> {
  const tell = (failure: Failure | null, why: string): Failure | null => {
    console.log(`${rows[0]?.environment}/${rows[0]?.template}: ${failure ?? 'passed'}: ${why}`);
    return failure;
  };
  try {
    const [passed, message] = await replay(rows);
    return tell(passed ? null : 'verifier', message);
  } catch (cause) {
    return tell(cause instanceof MissingError ? 'rows' : 'action', (cause as Error).message);
  }
}

/** Takes the actions of these rows in a fresh app, and asks the verifier. */
async function replay(rows: readonly Row[]): Promise<Verdict> {
  const { environment, template, conditions: text } = rows[0] as Row;
  // Each row has the whole way to it: one that is missing shows.
  const said = ({ messages }: Row): number => messages.filter(({ role }) => role === 'assistant').length;
  if (rows.some((row, index) => said(row) !== index + 1)) throw new MissingError('one of this path is missing');
  if (text === null) throw new MissingError('they do not say what the page was given');
  const conditions = JSON.parse(text) as Conditions;
  const folder = join(apps, environment);
  const port = await freePort();
  const server = spawn('python3', ['server.py', '--port', String(port)], { cwd: folder, stdio: 'ignore' });
  const url = `http://localhost:${port}`;
  try {
    const page = await openPage(conditions);
    const settled = watchWrites(page);
    await answering(url);
    await page.goto(url);
    await page.clock.runFor(conditions.load_milliseconds);
    for (const row of rows.filter(({ applied }) => applied)) {
      await act(page, row);
      await page.clock.runFor(conditions.step_milliseconds);
      await settled();
    }
    return await verify(join(folder, verifierOf(folder, template)), url);
  } finally {
    server.kill();
    for (const context of browser.contexts()) await context.close();
  }
}

/** A page with the window, region, clock and chance of the rows. Its time passes only when it is told to. */
async function openPage({ viewport, language, time_zone, clock, random }: Conditions): Promise<Page> {
  if (random.generator !== 'mulberry32') throw new MissingError(`there is no generator ${random.generator} here`);
  const context = await browser.newContext({ viewport, locale: language, timezoneId: time_zone });
  const page = await context.newPage();
  page.setDefaultTimeout(longest);
  // It runs until it is paused, and cannot be paused in the past.
  await page.clock.install({ time: new Date(clock).getTime() - 60_000 });
  await page.clock.pauseAt(clock);
  await page.addInitScript((seed: number) => {
    let state = seed;
    Math.random = () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
  }, random.seed);
  return page;
}

async function act(page: Page, { action, locator }: Row): Promise<void> {
  const { kind, text = '', option = '' } = JSON.parse(action) as Readonly<Record<string, string>>;
  if (kind === 'finish') return;
  if (locator === null) throw new MissingError(`they do not say where to ${kind}`);
  const element = page.locator(locator);
  if (kind === 'click') await click(element);
  else if (kind === 'select') await element.selectOption({ label: option });
  else if (kind === 'fill') {
    await element.fill(text);
    await element.dispatchEvent('change');
  } else throw new MissingError(`there is no way to ${kind} here`);
  await page.mouse.move(-1, -1);
}

/** A check box that a style has shrunk to nothing, or over which another element is drawn, is clicked on its label. */
async function click(element: Locator): Promise<void> {
  const label = element.locator('xpath=ancestor::label');
  if ((await label.count()) === 0) return element.click();
  if (!(await element.isVisible())) return label.click();
  await element.click({ timeout: 2000 }).catch(() => label.click());
}

/** Gives back how to wait until the server has answered all that the page wrote. */
function watchWrites(page: Page): () => Promise<void> {
  const writes = new Set<Request>();
  page.on('request', request => void (request.method() === 'GET' || writes.add(request)));
  page.on('requestfinished', request => void writes.delete(request));
  page.on('requestfailed', request => void writes.delete(request));
  return async () => {
    // What the page has sent by now is heard of before it answers.
    await page.evaluate('0');
    while (writes.size > 0) await sleep(5);
  };
}

/** `function-task-18` is task_18 of function-tasks.json. */
function verifierOf(folder: string, template: string): string {
  const [group = ''] = template.split('-');
  const tasks = JSON.parse(readFileSync(join(folder, `${group}-tasks.json`), 'utf8')) as {
    id: string;
    verify: string;
  }[];
  const found = tasks.find(({ id }) => template === `${group}-${id}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'));
  if (found === undefined) throw new MissingError(`${folder} has no task ${template}`);
  return found.verify;
}

async function verify(file: string, url: string): Promise<Verdict> {
  const program =
    'import json, runpy, sys; print("\\n" + json.dumps(runpy.run_path(sys.argv[1])["verify"](sys.argv[2])))';
  const { stdout } = await promisify(execFile)('python3', ['-c', program, file, url]);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Verdict;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => void server.close(resolve));
  return port;
}

async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if ((await fetch(url).catch(() => null))?.ok === true) return;
    await sleep(20);
  }
  throw new Error('the server of the app does not start');
}
