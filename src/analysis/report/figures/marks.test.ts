import { describe, expect, it } from 'vitest';
import { sketchRecord } from '../../../../test/fixtures/analysis-episodes.ts';
import type { Action } from '../../../core/action.ts';
import { targetOf } from '../../../core/episode/target.ts';
import type { EpisodeRecord } from '../../../core/episode/record.ts';
import type { Layout } from '../../../core/records.ts';
import { drawShot, type DrawnShot } from '../../shot.ts';
import { labelOf, markOf, smallMarkOf } from './marks.ts';

const image = { type: 'image/png', width: 1000, height: 500, hash: 'a'.repeat(64) } as const;
const layout: Layout = {
  viewport: { width: 1000, height: 500 },
  scroll: { x: 0, y: 0 },
  focus: 'e1',
  elements: [
    { ref: 'e1', box: { x: 100, y: 200, width: 300, height: 40 }, inView: true },
    { ref: 'e2', box: { x: 100, y: 700, width: 300, height: 40 }, inView: false },
    { ref: 'e3', box: { x: -50, y: -50, width: 1100, height: 600 }, inView: true },
    { ref: 'e4', box: { x: 900, y: 10, width: 80, height: 20 }, inView: true },
  ],
};

/** The step as it is drawn after it was taken on a screen with that layout. */
function drawn(action: Action): DrawnShot {
  const record = sketchRecord({ outcome: 'passed', steps: [[1, 0, 'step']] });
  const shown: EpisodeRecord = { ...record, shot: () => ({ ...image, target: targetOf(action, layout) }) };
  return drawShot(shown, { ...record.tree.node(1), action }) as DrawnShot;
}

const lines = (action: Action): string => /<g class="ink">(.*)<\/g>/.exec(markOf(drawn(action)).markup)?.[1] ?? '';
const label = (action: Action): string => labelOf(drawn(action))?.markup ?? '';
const labelText = (action: Action): string => label(action).replaceAll(/<[^>]*>/g, '');
const frame = '<rect x="97" y="197" width="306" height="46" rx="5.1"/>';

describe('a step drawn on its screenshot', () => {
  it('[PIC-11] a click is a ring at its point, doubled for a double click, and a frame around an element', () => {
    const ring = '<circle cx="70" cy="90" r="17"/>';
    expect(lines({ kind: 'click-at', x: 70, y: 90 })).toBe(`${ring}<circle class="core" cx="70" cy="90" r="4"/>`);
    expect(lines({ kind: 'click-at', x: 70, y: 90, double: true })).toContain(
      `${ring}<circle cx="70" cy="90" r="25"/>`,
    );
    expect(labelText({ kind: 'click-at', x: 70, y: 90, double: true, button: 'right' })).toBe('double right click');
    expect(label({ kind: 'click-at', x: 70, y: 90 })).toBe('');
    expect(lines({ kind: 'click', ref: 'e1' })).toMatch(new RegExp(`^${frame}<path class="core"`));
    expect(lines({ kind: 'hover-at', x: 70, y: 90 })).toBe('<circle class="dashed" cx="70" cy="90" r="17"/>');
  });

  it('[PIC-11] text stands at the frame of its element, and never becomes part of the page', () => {
    for (const action of [
      { kind: 'fill', ref: 'e1', text: '<b>"lamp"' },
      { kind: 'type', text: '<b>"lamp"' },
      { kind: 'select', ref: 'e1', option: '<b>"lamp"' },
    ] as const) {
      expect(lines(action)).toBe(frame);
      expect(labelText(action)).toBe('“&lt;b&gt;&quot;lamp&quot;”');
      expect(label(action)).toContain('style="left:10%;bottom:60%"');
    }
    expect(labelText({ kind: 'fill', ref: 'e1', text: '' })).toBe('emptied');
    expect(labelText({ kind: 'press', key: 'Control+a' })).toBe('Control+a');
    expect(label({ kind: 'fill', ref: 'e4', text: 'x' })).toContain('style="right:2%;top:6%"');
  });

  it('[PIC-11] a drag is an arrow from its start to its end, a scroll one to where it goes', () => {
    expect(lines({ kind: 'drag', from: { x: 10, y: 20 }, to: { x: 410, y: 20 } })).toBe(
      '<circle cx="10" cy="20" r="9"/><path d="M10 20L410 20M394.2 11.4L410 20L394.2 28.6"/>',
    );
    expect(lines({ kind: 'scroll', x: 500, y: 100, dx: 0, dy: 5000 })).toMatch(/M500 100L500 240M/);
    expect(lines({ kind: 'scroll', x: 500, y: 100, dx: 0, dy: -10 })).toMatch(/M500 100L500 40M/);
    expect(lines({ kind: 'scroll', x: 500, y: 100, dx: 0, dy: 0 })).not.toContain('NaN');
  });

  it('[PIC-11] what has no place is told in the corner, and what is off the screen says where', () => {
    for (const action of [
      { kind: 'wait', milliseconds: 500 },
      { kind: 'back' },
      { kind: 'finish', answer: '42' },
      { kind: 'call', tool: 'star', input: {} },
    ] as const) {
      expect(lines(action)).toBe('');
      expect(label(action)).toContain('style="left:1%;bottom:1%"');
    }
    expect(labelText({ kind: 'finish', answer: '42' })).toBe('finish &quot;42&quot;');
    expect(lines({ kind: 'click', ref: 'e2' })).toBe('');
    expect(labelText({ kind: 'fill', ref: 'e2', text: 'a' })).toBe('↓ below the screen “a”');
    // A frame ends where the screenshot does.
    expect(lines({ kind: 'fill', ref: 'e3', text: 'a' })).toBe('<rect x="3" y="3" width="994" height="494" rx="5.1"/>');
  });

  it('[PIC-11] a small screenshot has the place alone', () => {
    const small = (action: Action): string => smallMarkOf(drawn(action)).markup;
    expect(small({ kind: 'click-at', x: 70, y: 90 })).toContain('<circle class="core" cx="70" cy="90" r="35"/>');
    expect(small({ kind: 'fill', ref: 'e1', text: 'a' })).toContain(frame);
    expect(small({ kind: 'back' })).not.toMatch(/circle|rect|path/);
    expect(small({ kind: 'click', ref: 'e2' })).not.toMatch(/circle|rect|path/);
  });
});
