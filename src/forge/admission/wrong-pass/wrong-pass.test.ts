import { describe, expect, it } from 'vitest';
import { bad, goodTemplate, withTemplates } from '../../../../test/fixtures/bad-templates.ts';
import type { Action } from '../../../core/action.ts';
import { createWorld } from '../../../worlds/world.ts';
import { createCallSampler } from './call-sampler.ts';
import { differences } from './difference.ts';
import { findWrongPasses } from './search.ts';

const world = createWorld(withTemplates([bad['LAD-10'], goodTemplate]));

function search(template: string, calls: (id: string, reader: string) => Action[]) {
  const task = world.task(template, 3);
  const { id, reader } = task.parameters as { id: string; reader: string };
  const actions: Action[] = [...calls(id, reader), { kind: 'finish' }];
  const sampler = createCallSampler(world.tools);
  return { id, found: findWrongPasses({ environment: world, task, actions, sampler, tries: 150 }) };
}

describe('the search for wrong runs that pass', () => {
  it('[LAD-10] finds them, shortens them, and finds the same ones again', () => {
    const takeBack = (id: string): Action[] => [{ kind: 'call', tool: 'return_book', input: { id } }];
    const { id, found } = search('loose-return', takeBack);
    expect(found.map(({ pattern }) => pattern)).toEqual(['/books/*/loan']);
    expect(found[0]?.actions).toEqual([
      { kind: 'call', tool: 'return_book', input: { id } },
      { kind: 'call', tool: 'lend_book', input: { id, reader: expect.any(String) } },
    ]);
    expect(search('loose-return', takeBack).found).toEqual(found);
  });

  it('[LAD-10] finds none where everything is checked', () => {
    const lend = (id: string, reader: string): Action[] => [{ kind: 'call', tool: 'lend_book', input: { id, reader } }];
    expect(search('lend-it', lend).found).toEqual([]);
  });
});

describe('differences from the planned end', () => {
  const initial = { orders: [{ id: 'o1', way: 'slow' }], cart: [{ id: 'c1' }], size: 1, ui: { open: '' } };
  const order = (id: string, way: string) => ({ ...initial, orders: [...initial.orders, { id, way, parent: id }] });
  const patterns = (gold: object, final: object, allow: string[] = []): string[] => {
    const expected = { initial, gold: gold as typeof initial, allow, incidental: [] };
    return differences(expected, final as typeof initial).map(({ pattern }) => pattern);
  };

  it('[LAD-10] are values, records and members, whatever the ids of new records are', () => {
    const gold = order('o2', 'slow');
    expect(patterns(gold, gold)).toEqual([]);
    expect(patterns(gold, order('o7', 'slow'))).toEqual([]);
    expect(patterns(gold, { ...gold, ui: { open: 'o2' } })).toEqual([]);
    expect(patterns(gold, order('o2', 'fast'))).toEqual(['/orders/+/way']);
    expect(patterns(gold, { ...gold, size: 2 })).toEqual(['/size']);
    expect(patterns(gold, { ...gold, cart: [] })).toEqual(['/cart/*']);
    expect(patterns(gold, initial)).toEqual(['/orders/+']);
    expect(patterns({ ...gold, size: 2 }, gold)).toEqual(['/size']);
  });

  it('[LAD-11] leave out what the task leaves open', () => {
    const [gold, other] = [order('o2', 'slow'), order('o2', 'fast')];
    expect(patterns(gold, other, ['/orders/+'])).toEqual(['/orders/+/way']);
    expect(patterns(gold, other, ['/orders/+', '/orders/+/way'])).toEqual([]);
  });
});
