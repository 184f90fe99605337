import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createManualClock } from '../../core/clock.ts';
import type { StateEnvironment } from '../../core/contracts.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { checkLaws } from '../../worlds/laws.ts';
import { retrievalFamily } from './family.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-corpus-'));
afterAll(() => rmSync(folder, { recursive: true }));

const lines = [
  { title: 'Harbour', text: 'The harbour was built in 1911.\nIts keeper is Ada Moen.' },
  { title: 'Ada Moen', text: 'Ada Moen was born in Tromso.' },
  { title: 'Ferries', text: 'Two ferries leave each day.' },
  { question: 'Where was the keeper of the harbour born?', answer: 'Tromso', documents: ['Harbour', 'Ada Moen'] },
  { question: 'When was the harbour built?', answer: '1911', documents: ['Harbour'], split: 'test' },
];

async function open(content: readonly object[]): Promise<StateEnvironment> {
  const file = join(folder, 'town.jsonl');
  writeFileSync(file, content.map(line => `${JSON.stringify(line)}\n`).join(''));
  const opened = await retrievalFamily.open(`retrieval:${file}`, {} as never);
  return ('environment' in opened ? opened.environment : null) as StateEnvironment;
}

describe('a corpus of one’s own', () => {
  it('[HOPS-6] has its questions as tasks, which pass when the documents were read and the answer is right', async () => {
    const environment = await open(lines);
    expect(environment.templates.map(({ id, split, tasks }) => [id, split, tasks])).toEqual([
      ['questions-train', 'train', 1],
      ['questions-test', 'test', 1],
    ]);
    const task = environment.task('questions-train', 1);
    const plan = createPlanner({ clock: createManualClock() }).plan(environment.open(task));
    const actions = plan.outcome === 'solved' ? plan.actions : [];
    expect(actions.map(action => (action.kind === 'call' ? action.tool : action.kind))).toEqual([
      'search',
      'open',
      'search',
      'open',
      'finish',
    ]);
    const session = environment.open(task);
    for (const action of actions) session.step(action);
    expect(session.verify().pass).toBe(true);
    const guessed = environment.open(task);
    guessed.step({ kind: 'finish', answer: 'Tromso' });
    expect(
      guessed
        .verify()
        .checks.filter(({ pass }) => !pass)
        .map(({ id }) => id),
    ).toEqual(['read-1', 'read-2']);
    expect(guessed.fork().step({ kind: 'call', tool: 'open', input: { document: 'd1' } }).applied).toBe(false);
    for (const result of await checkLaws(environment, { tasks: [task] })) expect(result).toMatchObject({ pass: true });
  });

  it('[HOPS-6] is refused where a line is neither, or a question needs a document that is not there', async () => {
    await expect(open([...lines, { tittle: 'x' }])).rejects.toThrow('line 6 is neither a document nor a question');
    await expect(open([lines[0] as object, lines[3] as object])).rejects.toThrow(
      'needs "Ada Moen", which is no document',
    );
    await expect(open(lines.slice(0, 3))).rejects.toThrow('it has 3 documents and 0 questions');
  });
});
