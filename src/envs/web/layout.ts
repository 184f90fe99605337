import type { BrowserAction } from '../../core/action.ts';
import type { Layout, Problem } from '../../core/records.ts';
import type { Viewport } from './browser/pool.ts';
import type { Sight } from './page/keeper.ts';

/** Where everything that was seen lies. */
export function layoutOf({ boxes, scroll, focus }: Sight, viewport: Viewport): Layout {
  const { width, height } = viewport;
  const elements = boxes.map((box, index) => ({
    ref: `e${index + 1}`,
    box,
    inView: box.x < width && box.y < height && box.x + box.width > 0 && box.y + box.height > 0,
  }));
  return { viewport: { width, height }, scroll, focus, elements };
}

/** Why an action points at nothing: what is not on the screen cannot be pointed at. */
export function pointingOutside(action: BrowserAction, { width, height }: Viewport): Problem | null {
  const points = action.kind === 'drag' ? [action.from, action.to] : 'x' in action ? [action] : [];
  const outside = points.find(({ x, y }) => x >= width || y >= height);
  if (outside === undefined) return null;
  const message = `(${outside.x}, ${outside.y}) is not on the screen, which goes to (${width - 1}, ${height - 1}).`;
  return { code: 'invalid-action', message };
}
