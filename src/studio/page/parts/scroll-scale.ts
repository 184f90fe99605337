/** Browsers cut elements that are higher than about 16 to 33 million pixels. */
const mostPixels = 10_000_000;

/** How the scroll bar stands for a table that is too high for a page. */
export interface ScrollScale {
  /** Height of the scrolled element. */
  readonly height: number;
  /** Pixels of the table for each pixel that is scrolled; 1 where the table fits. */
  readonly factor: number;
}

/** The ends of the scroll bar are the ends of the table, whatever its height. */
export function scrollScale(total: number, viewport: number): ScrollScale {
  if (total <= mostPixels || viewport >= mostPixels) return { height: total, factor: 1 };
  return { height: mostPixels, factor: (total - viewport) / (mostPixels - viewport) };
}

/** Where a row stands in the scrolled element, when the table is scrolled to `offset`. */
export function rowTop(start: number, offset: number, { factor }: ScrollScale): number {
  return start - offset + offset / factor;
}
