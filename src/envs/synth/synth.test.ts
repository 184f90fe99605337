import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../core/clock.ts';
import type { UiNode } from '../../core/ui.ts';
import { checkLaws } from '../../worlds/laws.ts';
import { createWorld } from '../../worlds/world.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { createSynthApp } from './app/synth-app.ts';
import { synthSpec } from './generate/synth-spec.ts';
import { findProblems } from './spec/check-spec.ts';
import { specSchema } from './spec/schema.ts';
import { isLong } from '../../../test/long-form.ts';

const seeds = Array.from({ length: 40 }, (_, index) => index + 1);

function worldOf(seed: number, checked = false) {
  return createWorld(createSynthApp(synthSpec(seed)), { checked });
}

/** A screen without its words. */
function skeleton({ role, children = [] }: UiNode): string {
  return children.length === 0 ? role : `${role}(${children.map(skeleton).join(',')})`;
}

describe('made-up apps', () => {
  it('[SYN-1] come from their seed alone, and their specs are sound', () => {
    for (const seed of seeds) {
      const spec = synthSpec(seed);
      expect(synthSpec(seed)).toEqual(spec);
      expect(specSchema.parse(spec)).toEqual(spec);
      expect([seed, findProblems(spec)]).toEqual([seed, []]);
    }
  });

  it('[SYN-2] differ from seed to seed in what they are about, how they look and what they say', () => {
    const specs = Array.from({ length: 200 }, (_, index) => synthSpec(1000 + index));
    const distinct = (of: (spec: ReturnType<typeof synthSpec>) => unknown): number =>
      new Set(specs.map(spec => JSON.stringify(of(spec)))).size;
    expect(distinct(({ entities }) => entities.map(({ id }) => id))).toBeGreaterThan(60);
    expect(distinct(({ pages }) => pages.map(page => ({ ...page, entity: '', columns: [] })))).toBe(200);
    expect(distinct(({ words }) => words)).toBe(200);
    const screens = specs.slice(0, 40).map(spec => {
      const world = createWorld(createSynthApp({ ...spec, start: spec.pages[0]?.entity ?? '' }));
      return skeleton(world.open(world.task(world.templates[0]?.id ?? '', 1)).screen());
    });
    expect(new Set(screens).size).toBe(40);
  });

  it('[SYN-3] obey the laws of environments (long form: four apps)', async () => {
    for (const seed of seeds.slice(0, isLong ? 4 : 2)) {
      const world = worldOf(seed, true);
      const tasks = world.templates.map(({ id }) => world.task(id, 1));
      const broken = (await checkLaws(world, { tasks, steps: 8 })).filter(({ pass }) => !pass);
      expect([seed, broken]).toEqual([seed, []]);
    }
  });

  it('[SYN-4] have tasks that the planner solves through the screen (long form: three apps)', () => {
    const planner = createPlanner({ clock: createManualClock(), maxNodes: 1500 });
    const unsolved: string[] = [];
    let tried = 0;
    for (const seed of isLong ? [3, 17, 29] : [17]) {
      const world = worldOf(seed);
      expect(world.templates.length).toBeGreaterThan(8);
      for (const { id } of world.templates) {
        tried++;
        if (planner.plan(world.open(world.task(id, 2))).outcome !== 'solved') unsolved.push(`${seed} ${id}`);
      }
    }
    expect(unsolved.length, unsolved.join(', ')).toBeLessThanOrEqual(tried * 0.05);
  });
});
