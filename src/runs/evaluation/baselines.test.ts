import { describe, expect, it } from 'vitest';
import { isPlannable } from './baselines.ts';

describe('baselines of an evaluation', () => {
  it('[RUN-8] have a planner only where it can read the state', () => {
    expect(isPlannable(['mail', 'shop'])).toBe(true);
    for (const name of ['terminal:files', 'repository:shop', 'harbor:tasks']) {
      expect(isPlannable([name])).toBe(false);
      expect(isPlannable(['mail', name])).toBe(false);
    }
  });
});
