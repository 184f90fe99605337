import { describe, expect, it } from 'vitest';
import { chartFile } from './chart-file.ts';

const estimate = { rate: 0.5, low: 0.4, high: 0.6, passed: 5, n: 10, errored: 0, uncertified: 0 };

function fileOf(series: number): string {
  const points = [0, 1].map(x => ({ x, estimate, at: `round ${x}` }));
  const all = Array.from({ length: series }, (_, index) => ({ label: `line ${index}`, index, points }));
  return chartFile({ title: 'Success', axis: 'Steps', ticks: [0, 1], rules: [], series: all } as unknown as Parameters<
    typeof chartFile
  >[0]);
}

describe('a chart as a file', () => {
  it('[RL-7] draws bands of a few lines alone, and ties every moved name to its line', () => {
    expect(fileOf(2)).toContain('.band{opacity:.08}');
    expect(fileOf(8)).toContain('.band{display:none}');
    expect(fileOf(8)).toMatch(/\.tie,[^}]*stroke:#888/);
    expect(fileOf(8)).toContain('viewBox="-10 0 510 ');
  });
});
