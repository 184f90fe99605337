import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { episodesIn, library } from '../../../test/fixtures/program.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import { exportRun } from '../../library/export.ts';
import { createOutput, type ExitCode } from '../terminal/output.ts';
import { inspect } from '../runs/inspect.ts';
import { play, type PlayRequest } from './play.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-play-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function played(
  typed: readonly string[],
  { environment = library, ...request }: Partial<PlayRequest>,
): Promise<{ code: ExitCode; text: string }> {
  let text = '';
  const stream = { write: (piece: string) => (text += piece) };
  const output = createOutput({ results: stream, progress: stream, colours: false });
  async function* lines(): AsyncGenerator<string> {
    yield* typed;
  }
  const openInput = () => ({ lines: lines(), prompt: () => {}, close: () => {} });
  const code = await play(output, openInput, { environment, ...request });
  return { code, text };
}

const run = (name: string): string => join(folder, name);
const lendNorthernGarden = ['e1 Northern Garden', '2', 'e2 Wrong Person', 'undo', 'e2 Yuki Sato', 'e3', 'finish'];

describe('play --out', () => {
  it('[RUN-38] keeps what a person did: the steps, what was undone, and the verdict', async () => {
    const { code, text } = await played(lendNorthernGarden, { template: 'lend-to-reader', out: run('mine') });
    expect(code).toBe(0);
    expect(text).toContain('Kept as collect/1/library/lend-to-reader/1/0: passed.');
    const [stored] = episodesIn(run('mine'));
    const { tree, rollbacks, end } = foldEpisode(stored as NonNullable<typeof stored>);
    expect(stored?.head).toMatchObject({ student: 'player', teacher: null, strategy: 'play', phase: 'collect' });
    expect(end).toMatchObject({ outcome: 'passed', counts: { steps: 5, taken: 6 } });
    expect(rollbacks).toMatchObject([{ method: 'restore', to: 2 }]);
    expect(new Set(tree.record().nodes.map(({ actor }) => actor.role))).toEqual(new Set(['human']));
  });

  it('[RUN-38] can be inspected and exported, and takes more tasks', async () => {
    const tasks = ['library/lend-to-reader/1', 'library/reserve-for-reader/4'];
    const { code, text } = await played([...lendNorthernGarden, 'plan', 'finish'], { tasks, out: run('mine') });
    expect(code).toBe(1);
    expect(text).toContain('planner: ');
    expect(episodesIn(run('mine')).map(({ head, end }) => [head.key, end.outcome])).toEqual([
      ['collect/1/library/lend-to-reader/1/0', 'passed'],
      ['collect/1/library/lend-to-reader/1/1', 'passed'],
      ['collect/1/library/reserve-for-reader/4/0', 'failed'],
    ]);
    let told = '';
    const stream = { write: (piece: string) => (told += piece) };
    const output = createOutput({ results: stream, progress: stream, colours: false });
    expect(await inspect(output, { run: run('mine'), episode: 'lend-to-reader/1/0' })).toBe(0);
    expect(told).toContain('✗ fill textbox');
    const { manifest } = await exportRun({ folder: run('mine'), formats: ['jsonl'] });
    expect(manifest.counts['next-actions']).toMatchObject({ actor: { human: expect.any(Number) as number } });
    const [row] = readFileSync(join(run('mine'), 'export', 'next-actions.jsonl'), 'utf8').split('\n');
    expect(JSON.parse(row as string)).toMatchObject({ actor_role: 'human', actor_name: 'player', pass: true });
  });

  it('[RUN-38] keeps a task that was left as discarded, and ends one whose steps are used up', async () => {
    const left = await played(['e1 Northern Garden', 'quit'], { template: 'lend-to-reader', out: run('left') });
    expect(left.code).toBe(0);
    const idle = Array.from({ length: 40 }, (_, index) => `e1 ${index}`);
    const spent = await played(idle, { template: 'lend-to-reader', seed: 2, out: run('left') });
    expect(spent).toMatchObject({ code: 1, text: expect.stringContaining('step budget of the task is used up') });
    expect(episodesIn(run('left')).map(({ end }) => [end.outcome, end.reason])).toEqual([
      ['discarded', 'left unfinished'],
      ['failed', 'out of steps'],
    ]);
  });

  it('[RUN-38] [RUN-6] refuses tasks that are kept for evaluation, and runs of collect', async () => {
    const evaluated = { template: 'lend-to-reader', seed: 1_000_001, out: run('never') };
    await expect(played(['finish'], evaluated)).rejects.toThrow('is kept for evaluation');
    const { collect } = await import('../../library/collect.ts');
    const options = { folder: run('collected'), environments: [library], templates: ['lend-to-reader'], instances: 1 };
    await collect({ ...options, student: 'random', strategy: 'linear' });
    await expect(played(['finish'], { out: run('collected') })).rejects.toThrow('holds a run of espalier collect');
  });
});

describe('a tool that takes one text', () => {
  it('[CLI-22] is called by its name, and lines of its output are shown as lines', async () => {
    const lines = ['run printf "%s\\n" one "t w o"', 'run pwd', 'undo 2', 'write notes.txt', 'quit'];
    const { text } = await played(lines, { environment: 'terminal:files' });
    expect(text).toContain('exitCode: 0\none\nt w o\n');
    expect(text).toContain('/home/user\n');
    expect(text).toContain('back at the start');
    expect(text).toContain('write takes more than one text. Expected: call write {"path":"…","text":"…"}.');
  });
});

describe('an answer of several lines', () => {
  const proof = [
    '1. u premise',
    '2. (u | w) -> t premise',
    '3. u | w or-left 1',
    '4. t implies-elim 2 3',
    '5. t & u and-intro 4 1',
  ];
  const task = { environment: 'problem:natural-deduction', template: 'natural-deduction-easy', seed: 1 };

  it('[CLI-15] is typed as a fenced block, which ends it', async () => {
    const { code, text } = await played(['finish ```', ...proof, '```'], task);
    expect(text).toContain('✓ the answer is right');
    expect(code).toBe(0);
    // What stands in the block is no move.
    const other = await played(['finish ```', 'quit', '', 'undo', '```'], task);
    expect(other.text).toContain('✗ the answer is right');
    expect(other.code).toBe(1);
  });

  it('[CLI-15] is left unfinished when the lines end in the block; a block on one line is whole', async () => {
    const open = await played(['finish ```', ...proof], task);
    expect(open).toMatchObject({ code: 1, text: expect.stringContaining('left unfinished') });
    const short = await played(['finish ```17```'], task);
    expect(short.text).toContain('1. finish ```17```');
  });
});
