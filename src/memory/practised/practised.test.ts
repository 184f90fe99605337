import { describe, expect, it } from 'vitest';
import { toldEpisode, type ToldStep } from '../../../test/fixtures/told-episode.ts';
import { poisonGate } from '../gate.ts';
import type { NewItem } from '../item.ts';
import { createMemory, type Memory } from '../memory.ts';
import { winsAndLosses, type Practice, type Practised } from '../practice.ts';
import { mistakeNotebook } from './mistake-notebook.ts';
import { acceptance, chebyshev, mocha } from './mocha.ts';
import { bestOf, databasesOf, selfGenIce } from './self-gen-ice.ts';
import { editBudget, skillOpt } from './skill-opt.ts';

const note = (title: string, text = title): NewItem => ({
  kind: 'note',
  title,
  text,
  prefer: [],
  avoid: [],
  provenance: { writer: 'test', environment: 'mail', tasks: ['t'] },
});
const skill = (name: string): NewItem => ({
  kind: 'skill',
  title: name,
  text: name,
  pattern: name,
  steps: [{ heading: 'Inbox', line: name }],
  provenance: { writer: 'skill-opt', environment: 'mail', tasks: ['t'] },
});
const results = (...passes: readonly number[]): Practised[] =>
  passes.map((pass, at) => ({ task: `t${at}`, passed: pass === 1, steps: 10 }));
const titles = ({ items }: Memory): string[] => items.map(({ content }) => content.title);

/** A student that passes one of ten tasks more for each good item, and one less for each bad one. */
const counting: Practice = async ({ items }) => {
  const good = items.filter(({ content }) => content.title.startsWith('good')).length;
  const bad = items.filter(({ content }) => content.title.startsWith('bad')).length;
  return results(...Array.from({ length: 10 }, (_, at) => Number(at < 3 + good - bad)));
};
const practise = (method: typeof skillOpt, candidates: readonly NewItem[], practice = counting): Promise<Memory> => {
  if (method.practise === undefined) throw new Error('It does not practise.');
  return method.practise({ before: createMemory(), candidates, gate: poisonGate, practice });
};

describe('mistake-notebook', () => {
  it('[MEM-6] has one note for failures of two tasks with the same checks and last control, and what passes did after it', () => {
    const open: ToldStep = ['Inbox', 'click link "Lunch"'];
    const finish: ToldStep = ['Lunch', 'finish'];
    const failed = (task: string) =>
      toldEpisode({ task, passed: false, steps: [open, finish], unmet: ['"Lunch" has a star'] });
    const passed = toldEpisode({ task: 'c', passed: true, steps: [open, ['Lunch', 'click button "Star"'], finish] });
    expect(mistakeNotebook.write([failed('a'), passed])).toEqual([]);
    const [mistake] = mistakeNotebook.write([failed('a'), failed('b'), passed]);
    expect(mistake).toMatchObject({ prefer: ['click button "Star"'], provenance: { tasks: ['a', 'b'] } });
    expect(mistake?.text).toContain('2 attempts ended without: "{{0}}" has a star.');
  });

  it('[MEM-6] keeps a batch only if wins exceed losses; ties and losses leave the memory as it was', async () => {
    expect(winsAndLosses(results(1, 0, 0, 1), results(0, 1, 1, 1))).toEqual({ wins: 2, losses: 1 });
    // Of the first ten one helps and one harms: a tie, and all go.
    const names = ['bad 0', 'good 0'];
    const ten = Array.from({ length: 10 }, (_, at) => note(names[at] ?? `plain ${at}`));
    expect(titles(await practise(mistakeNotebook, [...ten, note('good')]))).toEqual(['good']);
    const before = createMemory();
    const refused = await mistakeNotebook.practise?.({ before, candidates: ten, gate: poisonGate, practice: counting });
    expect(refused?.save()).toBe(before.save());
  });
});

describe('self-gen-ice', () => {
  it('[MEM-21] keeps the database with which most tasks pass, the first of equal ones', async () => {
    expect(bestOf([0.4, 0.6, 0.6])).toBe(1);
    const candidates = Array.from({ length: 9 }, (_, at) => note(at < 3 ? `bad ${at}` : `plain ${at}`));
    const kept = await practise(selfGenIce, candidates);
    const fewest = Math.min(
      ...databasesOf(candidates, 3).map(part => part.filter(({ title }) => title.startsWith('bad')).length),
    );
    expect(titles(kept).filter(title => title.startsWith('bad'))).toHaveLength(fewest);
    expect(fewest).toBeLessThan(3);
  });
});

describe('skill-opt', () => {
  it('[MEM-22] has four, three, two and two edits in four rounds', () => {
    expect([0, 1, 2, 3].map(round => editBudget(round, 4))).toEqual([4, 3, 2, 2]);
  });

  it('[MEM-22] accepts what passes strictly more, keeps what it refused with its cost, and does not try it again', async () => {
    let trials = 0;
    const scores: number[] = [];
    const watched: Practice = async memory => {
      trials++;
      const found = await counting(memory);
      scores.push(found.filter(({ passed }) => passed).length);
      return found;
    };
    const candidates = ['good 1', 'good 2', 'bad 1', 'plain 1', 'plain 2', 'plain 3', 'good 3'].map(skill);
    const memory = await practise(skillOpt, candidates, watched);
    // 3; +2 −1 = 4, accepted; then two that change nothing and one that helps: 5; then nothing is left.
    expect(scores).toEqual([3, 4, 5]);
    expect(trials).toBe(3);
    expect(titles(memory)).toContain('good 3');
    const worse = await practise(skillOpt, [skill('bad 1'), skill('plain 1')]);
    expect(worse.items).toEqual([]);
    expect(worse.refused.map(({ reason }) => reason)).toEqual(['-0.100 on practice tasks', '-0.100 on practice tasks']);
  });

  it('[MEM-22] tries first what most tasks speak for, and takes out what rarely helped', async () => {
    const many = { ...skill('good 9'), provenance: { writer: 'skill-opt', environment: 'mail', tasks: ['t', 'u'] } };
    const tried: string[][] = [];
    const watched: Practice = memory => {
      tried.push(titles(memory));
      return counting(memory);
    };
    const plain = ['plain 1', 'plain 2', 'plain 3', 'plain 4', 'plain 5'].map(skill);
    await practise(skillOpt, [...plain, many as NewItem], watched);
    expect(tried[1]).toEqual(['good 9', 'plain 1', 'plain 2', 'plain 3']);
    const bad = createMemory().write([skill('bad 1')], poisonGate);
    const use = { used: new Set(bad.items.map(({ id }) => id)), broken: new Set<string>(), passed: false };
    const before = bad.count([{ episode: 'e', ...use }]);
    const kept = await skillOpt.practise?.({ before, candidates: [], gate: poisonGate, practice: counting });
    expect(kept?.items).toEqual([]);
  });

  it('[MEM-22] puts a better program for the same tasks in the place of the old one', async () => {
    const old = skill('plain');
    const better = { ...skill('plain'), title: 'good', steps: [{ heading: 'Inbox', line: 'other' }] } as NewItem;
    const before = createMemory().write([old], poisonGate);
    const found = await skillOpt.practise?.({ before, candidates: [better], gate: poisonGate, practice: counting });
    expect(found === undefined ? [] : titles(found)).toEqual(['good']);
  });
});

describe('mocha', () => {
  it('[MEM-23] Chebyshev picks the point between two ends that a weighted sum never picks', () => {
    const points = [
      [1, 0],
      [0, 1],
      [0.45, 0.45],
    ];
    const sums = points.map(([a = 0, b = 0]) => 0.5 * a + 0.5 * b);
    expect(Math.max(...sums)).toBe(0.5);
    expect(sums[2]).toBe(0.45);
    const distances = points.map(point => chebyshev(point, [0.5, 0.5], [1, 1]));
    // max(.5 · 1, 0) + .01 · .5 = .505, and .5 · .55 + .01 · .55 = .2805.
    expect(distances.map(distance => Number(distance.toFixed(4)))).toEqual([0.505, 0.505, 0.2805]);
  });

  it('[MEM-23] accepts what is worse by .05 with e^−.5 at first, and hardly after ten rounds', () => {
    expect(acceptance(0.05, 0)).toBeCloseTo(0.6065, 4);
    expect(acceptance(0.05, 10)).toBeCloseTo(0.0095, 4);
    expect(acceptance(-0.1, 9)).toBe(1);
  });

  it('[MEM-23] keeps what nothing dominates, and finds the items that help', async () => {
    const found = await practise(mocha, [skill('good 1'), skill('good 2'), skill('bad 1')]);
    expect(titles(found)).not.toContain('bad 1');
    expect(titles(found).length).toBeGreaterThan(0);
    // As many pass without it, and the memory is shorter: what it would keep is dominated.
    expect(titles(await practise(mocha, [skill('plain 1')]))).toEqual([]);
  });
});
