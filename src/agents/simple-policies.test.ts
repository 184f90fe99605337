import { describe, expect, it } from 'vitest';
import { app } from '../../examples/library/library.ts';
import { planFor, run, runOne } from '../../test/fixtures/episode-setup.ts';
import { openBuiltIn } from '../catalog.ts';
import { readMove } from '../cli/play/play-input.ts';
import type { Action } from '../core/action.ts';
import type { Segment } from '../core/episode/agents.ts';
import type { EpisodeRecord } from '../core/episode/record.ts';
import type { View } from '../core/episode/view.ts';
import { createRandom } from '../core/random.ts';
import { createWorld } from '../worlds/world.ts';
import { createLinear } from '../episode/strategies/linear.ts';
import { createSpeculativeRollback } from '../episode/strategies/speculative-rollback.ts';
import { createFixedEnding, frequentEnding } from './fixed-ending.ts';
import { createHumanPolicy, createHumanTeacher, type HumanOptions } from './human.ts';
import { createRandomPolicy } from './random.ts';
import { createReplay } from './replay.ts';
import { createScripted } from './scripted.ts';

const world = createWorld(app);
const task = world.task('lend-to-reader', 3);
const plan = planFor(world.open(task));
const strategy = createLinear();

function viewOf(text: string, seed = 'view', instruction = 'Lend "The Glass Engine" to Yuki Sato.'): View {
  return { instruction, observation: { text }, history: [], path: [], tools: [], random: createRandom(seed) };
}

describe('random policy', () => {
  const screen = [
    'page "Desk"',
    '  [e1] textbox "Reader": Yuki Sato',
    '  [e2] combobox "Sort": Title {Title | Author | Year}',
    '  [e3] button "Lend"',
    '  button "Closed" (disabled)',
    '',
  ].join('\n');

  it('[POL-1] does what can be done on the screen, everything equally likely, and finishes at times', async () => {
    const policy = createRandomPolicy({ finish: 0.2 });
    const drawn = new Map<string, number>();
    const draws = 6000;
    for (let draw = 0; draw < draws; draw++) {
      const { action } = await policy.act(viewOf(screen, `draw ${draw}`));
      const text = JSON.stringify(action);
      drawn.set(text, (drawn.get(text) ?? 0) + 1);
    }
    const offered: Action[] = [
      { kind: 'fill', ref: 'e1', text: 'The Glass Engine' },
      { kind: 'fill', ref: 'e1', text: 'Lend' },
      { kind: 'select', ref: 'e2', option: 'Author' },
      { kind: 'select', ref: 'e2', option: 'Year' },
      { kind: 'click', ref: 'e3' },
    ];
    const share = (action: Action): number => (drawn.get(JSON.stringify(action)) ?? 0) / draws;
    expect([...drawn.keys()].toSorted()).toEqual(
      [...offered, { kind: 'finish' }].map(action => JSON.stringify(action)).toSorted(),
    );
    expect(share({ kind: 'finish' })).toBeCloseTo(0.2, 1);
    for (const action of offered) expect(share(action)).toBeCloseTo(0.16, 1);
  });

  it('[POL-1] finishes where there is nothing to do, and draws only from what it is given', async () => {
    const policy = createRandomPolicy();
    expect(await policy.act(viewOf('page "Empty"\n'))).toEqual({ action: { kind: 'finish' } });
    expect(await policy.act(viewOf(screen, 'a'))).toEqual(await policy.act(viewOf(screen, 'a')));
    expect(() => createRandomPolicy({ finish: 0 })).toThrow('The chance of finishing is 0.');
  });

  it('[POL-1] never offers what the world does not', async () => {
    const mail = await openBuiltIn('mail');
    const tasks = mail.templates.slice(0, 6).map(({ id }) => mail.task(id, 1));
    const { records } = await run({ tasks, parts: { environment: mail, student: createRandomPolicy(), strategy } });
    const problems = records.flatMap(({ tree }) => tree.record().nodes.filter(({ outcome }) => !outcome.applied));
    expect(problems).toEqual([]);
  });
});

describe('scripted policy', () => {
  it('[POL-2] says the line for its place on the path, and then nothing', async () => {
    const record = await runOne({
      task,
      parts: { environment: world, student: createScripted({ actions: plan }), strategy },
    });
    expect(record.end.outcome).toBe('passed');
    const short = createScripted({ actions: plan.slice(0, 2) });
    const cut = await runOne({ task, parts: { environment: world, student: short, strategy } });
    expect(cut.end).toMatchObject({ outcome: 'failed', reason: 'unusable output', counts: { steps: 2 } });
  });
});

describe('replay policy', () => {
  it('[POL-2] repeats blindly what passed on another instance of the template', async () => {
    const other = world.task('lend-to-reader', 4);
    const failing = createScripted({ actions: [{ kind: 'finish' }] });
    const solving = createScripted({ actions: planFor(world.open(other)) });
    const { records } = await run({
      tasks: [task, other, other, other],
      parts: ({ index }) => ({ environment: world, student: index === 2 ? solving : failing, strategy }),
    });
    const replay = createReplay({ task, recordings: records });
    const record = await runOne({ task, parts: { environment: world, student: replay, strategy } });
    const recorded = records[2]?.tree.record().nodes.map(({ action }) => action);
    expect(record.tree.record().nodes.map(({ action }) => action)).toEqual(recorded);
    expect(record.end.outcome).toBe('failed');
    const fromFailures = createReplay({ task, recordings: records.slice(0, 2) });
    expect(await fromFailures.act(viewOf(''))).toEqual({ action: { kind: 'finish' } });
    const own = records.slice(0, 1);
    expect(() => createReplay({ task, recordings: own })).toThrow('no recording of library/lend-to-reader');
  });
});

describe('fixed endings', () => {
  const endings: Action[] = [
    { kind: 'finish' },
    { kind: 'finish', infeasible: true },
    { kind: 'finish', infeasible: true },
  ];

  it('[POL-9] end every task at once, whatever the screen shows', async () => {
    const student = createFixedEnding('infeasible', { kind: 'finish', infeasible: true });
    const record = await runOne({ task, parts: { environment: world, student, strategy } });
    expect(record.tree.path(record.end.leaf).map(({ action }) => action)).toEqual([endings[1]]);
    expect(record.end).toMatchObject({ outcome: 'failed', counts: { steps: 1 } });
  });

  it('[POL-9] take the ending of most episodes that passed', async () => {
    const ended = (ending: Action, outcome: 'passed' | 'failed'): Promise<EpisodeRecord> =>
      runOne({ task, parts: { environment: world, student: createScripted({ actions: [ending] }), strategy } }).then(
        record => ({ ...record, end: { ...record.end, outcome } }),
      );
    const passed = await Promise.all(endings.map(ending => ended(ending, 'passed')));
    expect(frequentEnding(passed)).toEqual(endings[1]);
    expect(frequentEnding(passed.slice(0, 2))).toEqual(endings[0]);
    const failed = await Promise.all(endings.map(ending => ended(ending, 'failed')));
    expect(frequentEnding([...failed, passed[0] as EpisodeRecord])).toEqual(endings[0]);
    expect(frequentEnding([])).toEqual({ kind: 'finish' });
  });
});

/** Somebody who types these lines. */
function typing(...lines: string[]): { human: HumanOptions; said: string[]; asked: string[] } {
  const said: string[] = [];
  const asked: string[] = [];
  const human: HumanOptions = {
    async ask(question) {
      asked.push(question);
      const line = lines.shift();
      if (line === undefined) throw new Error('the input has ended');
      return line;
    },
    say: text => void said.push(text),
    readAction(line, roleOf) {
      const move = readMove(line, roleOf);
      if (move.kind === 'act') return { action: move.action };
      return { expected: move.kind === 'unclear' ? move.expected : 'Expected an action.' };
    },
  };
  return { human, said, asked };
}

describe('human', () => {
  const lines = plan.map(action => {
    if (action.kind === 'click') return action.ref;
    return action.kind === 'fill' ? `${action.ref} ${action.text}` : 'finish';
  });

  it('[POL-3] acts as a policy; what is not understood is explained and asked again', async () => {
    const { human, said } = typing('fly', ...lines);
    const parts = { environment: world, student: createHumanPolicy(human), strategy };
    const record = await runOne({ task, parts });
    expect(record.end.outcome).toBe('passed');
    expect(said[0]).toBe(`Task: ${task.instruction}`);
    expect(said.join('\n')).toContain('"fly" is not a move.');
  });

  it('[POL-3] reviews as a teacher and corrects in the restored state', async () => {
    const { human, said, asked } = typing('', '9 no', '2', '', 'wrong button', lines[1] ?? '', 'a', 'accept');
    const student = createScripted({
      actions: plan.map((action, index) => (index === 1 ? { kind: 'click', ref: 'e3' } : action)),
    });
    const record = await runOne({
      task,
      parts: {
        environment: world,
        student,
        teacher: createHumanTeacher(human),
        strategy: createSpeculativeRollback(),
      },
    });
    expect(record.end).toMatchObject({ outcome: 'passed', counts: { reviews: 2, corrections: 1 } });
    expect(record.corrections).toEqual([expect.objectContaining({ replaces: 2, reason: 'wrong button' })]);
    expect(record.reviews[0]?.by).toEqual({ role: 'teacher', name: 'human' });
    const told = said.join('\n');
    expect(told).toContain(`1. ${record.text(1)}`);
    expect(told).toContain('Expected accept, or a number and a reason');
    expect(told).toContain('There is no step 9. Expected 1 to 3.');
    expect(told).toContain('Back where it went wrong (wrong button).');
    expect(told).toContain('The verifier passes the finish.');
    expect(asked.filter(question => question === 'Why? ')).toHaveLength(2);
  });

  it('[POL-3] accepts nothing by an empty line, or by leaving', async () => {
    const { human } = typing('', '', 'yes');
    const teacher = createHumanTeacher(human);
    const segment = { steps: [{ text: 'click' }], context: [], after: { text: '' }, verdict: null };
    await expect(teacher.review(segment as unknown as Segment)).rejects.toThrow('the input has ended');
  });
});
