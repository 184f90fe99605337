import { describe, expect, it } from 'vitest';
import { createSynthApp } from '../../envs/synth/app/synth-app.ts';
import { synthSpec } from '../../envs/synth/generate/synth-spec.ts';
import { createWorld } from '../../worlds/world.ts';
import { forgeApp } from '../forge-app.ts';
import { shapeOf } from './strange-value.ts';

describe('values that look unlike the others', () => {
  it('[FORGE-34] have another shape', () => {
    expect(['Elif Mensah', 'Grey two', 'Costa and Reed', '+48 379 3366', 'D-519'].map(shapeOf)).toEqual([
      'X X',
      'X x',
      'X and X',
      '9 9 9',
      'X',
    ]);
  });

  it('[FORGE-34] are not asked for: no animal has a person, or the id of one, as its ear tag', () => {
    const world = createWorld(forgeApp(createSynthApp(synthSpec(61)), { kinds: ['commands'] }));
    const tags = Array.from({ length: 24 }, (_, seed) => {
      const { value } = world.task('set-animal-ear-tag.forged', seed + 1).parameters['input'] as { value: string };
      return value;
    });
    expect(tags.filter(tag => shapeOf(tag) !== 'X x')).toEqual([]);
  });
});
