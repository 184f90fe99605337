import { synthDomain } from '../../../src/envs/synth/generate/synth-spec.ts';
import { unseenApps } from './worlds-plan.ts';
import { describe, expect, it } from 'vitest';
import { isEvaluationSeed } from '../../../src/runs/settings/seeds.ts';
import { alternate, drawFromApps, drawTasks, someToEvaluate, tasksToEvaluate, tasksToTeach } from './taught-tasks.ts';

const sources = [
  { environment: 'forge-mail', templates: ['a', 'b', 'c'] },
  { environment: 'forge-shop', templates: ['d', 'e'] },
];
const seedOf = (id: string): number => Number(id.split('/')[2]);
const templatesOf = (ids: readonly string[]): Set<string> => new Set(ids.map(id => id.split('/', 2).join('/')));

describe('tasks of the curve over worlds', () => {
  it('[DEMO-9] come in an order of which every point takes the beginning', () => {
    const [few, many] = [3, 12].map(count => drawTasks(sources, { seed: 1, count }));
    expect(many?.slice(0, 3)).toEqual(few);
    expect(new Set(many).size).toBe(12);
    expect(templatesOf(many?.slice(0, 5) ?? [])).toEqual(templatesOf(many ?? []));
    expect(drawTasks(sources, { seed: 2, count: 12 })).not.toEqual(many);
  });

  it('[DEMO-9] are never those that students are evaluated on', () => {
    const taught = [
      ...tasksToTeach(sources, { seed: 1, instances: 3 }),
      ...drawTasks(sources, { seed: 1, count: 40 }),
      ...drawFromApps(sources, { seed: 1, perApp: 2 }),
    ];
    const evaluated = [
      ...tasksToEvaluate(sources, { seed: 1, instances: 2 }),
      ...someToEvaluate(sources, { seed: 1, instances: 2, most: 1 }),
    ];
    expect(taught.some(id => isEvaluationSeed(seedOf(id)))).toBe(false);
    expect(evaluated.every(id => isEvaluationSeed(seedOf(id)))).toBe(true);
    expect(evaluated).toHaveLength(5 * 2 + 2 * 2);
  });

  it('alternate between two lists until both end', () => {
    expect(alternate(['a', 'b', 'c'], ['x'])).toEqual(['a', 'x', 'b', 'c']);
  });
});

it('[DEMO-1] unseen apps are about things that no taught app is about', () => {
  const unseen = unseenApps(8, 27).map(name => synthDomain(Number(name.slice('synth:'.length))));
  const taught = new Set(Array.from({ length: 27 }, (_, index) => synthDomain(index + 1)));
  expect(new Set(unseen).size).toBe(8);
  expect(unseen.filter(domain => taught.has(domain))).toEqual([]);
});
