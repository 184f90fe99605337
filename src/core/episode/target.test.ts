import { describe, expect, it } from 'vitest';
import type { Action } from '../action.ts';
import type { Box, Layout } from '../records.ts';
import { targetOf } from './target.ts';

const button = { x: 10, y: 20, width: 80, height: 24 };
const field = { x: 10, y: 400, width: 200.5, height: 30 };
const layout: Layout = {
  viewport: { width: 320, height: 240 },
  scroll: { x: 0, y: 0 },
  focus: 'e2',
  elements: [
    { ref: 'e1', box: button, inView: true },
    { ref: 'e2', box: field, inView: false },
  ],
};
const point = (x: number, y: number): Box => ({ x, y, width: 0, height: 0 });

describe('the target of an action', () => {
  it.each<[Action, Box | null]>([
    [{ kind: 'click', ref: 'e1' }, button],
    [{ kind: 'fill', ref: 'e2', text: 'lamp' }, field],
    [{ kind: 'select', ref: 'e1', option: 'Low' }, button],
    [{ kind: 'click', ref: 'e3' }, null],
    [{ kind: 'click-at', x: 5, y: 6, double: true }, point(5, 6)],
    [{ kind: 'hover-at', x: 0, y: 0 }, point(0, 0)],
    [{ kind: 'scroll', x: 7, y: 8, dx: 0, dy: -200 }, point(7, 8)],
    [{ kind: 'drag', from: { x: 1, y: 2 }, to: { x: 90, y: 91 } }, point(1, 2)],
    [{ kind: 'type', text: 'lamp' }, field],
    [{ kind: 'press', key: 'Enter' }, field],
    [{ kind: 'wait', milliseconds: 100 }, null],
    [{ kind: 'back' }, null],
    [{ kind: 'call', tool: 'star_message', input: {} }, null],
    [{ kind: 'finish' }, null],
  ])('[PIC-5] of %j is %j', (action, target) => {
    expect(targetOf(action, layout)).toEqual(target);
  });

  it('[PIC-5] is a point where nothing is known of the layout, and nowhere for an element or the focus', () => {
    expect(targetOf({ kind: 'click-at', x: 5, y: 6 }, undefined)).toEqual(point(5, 6));
    expect(targetOf({ kind: 'click', ref: 'e1' }, undefined)).toBeNull();
    expect(targetOf({ kind: 'type', text: 'a' }, { ...layout, focus: null })).toBeNull();
  });
});
