import { describe, expect, it } from 'vitest';
import type { Action } from '../../core/action.ts';
import type { View } from '../../core/episode/view.ts';
import { createRandom } from '../../core/random.ts';
import { align, filled, wordsOf } from './slots.ts';
import { createStepsStudent, type KnownStep } from './steps-student.ts';

const run = (command: string): Action => ({ kind: 'call', tool: 'run', input: { command } });

function known(name: string, mode: string, owner = 'ada'): KnownStep[] {
  const instruction = `Give the file notes/${name}.txt the mode ${mode}, and write ${owner} to owner.`;
  const commands = [`chmod ${mode} notes/${name}.txt`, `printf '\\n${owner}' > owner`];
  return [...commands.map(run), { kind: 'finish', answer: name } as const].map((action, at) => ({
    situation: { instruction, history: commands.slice(0, at), screen: '' },
    action,
  }));
}

function viewOf(instruction: string, count: number, screen = ''): View {
  const history = Array.from({ length: count }, (_, at) => `step ${at}`);
  return { instruction, history, observation: { text: screen }, path: [], tools: [], random: createRandom(1) };
}

const asked = 'Give the file notes/basil.txt the mode 640, and write cleo to owner.';

describe('steps of other tasks', () => {
  it('[STEPS-1] are taken with the texts of this task in the place of theirs', async () => {
    const policy = createStepsStudent([...known('amber', '600'), ...known('dune', '755', 'ben')]);
    expect((await policy.act(viewOf(asked, 0))).action).toEqual(run('chmod 640 notes/basil.txt'));
    expect((await policy.act(viewOf(asked, 1))).action).toEqual(run(String.raw`printf '\ncleo' > owner`));
    expect((await policy.act(viewOf(asked, 2))).action).toEqual({ kind: 'finish', answer: 'basil' });
  });

  it('[STEPS-1] take names from the screen that the task does not say', async () => {
    const screen = (name: string): string => `Working folder ~\n${name}.csv, 600 bytes`;
    const step: KnownStep = {
      situation: { instruction: 'Remove the table. Its mode is 600.', history: [], screen: screen('fern') },
      action: run('rm fern.csv; chmod 600 fern'),
    };
    const view = { ...viewOf('Remove the table. Its mode is 644.', 0, screen('iris')) };
    expect((await createStepsStudent([step]).act(view)).action).toEqual(run('rm iris.csv; chmod 644 iris'));
  });

  it('[STEPS-2] count for more the more other tasks they are right in', async () => {
    // The first one says what is true of its own task alone.
    const odd = known('amber', '600').map(step => ({ ...step, action: run('touch amber-600') }));
    const others = ['dune', 'fern', 'iris', 'kelp'].flatMap(name => known(name, '644'));
    const decision = await createStepsStudent([...odd, ...others]).act(
      viewOf(asked.replace('640', '600').replace('cleo', 'ada'), 0),
    );
    expect(decision.action).toEqual(run('chmod 600 notes/basil.txt'));
    expect(decision.alternatives?.map(({ action }) => action)).toEqual([run('touch amber-600')]);
  });

  it('[STEPS-2] are drawn by what speaks for them, with a temperature', async () => {
    const odd = known('amber', '600').map(step => ({ ...step, action: run('touch amber') }));
    const policy = createStepsStudent([...odd, ...known('dune', '644')], 1);
    const random = createRandom(7);
    const taken = new Set<string>();
    for (let time = 0; time < 40; time++)
      taken.add(JSON.stringify((await policy.act({ ...viewOf(asked, 0), random })).action));
    expect(taken.size).toBe(2);
  });

  it('[STEPS-3] of tasks that are not alike are not taken: it finishes', async () => {
    const policy = createStepsStudent(known('amber', '600'));
    expect(await policy.act(viewOf('Who wrote the second chapter of this book?', 0))).toMatchObject({
      action: { kind: 'finish' },
      confidence: 0,
    });
  });

  it('[STEPS-1] lay texts beside each other word by word', () => {
    const { pairs, similarity } = align(wordsOf('Copy a/b.txt to c.'), wordsOf('Copy d/e.txt to c.'));
    expect(Object.fromEntries(pairs)).toEqual({ 'a/b.txt': 'd/e.txt', 'b.txt': 'e.txt', a: 'd' });
    expect(similarity).toBeCloseTo(4 / 5);
    // All at once: what was put in is not replaced again.
    expect(
      filled(
        'one two',
        new Map([
          ['one', 'two'],
          ['two', 'one'],
        ]),
      ),
    ).toBe('two one');
    expect(filled('oneself one-off', new Map([['one', 'x']]))).toBe('oneself one-off');
  });
});
