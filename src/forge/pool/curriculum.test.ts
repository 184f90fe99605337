import { describe, expect, it } from 'vitest';
import { createCurriculum } from './curriculum.ts';

/** The student's pass rates, fixed for the test. */
const rates: Readonly<Record<string, number | null>> = { easy: 1, shaky: 0.6, weak: 0.25, hopeless: 0, broken: null };

function run(tries: number) {
  const curriculum = createCurriculum(Object.keys(rates), [0.05, 0.95]);
  const order = Array.from({ length: tries }, () => {
    const chosen = curriculum.next();
    curriculum.note(chosen.template, rates[chosen.template] ?? null);
    return `${chosen.template} ${chosen.seed}`;
  });
  return { order, skills: curriculum.skills() };
}

describe('curriculum', () => {
  it('[FORGE-16] tries everything once, then mostly what is between never and always, the weakest first', () => {
    const { order } = run(33);
    expect(
      order
        .slice(0, 5)
        .map(each => each.split(' ')[0])
        .toSorted(),
    ).toEqual(Object.keys(rates).toSorted());
    expect(order.slice(5, 11)).toEqual(['weak 2', 'shaky 2', 'weak 3', 'shaky 3', 'weak 4', 'shaky 4']);
    const count = (name: string): number => order.filter(each => each.startsWith(name)).length;
    expect(count('weak')).toBeGreaterThanOrEqual(3.5 * count('easy'));
    expect(count('shaky')).toBeGreaterThanOrEqual(3.5 * count('hopeless'));
    // Students change: what was out of reach is tried again.
    expect(count('hopeless')).toBeGreaterThan(1);
  });

  it('[FORGE-16] ranks skills: the frontier from its weakest on, then never, always and unknown', () => {
    expect(run(5).skills.map(({ template }) => template)).toEqual(['weak', 'shaky', 'hopeless', 'easy', 'broken']);
  });
});
