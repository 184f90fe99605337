import type { Box } from '../../../core/records.ts';
import type { DrawnShot } from '../../shot.ts';
import { html, type Markup } from '../html.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The step drawn on its screenshot, in the pixels of that. */
export function markOf(shot: DrawnShot): Markup {
  return svg(shot, shapesOf(shot));
}

/** The same on a small screenshot, where only the place can be told. */
export function smallMarkOf(shot: DrawnShot): Markup {
  const { target } = shot;
  if (target === null || outsideOf(shot) !== null) return svg(shot, null);
  const unit = unitOf(shot);
  return svg(
    shot,
    Math.max(target.width, target.height) > unit * 9 ? frameOf(target, shot) : core(centreOf(target), unit * 3.5),
  );
}

/** Each line has a light outline, so that it is visible on any background. */
function svg({ width, height }: DrawnShot, shapes: Markup | null): Markup {
  return html`<svg class="mark" viewBox="0 0 ${width} ${height}" aria-hidden="true"><g class="halo">${shapes}</g><g class="ink">${shapes}</g></svg>`;
}

/** What the drawn lines cannot show: typed text, a key, or an action without a position. */
export function labelOf(shot: DrawnShot): Markup | null {
  const outside = outsideOf(shot);
  const text = [...(outside === null ? [] : [outside]), ...(shot.label === null ? [] : [spelled(shot)])].join(' ');
  if (text === '') return null;
  return html`<span class="label ${shot.gesture}" style="${labelPlace(shot)}">${text}</span>`;
}

function spelled({ gesture, label }: DrawnShot): string {
  if (gesture !== 'write') return label ?? '';
  return label === '' ? 'emptied' : `“${label}”`;
}

function shapesOf(shot: DrawnShot): Markup | null {
  const { target, gesture, to } = shot;
  if (target === null || outsideOf(shot) !== null) return null;
  const unit = unitOf(shot);
  const centre = centreOf(target);
  const frame = target.width === 0 && target.height === 0 ? null : frameOf(target, shot);
  switch (gesture) {
    case 'click':
      // A ring would hide the element.
      if (frame !== null) return html`${frame}${pointer(target, unit)}`;
      return html`${ring(centre, unit * 1.7)}${shot.label?.startsWith('double') ? ring(centre, unit * 2.5) : null}${core(centre, unit * 0.4)}`;
    case 'hover':
      return html`<circle class="dashed" cx="${centre.x}" cy="${centre.y}" r="${round(unit * 1.7)}"/>`;
    case 'drag':
      return html`${ring(centre, unit * 0.9)}${to === null ? null : arrow(centre, to, unit)}`;
    case 'scroll':
      return html`${core(centre, unit * 0.6)}${to === null ? null : arrow(centre, shortened(centre, to, unit), unit)}`;
    default:
      return frame;
  }
}

/** A hundredth of the longer side: lines of a large and a small screenshot look alike. */
function unitOf({ width, height }: DrawnShot): number {
  return Math.max(width, height) / 100;
}

function centreOf({ x, y, width, height }: Box): Point {
  return { x: round(x + width / 2), y: round(y + height / 2) };
}

/** A little wider than the element, as far as the screenshot goes. */
function frameOf({ x, y, width, height }: Box, shot: DrawnShot): Markup {
  const gap = unitOf(shot) * 0.3;
  const [left, top] = [Math.max(gap, x - gap), Math.max(gap, y - gap)];
  const [right, bottom] = [Math.min(shot.width - gap, x + width + gap), Math.min(shot.height - gap, y + height + gap)];
  return html`<rect x="${round(left)}" y="${round(top)}" width="${round(Math.max(0, right - left))}" height="${round(Math.max(0, bottom - top))}" rx="${round(gap * 1.7)}"/>`;
}

function ring({ x, y }: Point, radius: number): Markup {
  return html`<circle cx="${x}" cy="${y}" r="${round(radius)}"/>`;
}

function core({ x, y }: Point, radius: number): Markup {
  return html`<circle class="core" cx="${x}" cy="${y}" r="${round(radius)}"/>`;
}

/** The arrow of a mouse, at the lower right of an element. */
function pointer({ x, y, width, height }: Box, unit: number): Markup {
  const size = unit * 0.16;
  const at = `translate(${round(x + width - Math.min(width * 0.15, unit))} ${round(y + height * 0.7)}) scale(${size.toFixed(3)})`;
  return html`<path class="core" transform="${at}" d="M0 0V16L4 12.4 6.6 18.6 9.4 17.4 6.8 11.4H12Z"/>`;
}

function arrow(from: Point, to: Point, unit: number): Markup {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const barb = (turn: number): string =>
    `${round(to.x - Math.cos(angle + turn) * unit * 1.8)} ${round(to.y - Math.sin(angle + turn) * unit * 1.8)}`;
  return html`<path d="M${from.x} ${from.y}L${round(to.x)} ${round(to.y)}M${barb(0.5)}L${round(to.x)} ${round(to.y)}L${barb(-0.5)}"/>`;
}

/** A wheel may turn by far more than the screen: the arrow only says where to. */
function shortened(from: Point, to: Point, unit: number): Point {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const wanted = Math.min(Math.max(length, unit * 6), unit * 14);
  return length === 0 ? to : { x: from.x + (dx / length) * wanted, y: from.y + (dy / length) * wanted };
}

/** Where a target lies that the screenshot does not show; null when it does. */
function outsideOf({ target, width, height }: DrawnShot): string | null {
  if (target === null) return null;
  if (target.y >= height && target.y > 0) return '↓ below the screen';
  if (target.y + target.height <= 0 && target.y < 0) return '↑ above the screen';
  if (target.x >= width && target.x > 0) return '→ right of the screen';
  return target.x + target.width <= 0 && target.x < 0 ? '← left of the screen' : null;
}

/** Above its target or below, wherever there is room; in the corner when it has none. */
function labelPlace(shot: DrawnShot): string {
  const { target, width, height } = shot;
  const { left, right, top, bottom } =
    target === null ? { left: 0, right: 0, top: height, bottom: height } : edgesOf(target, unitOf(shot));
  const side = left < width * 0.6 ? `left:${share(left, width)}` : `right:${share(width - right, width)}`;
  const room = height * 0.13;
  if (top > room) return `${side};bottom:${share(height - top, height)}`;
  return bottom < height - room ? `${side};top:${share(bottom, height)}` : `${side};top:1%`;
}

/** Of the target, or of the ring around a point. */
function edgesOf({ x, y, width, height }: Box, unit: number) {
  const gap = width === 0 && height === 0 ? unit * 2.5 : 0;
  return { left: x - gap, right: x + width + gap, top: y - gap, bottom: y + height + gap };
}

function share(part: number, whole: number): string {
  return `${Math.min(90, Math.max(1, round((part / whole) * 100)))}%`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
