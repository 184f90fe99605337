import type { MainWindow, PageListeners } from '../parts.ts';

/**
 * Hears of boxes that ask in style rules how they were scrolled (`scroll-state(scrolled: bottom)`). The browser remembers the
 * direction, shows it to no script, and takes it from hands alone.
 */
export function watchScrollStates(main: MainWindow, listeners: PageListeners, trip: (what: string) => void): void {
  const { document } = main;
  listeners.hear('scroll', (_, target) => {
    const box = target === document ? document.documentElement : target;
    if (!(box instanceof main.Element)) return;
    if (main.getComputedStyle(box).containerType.includes('scroll-state'))
      trip('a box with a style for how it was scrolled (container-type: scroll-state)');
  });
}
