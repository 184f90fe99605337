import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignedNames } from './assigned-names.ts';

const found = (source: string): readonly string[] => [...(assignedNames(source) ?? ['anything'])].toSorted();

describe('the names that a script assigns to', () => {
  it.each([
    ['a = 1; b += 2; c++; --d; e ??= 3; f **= 2; g >>>= 1', 'a b c d e f g'],
    ['const a = 1; let b = 2; var c = 3; use(a === b, a == c, a >= 1, b => 1, c !== a)', ''],
    ['let a = 1, b = 2', 'b'],
    ['object.a = 1; object?.b.c = 2; list[i] = 3; this.#d = 4; list[i][j]++', ''],
    ['[a, b] = [b, a]; ({ c, d: e, ...f } = object)', 'a b c d e f'],
    ['const [a, b] = list; let { c, d } = object; var [e] = list', ''],
    [
      'for (a of list); for (b in object); for (const c of list); for ([d, { e }] of list); for await (f of list)',
      'a b d e f',
    ],
    ['(count = 0) => () => ++count', 'count'],
    ['if (a = next()) return; while ((b = c) !== null) {}', 'a b'],
  ])('[SITE-19] are found: %s', (source, names) => {
    expect(found(source)).toEqual(names === '' ? [] : names.split(' '));
  });

  it.each(['eval("a = 1")', 'with (object) a', 'arguments[0] = 1'])('[SITE-19] can be any: %s', source => {
    expect(assignedNames(source)).toBeNull();
  });

  it('[SITE-19] are never too few, however they are written', () => {
    const name = fc.constantFrom('alpha', 'beta', '$gamma', '_delta', 'ünicode');
    const space = fc.constantFrom('', ' ', '\n', '  ');
    const forms: readonly ((name: string, space: string) => string)[] = [
      (n, s) => `${n}${s}=${s}1`,
      (n, s) => `;(${n}${s}+=${s}1)`,
      (n, s) => `x${s},${s}${n}++`,
      (n, s) => `--${s}${n}`,
      (n, s) => `[x,${s}${n}${s}]${s}=${s}list`,
      (n, s) => `({${s}y:${s}[${n}${s}]${s}}${s}=${s}object)`,
      (n, s) => `for${s}(${s}${n} of list) use(${n})`,
      (n, s) => `call(() => {${s}${n}${s}||=${s}{}${s}})`,
    ];
    fc.assert(
      fc.property(fc.array(fc.tuple(name, space, fc.nat(forms.length - 1)), { minLength: 1, maxLength: 6 }), parts => {
        const source = parts.map(([each, gap, form]) => forms[form]?.(each, gap)).join(';\n');
        const names = assignedNames(source);
        for (const [each] of parts) expect(names === null || names.has(each), source).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
