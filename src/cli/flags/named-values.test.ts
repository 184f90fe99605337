import { expect, it } from 'vitest';
import { readNamedValues, repeatedValue } from './named-values.ts';

it('reads JSON, numbers that are no JSON, and text', () => {
  const pairs = ['gamma=0.9', 'share=.5', 'scaled=false', 'levels=[1,2]', 'none=null', 'mode=best=last', 'empty='];
  expect(readNamedValues(pairs, 'an estimator')).toEqual({
    gamma: 0.9,
    share: 0.5,
    scaled: false,
    levels: [1, 2],
    none: null,
    mode: 'best=last',
    empty: '',
  });
});

it('adds a repeated flag to those before, and says what was expected', () => {
  const read = repeatedValue('an estimator');
  expect(read('scaled=true', read('gamma=0.9'))).toEqual({ gamma: 0.9, scaled: true });
  expect(() => read('gamma')).toThrow('"gamma" is no option of an estimator. Expected a name and a value');
});
