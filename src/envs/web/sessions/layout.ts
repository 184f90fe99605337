import type { Layout } from '../../../core/records.ts';
import type { Viewport } from '../browser/pool.ts';
import type { PageView } from '../page-program/page-records.ts';

/** Where everything that was seen lies. */
export function layoutOf({ boxes, scroll, focus }: PageView, viewport: Viewport): Layout {
  const { width, height } = viewport;
  const elements = boxes.map((box, index) => ({
    ref: `e${index + 1}`,
    box,
    inView: box.x < width && box.y < height && box.x + box.width > 0 && box.y + box.height > 0,
  }));
  return { viewport: { width, height }, scroll, focus, elements };
}
