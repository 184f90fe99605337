import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json.ts';
import { createFollower, nothingHidden, type HiddenChanges } from './hidden-changes.ts';

const initial = {
  notes: [
    { id: 'n1', text: 'one', read: false, marks: [{ id: 'k1', on: true }] },
    { id: 'n2', text: 'two', read: false, marks: [] },
  ],
  tray: [{ id: 't1' }],
  shelf: { a: { size: 1 } },
  tags: ['x'],
  ui: { rows: [{ id: 'r1' }] },
};
const follow = createFollower({ initial, incidental: ['/notes/*/read'], undoable: ['/tray'] });

/** What is hidden after these states, one after the other; each by a command unless it is told otherwise. */
function after(states: readonly object[], byCommand = true): HiddenChanges {
  let hidden = nothingHidden;
  let before = initial as JsonObject;
  for (const state of states) {
    const next = state as JsonObject;
    hidden = follow(hidden, { before, after: next, byCommand });
    before = next;
  }
  return hidden;
}

const [first, second] = initial.notes;
const added = { ...initial, notes: [...initial.notes, { id: 'n3', text: 'new', read: false, marks: [] }] };
const removed = { ...initial, notes: [second] };
const nested = { ...initial, notes: [{ ...first, marks: [...(first?.marks ?? []), { id: 'k2', on: true }] }, second] };
const changed = { ...initial, notes: [{ ...first, text: 'other' }, second] };
const read = { ...initial, notes: [first, { ...second, read: true }] };

describe('hidden changes', () => {
  it('[VER-7] are records that came and went, or went and came back, at any depth', () => {
    expect(after([added, initial]).erased).toEqual(['/notes/n3']);
    expect(after([removed, initial]).erased).toEqual(['/notes/n1']);
    expect(after([nested, initial]).erased).toEqual(['/notes/n1/marks/k2']);
    expect(after([{ ...initial, shelf: { ...initial.shelf, b: { size: 2 } } }, initial]).erased).toEqual(['/shelf/b']);
    expect(after([{ ...initial, shelf: {} }, initial]).erased).toEqual(['/shelf/a']);
    const reused = { ...initial, notes: [...initial.notes, { id: 'n3', text: 'right', read: false, marks: [] }] };
    expect(after([added, initial, reused]).erased).toEqual(['/notes/n3']);
    const reordered = { ...added, notes: added.notes.toReversed() };
    expect(after([added, reordered, { ...initial, notes: initial.notes.toReversed() }]).erased).toEqual(['/notes/n3']);
  });

  it('[VER-7] are none while everything is to be seen, nor when values were put back', () => {
    for (const states of [
      [added],
      [removed],
      [changed, initial],
      [{ ...initial, notes: initial.notes.toReversed() }, initial],
      [{ ...initial, tags: [] }, initial],
      [{ ...initial, tags: ['x', 'y'] }, initial],
      [{ ...initial, shelf: { a: { size: 1, note: 'x' } } }, initial],
      [{ ...initial, ui: { rows: [] } }, initial],
      [{ ...initial, ui: { rows: [{ id: 'r1' }, { id: 'r2' }] } }, initial],
      [{ ...initial, tray: [] }, { ...initial, tray: [{ id: 't1' }, { id: 't2' }] }, initial],
    ]) {
      expect(after(states)).toBe(nothingHidden);
    }
  });

  it('[VER-8] are incidental paths that a command changed, until they are as they were', () => {
    expect(after([read]).commanded).toEqual(['/notes/n2/read']);
    expect(after([read], false)).toBe(nothingHidden);
    expect(after([read, initial])).toBe(nothingHidden);
    expect(after([changed])).toBe(nothingHidden);
    expect(after([read, { ...read, tags: [] }]).commanded).toEqual(['/notes/n2/read']);
  });
});
