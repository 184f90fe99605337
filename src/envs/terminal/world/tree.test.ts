import { describe, expect, it } from 'vitest';
import { createDigest } from '../../../core/digest.ts';
import type { LayerEntry } from '../sandbox/sandbox.ts';
import { changedPaths, createMatcher, emptyTree, nodeAt, withLayer } from './tree.ts';

const none = (): boolean => false;

function entry(
  kind: LayerEntry['kind'],
  path: string,
  ...[content = '', mode = 0o644]: [string?, number?]
): LayerEntry {
  return { kind, path, mode, content: Buffer.from(content) };
}

const start = withLayer(
  emptyTree,
  [
    entry('folder', 'a', '', 0o755),
    entry('file', 'a/one', '1'),
    entry('folder', 'b', '', 0o755),
    entry('file', 'b/two', '2'),
  ],
  none,
);

describe('trees of files', () => {
  it('[TERM-2] share what did not change, and are the same object when nothing did', () => {
    const next = withLayer(start, [entry('folder', 'a', '', 0o755), entry('file', 'a/one', 'x')], none);
    expect(next.names['b']).toBe(start.names['b']);
    expect(next.names['a']).not.toBe(start.names['a']);
    expect(withLayer(start, [entry('folder', 'a', '', 0o755), entry('file', 'a/one', '1')], none)).toBe(start);
  });

  it('[TERM-2] have one digest for a state, whichever way led there', () => {
    const digest = createDigest();
    const added = withLayer(start, [entry('folder', 'a', '', 0o755), entry('file', 'a/new', 'n')], none);
    const back = withLayer(added, [entry('folder', 'a', '', 0o755), entry('removed', 'a/new')], none);
    expect(digest(added)).not.toBe(digest(start));
    expect(digest(back)).toBe(digest(start));
    const replaced = withLayer(start, [entry('new-folder', 'a', '', 0o755), entry('file', 'a/one', '1')], none);
    expect(digest(replaced)).toBe(digest(start));
    const mode = withLayer(start, [entry('folder', 'a', '', 0o755), entry('file', 'a/one', '1', 0o600)], none);
    expect(digest(mode)).not.toBe(digest(start));
  });

  it('[TERM-6] name what two of them differ in', () => {
    const next = withLayer(
      start,
      [
        entry('folder', 'a', '', 0o700),
        entry('link', 'a/link', 'one'),
        entry('removed', 'b'),
        entry('gone', 'etc'),
        entry('file', '__proto__', 'x'),
      ],
      none,
    );
    expect(changedPaths(start, next).toSorted()).toEqual(['__proto__', 'a', 'a/link', 'b', 'etc']);
    expect(nodeAt(next, '/a/../a/./link')).toEqual({ kind: 'link', target: 'one' });
  });

  it('[TERM-2] leave out the content of files that are declared incidental', () => {
    const isIncidental = createMatcher(['**/.git/index', 'out/*.tar']);
    expect(['.git/index', 'x/y/.git/index', 'out/a.tar', 'out/a/b.tar', 'a.git/index'].map(isIncidental)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    const [one, other] = ['1', '2'].map(text => withLayer(start, [entry('file', 'out.tar', text)], () => true));
    expect(changedPaths(one!, other!)).toEqual([]);
  });
});
