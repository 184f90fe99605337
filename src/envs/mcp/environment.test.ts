import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { tasks } from '../../../test/fixtures/mcp/note-tasks.ts';
import { createSystemTimers } from '../../system/clock.ts';
import type { Action } from '../../core/action.ts';
import type { Environment, Session } from '../../core/contracts.ts';
import { readScreen } from '../../core/episode/screen-text.ts';
import type { JsonObject } from '../../core/json.ts';
import type { StepOutcome } from '../../core/records.ts';
import { createTrail } from '../../worlds/trail.ts';
import { createMcpEnvironment, type McpEnvironmentOptions } from './environment.ts';
import { openRecording, readRecording } from './recording.ts';
import type { ToolTasks } from './tasks.ts';

const root = join(import.meta.dirname, '../../..');
const server = {
  command: join(root, 'node_modules/.bin/node'),
  args: [join(root, 'test/fixtures/mcp/notes-server.ts')],
};
const timers = createSystemTimers();
const actor = { role: 'student', name: 'hand' } as const;

let folder: string;
/** With a server; its calls are in `shared.jsonl`. */
let shared: Environment;
let closing: (() => unknown)[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-tools-'));
  shared = await createMcpEnvironment({ server, recording: join(folder, 'shared.jsonl'), tasks: { tasks }, timers });
});
afterEach(async () => {
  for (const close of closing.toReversed()) await close();
  closing = [];
});
afterAll(async () => {
  await shared.close?.();
  rmSync(folder, { recursive: true });
});

async function createEnvironment(file: string, more: Partial<McpEnvironmentOptions> = {}): Promise<Environment> {
  const environment = await createMcpEnvironment({
    server,
    recording: join(folder, file),
    tasks: { tasks },
    timers,
    ...more,
  });
  closing.push(() => environment.close?.());
  return environment;
}

async function openSession(environment: Environment, template = 'add-milk'): Promise<Session> {
  const session = await environment.open(await environment.task(template, 1));
  closing.push(() => session.close());
  return session;
}

const call = (tool: string, input: JsonObject = {}): Action => ({ kind: 'call', tool, input });
const take = async (session: Session, ...actions: Action[]): Promise<StepOutcome[]> => {
  const outcomes: StepOutcome[] = [];
  for (const action of actions) outcomes.push(await session.step(action));
  return outcomes;
};
const linesOf = (file: string): JsonObject[] =>
  readFileSync(join(folder, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as JsonObject);

describe('somebody’s server as an environment', () => {
  it('[MCP-8] offers the tools of the server, and a server of its own to every session', async () => {
    const environment = shared;
    expect(environment).toMatchObject({ id: 'mcp-notes', title: 'Somebody’s notes' });
    expect(environment.tools.map(({ name }) => name).slice(0, 3)).toEqual(['add_note', 'list_notes', 'draw']);
    expect(environment.tools[0]?.input).toMatchObject({ properties: { text: { type: 'string' } } });
    const [one, two] = [await openSession(environment), await openSession(environment)];
    expect(await one.digest()).toBe(await two.digest());
    expect(await take(one, call('add_note', { text: 'milk' }))).toEqual([{ applied: true, result: 'Note 2 added.' }]);
    expect((await one.verify()).checks).toEqual([
      { id: 'verifier', name: 'add-milk: the notes are bread, milk', pass: true },
    ]);
    expect(await two.verify()).toMatchObject({ pass: false, progress: 0, clean: true });
    expect(await one.digest()).not.toBe(await two.digest());
  });

  it('[MCP-8] shows the last answer, which is never taken for a screen', async () => {
    const session = await openSession(shared);
    expect((await session.observe()).text).toBe('page "Somebody’s notes"\n  No tool was called yet.\n');
    await take(session, call('draw'));
    const { text } = await session.observe();
    expect(text).toContain(
      'Answer to draw {}:\n  | (image image/png, 12 characters of base64)\n  | (link to notes://1)',
    );
    expect(text).toContain('\n  | [e1] button "Delete"\n');
    expect(readScreen(text).filter(({ ref }) => ref !== null)).toEqual([]);
    const [clicked, finished, after] = await take(
      session,
      { kind: 'click', ref: 'e1' },
      { kind: 'finish' },
      call('draw'),
    );
    expect(clicked).toMatchObject({ applied: false, problem: { code: 'invalid-action' } });
    expect(finished).toEqual({ applied: true, end: 'terminated' });
    expect(after).toMatchObject({ applied: false, problem: { code: 'ended' } });
    expect(await session.ended?.()).toBe('terminated');
  });

  it('[MCP-9] records every call in its order, and answers the same calls without the server', async () => {
    const walk = [
      call('add_note', { text: 'milk' }),
      call('dice'),
      call('list_notes'),
      call('fail'),
      call('add_note', { words: 'milk' }),
      call('learn'),
      call('recall'),
      { kind: 'finish' } as const,
    ];
    const observed = async (environment: Environment): Promise<unknown> => {
      const session = await openSession(environment);
      const seen: unknown[] = [await session.digest()];
      for (const action of walk) seen.push(await session.step(action), await session.digest(), await session.observe());
      return [...seen, await session.verify(), environment.tools];
    };
    const live = await observed(shared);
    const last = linesOf('shared.jsonl').at(-1)?.['session'];
    const calls = linesOf('shared.jsonl').filter(({ session }) => session === last);
    expect(calls.map(({ session, index, by, tool }) => [session, index, by, tool])).toEqual([
      [last, 0, 'setup', 'add_note'],
      ...walk
        .slice(0, -1)
        .map((action, index) => [last, index + 1, 'agent', action.kind === 'call' ? action.tool : '']),
      [last, walk.length, 'verifier', 'list_notes'],
    ]);
    expect(await observed(await createEnvironment('shared.jsonl', { server: null }))).toEqual(live);
  });

  it('[MCP-9] refuses a call that was not recorded there, and says which were', async () => {
    await take(await openSession(shared), call('add_note', { text: 'eggs' }), call('list_notes'));
    const environment = await createEnvironment('shared.jsonl', { server: null });
    const session = await openSession(environment);
    const before = await session.digest();
    const [refused] = await take(session, call('add_note', { text: 'salt' }));
    expect(refused).toMatchObject({ applied: false, problem: { code: 'not-recorded' } });
    expect(refused?.problem?.message).toContain('add_note {"text":"eggs"}');
    expect(refused?.problem?.message).not.toContain('bread');
    expect(await session.digest()).toBe(before);
    const outcomes = await take(session, call('add_note', { text: 'eggs' }), call('list_notes'));
    expect(outcomes).toMatchObject([{ applied: true }, { applied: true, result: { notes: ['bread', 'eggs'] } }]);
    await expect(session.verify()).rejects.toMatchObject({ boundary: 'environment', code: 'unavailable' });
    const other = await openSession(environment, 'count-notes');
    expect((await take(other, call('list_notes')))[0]?.problem?.message).toContain('No call was.');
  });

  it('[MCP-10] rolls back by walking again, which diverges when the server says something else', async () => {
    const trail = await createTrail(shared, await shared.task('add-milk', 1));
    closing.push(() => trail.session().close());
    const added = await trail.step(call('add_note', { text: 'rice' }), actor);
    await trail.step(call('list_notes'), actor);
    const back = { method: 'replay', digest: added.after, divergence: 'its sessions keep no snapshots' };
    expect(await trail.rollback(added.id)).toEqual(back);
    const cast = await trail.step(call('dice'), actor);
    await expect(trail.rollback(cast.id)).rejects.toMatchObject({ name: 'DivergenceError', step: 2 });
    const without = await createEnvironment('shared.jsonl', { server: null });
    const again = await createTrail(without, await without.task('add-milk', 7));
    await again.step(call('add_note', { text: 'rice' }), actor);
    const same = await again.step(call('dice'), actor);
    expect(same.after).toBe(cast.after);
    expect(await again.rollback(same.id)).toMatchObject({ method: 'replay', digest: cast.after });
    expect(await again.rollback(0)).toMatchObject({ method: 'replay' });
  });
});

describe('a server that goes wrong', () => {
  const kindsOf = (file: string): unknown[] =>
    linesOf(file).flatMap(({ answer }) => (answer === undefined ? [] : [(answer as JsonObject)['kind']]));

  it('[MCP-11] is typed and recorded, and the session goes on', async () => {
    const session = await openSession(shared);
    const before = await session.digest();
    expect(await take(session, call('nothing'), call('bounce', { code: -32602 }))).toMatchObject([
      { applied: false, problem: { code: 'unknown-command', message: expect.stringContaining('"nothing"') } },
      { applied: false, problem: { code: 'invalid-action', message: 'not today' } },
    ]);
    expect(await session.digest()).toBe(before);
    const broken = [call('fail'), call('misshape'), call('bounce', { code: -32603 })];
    const walk = [call('add_note', { text: '' }), ...broken, call('add_note', { text: 'milk' })];
    expect(await take(session, ...walk)).toMatchObject([
      { applied: true, problem: { code: 'tool-error', message: expect.stringContaining('Invalid arguments') } },
      { applied: true, problem: { code: 'tool-error', message: 'the ink is dry' } },
      { applied: true, problem: { code: 'garbled' } },
      { applied: true, problem: { code: 'failed', message: 'not today' } },
      { applied: true, result: 'Note 2 added.' },
    ]);
    const kinds = ['rejected', 'result', 'result', 'garbled', 'failed', 'result'];
    expect(kindsOf('shared.jsonl').slice(-kinds.length)).toEqual(kinds);
  });

  it('[MCP-11] is given up when it does not answer in time, or babbles', async () => {
    const session = await openSession(
      await createEnvironment('late.jsonl', { deadlines: { call: 200 } }),
      'count-notes',
    );
    const problem = { code: 'deadline', message: 'No answer in 200 ms.' };
    expect(await take(session, call('hang'), call('babble'))).toEqual([
      { applied: true, problem },
      { applied: true, problem },
    ]);
    expect(kindsOf('late.jsonl')).toEqual(['late', 'late']);
  });

  it('[MCP-11] ends the episode when it dies, with the server and without', async () => {
    const lost = {
      boundary: 'environment',
      code: 'unavailable',
      message: expect.stringContaining('was lost during crash {}: Connection closed. It said: out of paper'),
    };
    const session = await openSession(shared);
    await expect(session.step(call('crash'))).rejects.toMatchObject(lost);
    const gone = { boundary: 'environment', code: 'unavailable' };
    await expect(session.step(call('list_notes'))).rejects.toMatchObject(gone);
    await expect(session.verify()).rejects.toMatchObject(gone);
    const recorded = await openSession(await createEnvironment('shared.jsonl', { server: null }));
    await expect(recorded.step(call('crash'))).rejects.toMatchObject(lost);
  });

  it.each(['new', 'old'])('[MCP-11] tells of tools that came, of a server of the %s kind', async kind => {
    const old = { server: { ...server, args: [...server.args, 'old'] } };
    const environment = kind === 'new' ? shared : await createEnvironment('old.jsonl', old);
    const session = await openSession(environment, 'count-notes');
    expect((await take(session, call('learn')))[0]).toEqual({ applied: true, result: 'Learned.' });
    expect((await session.observe()).text).toContain('\n  New tool recall: {"description":"Recall."');
    expect((await take(session, call('recall')))[0]).toEqual({ applied: true, result: '0 notes' });
    expect((await session.observe()).text).toContain('\n  New tool recall:');
  });

  it('[MCP-11] is refused when it cannot be started or reached, or says nothing', async () => {
    const at = (place: McpEnvironmentOptions['server'], connect = 30_000): Promise<unknown> =>
      createEnvironment('none.jsonl', { server: place, deadlines: { connect } }).catch((cause: unknown) => cause);
    const unavailable = { boundary: 'environment', code: 'unavailable' };
    expect(await at({ command: join(folder, 'nothing'), args: [] })).toMatchObject(unavailable);
    const dies = { command: server.command, args: ['-e', 'console.error("no luck"); process.exit(1)'] };
    expect(await at(dies)).toMatchObject({ ...unavailable, message: expect.stringContaining('no luck') });
    expect(await at({ url: 'http://127.0.0.1:9/mcp' })).toMatchObject(unavailable);
    const silent = { command: server.command, args: ['-e', 'process.stdin.resume()'] };
    expect(await at(silent, 200)).toMatchObject({ boundary: 'environment', code: 'deadline' });
  });
});

describe('the module of tasks', () => {
  const task = { id: 'one', instruction: 'Do it.', verify: () => true };

  it('[MCP-12] is refused with the member that is wrong', async () => {
    const cases: [unknown, string][] = [
      [{}, 'tasks'],
      [{ tasks: [] }, 'at least one task'],
      [{ tasks: [{ ...task, id: 'One' }] }, 'tasks.0.id'],
      [{ tasks: [{ ...task, verify: 1 }] }, 'tasks.0.verify: expected a function'],
      [{ tasks: [task, task] }, 'two tasks are called "one"'],
    ];
    for (const [module, words] of cases) {
      const refusal = createEnvironment('module.jsonl', { tasks: module });
      await expect(refusal).rejects.toMatchObject({ code: 'invalid-module', message: expect.stringContaining(words) });
    }
  });

  it('[MCP-12] is told from a server that fails: its setup, its verifier, its answers', async () => {
    const judged = async (members: Partial<ToolTasks['tasks'][number]>): Promise<unknown> => {
      const own = { tasks: [{ ...task, ...members }] };
      const environment = await createEnvironment('shared.jsonl', { server: null, tasks: own });
      return openSession(environment, 'one')
        .then(async session => {
          await session.step({ kind: 'finish', infeasible: true });
          return session.verify();
        })
        .catch((cause: unknown) => cause);
    };
    expect(await judged({})).toMatchObject({ pass: false, checks: [{ name: 'one: given up as infeasible' }] });
    expect(await judged({ verify: () => 'yes' as never })).toMatchObject({
      boundary: 'verifier',
      code: 'check-failed',
    });
    expect(await judged({ verify: () => Promise.reject(new Error('torn')) })).toMatchObject({ boundary: 'verifier' });
    const broken = { boundary: 'environment', code: 'template-failed' };
    expect(await judged({ setup: () => Promise.reject(new Error('torn')) })).toMatchObject(broken);
    const unknown = await judged({ setup: ({ call: ask }) => ask('nothing') });
    expect(unknown).toMatchObject({ boundary: 'environment', code: 'unavailable' });
  });

  it('[MCP-12] refuses tasks of others', async () => {
    const environment = shared;
    await expect((async () => environment.task('nothing', 1))()).rejects.toMatchObject({ code: 'unknown-template' });
    const altered = { ...(await environment.task('add-milk', 1)), instruction: 'Do nothing.' };
    await expect(environment.open(altered)).rejects.toMatchObject({ code: 'invalid-task' });
  });
});

describe('a file of calls', () => {
  const notes = { name: 'Notes', title: 'Notes', tools: [] };
  const answer = { kind: 'result', content: [] } as const;
  const made = { task: 't', by: 'agent', at: 'start', tool: 'add', input: {}, answer } as const;

  it('[MCP-13] goes on after a crash, numbers sessions anew, and keeps one server', () => {
    const path = join(folder, 'file.jsonl');
    const first = openRecording(path, notes);
    first.write({ session: first.nextSession(), index: 0, ...made });
    first.close();
    appendFileSync(path, '{"kind":"call","sess');
    expect(readRecording(path).find('start', { tool: 'add', input: {} })).toMatchObject({ answer });
    const second = openRecording(path, notes);
    second.write({ session: second.nextSession(), index: 0, ...made, answer: { ...answer, isError: true } });
    second.close();
    expect(linesOf('file.jsonl').map(({ kind, session }) => [kind, session])).toEqual([
      ['server', undefined],
      ['call', 1],
      ['call', 2],
    ]);
    // The first answer is the one that is given again.
    expect(readRecording(path).find('start', { tool: 'add', input: {} })?.answer).toEqual(answer);
    expect(readRecording(path).find('start', { tool: 'add', input: { text: '' } })).toBeNull();
    const tools = [{ name: 'add', description: 'Add.', input: {} }];
    openRecording(path, { ...notes, tools }).close();
    expect(readRecording(path).server).toMatchObject({ tools });
    expect(() => openRecording(path, { ...notes, name: 'Files' })).toThrow('holds calls of the server "Notes"');
    expect(() => openRecording(join(path, 'below'), notes)).toThrow('cannot be written');
  });

  it('[MCP-13] is refused when it is not there, damaged, or of another version', async () => {
    const refusal = (text: string | null): Promise<unknown> => {
      if (text !== null) writeFileSync(join(folder, 'bad.jsonl'), text);
      const file = text === null ? 'missing.jsonl' : 'bad.jsonl';
      return createEnvironment(file, { server: null }).catch((cause: unknown) => cause);
    };
    expect(await refusal(null)).toMatchObject({ boundary: 'input', code: 'unavailable' });
    const corrupt = { boundary: 'input', code: 'corrupt-record' };
    expect(await refusal('')).toMatchObject(corrupt);
    expect(await refusal('{}\n')).toMatchObject({ ...corrupt, message: expect.stringContaining('line 1') });
    expect(await refusal('{"kind":"server","version":2}\n')).toMatchObject({
      ...corrupt,
      message: expect.stringContaining('version 1'),
    });
  });
});
