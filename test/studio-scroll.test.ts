import { describe, expect, it } from 'vitest';
import { rowTop, scrollScale } from '../src/studio/page/parts/scroll-scale.ts';

const [rows, rowHeight, viewport] = [1_000_000, 46, 600];

describe('a table that is too high for a page', () => {
  it('[STUDIO-3] reaches the last of a million rows at the end of the scroll bar', () => {
    const scale = scrollScale(rows * rowHeight, viewport);
    const offset = (scale.height - viewport) * scale.factor;
    const last = rowTop((rows - 1) * rowHeight, offset, scale);
    expect(scale.height).toBeLessThan(16_000_000);
    expect(last + rowHeight).toBeCloseTo(scale.height, 3);
    expect(rowTop(0, 0, scale)).toBe(0);
  });

  it('[STUDIO-3] scrolls a table that fits pixel by pixel', () => {
    const scale = scrollScale(100_000 * rowHeight, viewport);
    expect(scale).toEqual({ height: 4_600_000, factor: 1 });
    expect(rowTop(4600, 4500, scale)).toBe(4600);
  });
});
