import { create, isDraft } from 'mutative';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../core/errors.ts';
import { added, find, need, nextId, paginate, plain, remove } from './table.ts';

const table = [
  { id: 'r1', n: 1 },
  { id: 'r2', n: 2 },
  { id: 'r9', n: 9 },
];

describe('tables', () => {
  it('[ENV-8] find, remove and number records of a draft that has been changed already', () => {
    const next = create({ table }, draft => {
      remove(draft.table, 'r2');
      draft.table.unshift({ id: nextId(draft.table, 'r'), n: 10 });
      expect(draft.table.map(({ id }) => id)).toEqual(['r10', 'r1', 'r9']);
      const found = need(draft.table, 'r10', 'record');
      found.n = 11;
      expect(find(draft.table, 'r2')).toBeUndefined();
      need(draft.table, 'r9', 'record').n = 0;
      expect(plain(draft.table).some(record => isDraft(record))).toBe(false);
      expect(plain(draft.table).map(({ n }) => n)).toEqual([11, 1, 0]);
    });
    expect(next.table).toEqual([
      { id: 'r10', n: 11 },
      { id: 'r1', n: 1 },
      { id: 'r9', n: 0 },
    ]);
    expect(next.table[1]).toBe(table[0]);
    expect(table[2]?.n).toBe(9);
  });

  it('[APP-3] refuse what is not there, in words', () => {
    expect(() => need(table, 'r7', 'record')).toThrow(Refusal);
    expect(() => need(table, 'r7', 'record')).toThrow('There is no record "r7".');
  });

  it('[VER-3] tell what was added, wherever it was put', () => {
    const one = { id: 'r3', n: 3 };
    expect(added(table, [one, ...table])).toEqual([one]);
    expect(added(table, [...table, one])).toEqual([one]);
    expect(added(table, [...table.slice(1), one, { id: 'r1', n: 5 }])).toEqual([one]);
    expect(added(table, table)).toEqual([]);
  });

  it('[ENV-7] keep a page number inside its list', () => {
    expect(paginate([1, 2, 3], 2, 2)).toEqual({ items: [3], page: 2, pages: 2, total: 3 });
    expect(paginate([1, 2, 3], 99, 2).page).toBe(2);
    expect(paginate([1, 2, 3], -4, 2).page).toBe(1);
    expect(paginate([], 1, 2)).toEqual({ items: [], page: 1, pages: 1, total: 0 });
  });
});
