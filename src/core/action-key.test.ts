import { expect, it } from 'vitest';
import { actionKey, type Action } from './action.ts';

const call = (input: { readonly [name: string]: string | object }): Action =>
  ({ kind: 'call', tool: 'lend_book', input }) as Action;

it('[EXP-18] actions with the members of their input in another order are the same', () => {
  const one = call({ id: 'b6', to: { name: 'Yuki', card: '7' } });
  expect(actionKey(call({ to: { card: '7', name: 'Yuki' }, id: 'b6' }))).toBe(actionKey(one));
  expect(actionKey(call({ id: 'b7', to: { name: 'Yuki', card: '7' } }))).not.toBe(actionKey(one));
  expect(actionKey({ kind: 'click', ref: 'e1' })).not.toBe(actionKey({ kind: 'click', ref: 'e2' }));
});
