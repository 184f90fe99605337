import { describe, expect, it } from 'vitest';
import { createIncidentLog, type Incident } from './incident-log.ts';

const many = (count: number): Incident[] =>
  Array.from({ length: count }, (_, index) => ({ kind: 'error', detail: `no ${index}` }));
const dropped = (count: number): Incident => ({ kind: 'dropped', detail: `${count} more incidents were dropped` });

describe('incidents of a page', () => {
  it('[WEB-36] are bounded between two looks, in all, and in length; what was dropped is counted', () => {
    const log = createIncidentLog({ perTake: 3, inAll: 5, length: 8 });
    const add = (incidents: readonly Incident[]): void => incidents.forEach(log.add);
    add(many(5));
    expect(log.take()).toEqual([...many(3), dropped(2)]);
    expect(log.take()).toEqual([]);
    add(many(3));
    expect(log.take()).toEqual([...many(2), dropped(1)]);
    add(many(7));
    expect(log.take()).toEqual([dropped(7)]);
    const long = createIncidentLog({ perTake: 3, inAll: 5, length: 8 });
    long.add({ kind: 'blocked', detail: 'x'.repeat(1_000_000) });
    expect(long.take()).toEqual([{ kind: 'blocked', detail: 'xxxxxxxx…' }]);
  });

  it('[WEB-36] the usual bounds let no step have more than fifty and no page more than a thousand', () => {
    const log = createIncidentLog();
    let kept = 0;
    for (let step = 0; step < 40; step++) {
      many(500).forEach(log.add);
      const taken = log.take();
      expect(taken.length).toBeLessThanOrEqual(51);
      kept += taken.filter(({ kind }) => kind !== 'dropped').length;
    }
    expect(kept).toBe(1000);
  });
});
