import { replaceGetter } from './clock-sources.ts';

/**
 * A field that nobody was in says that its caret has no direction, and never again once somebody was: that cannot be restored.
 * It decides nothing where nothing is selected, so scripts are told the direction that the browser gives a caret from then on.
 */
export function settleCarets(): void {
  const { apply } = Reflect;
  for (const { prototype } of [HTMLInputElement, HTMLTextAreaElement]) {
    const [start, end] = ['selectionStart', 'selectionEnd'].map(
      name => Object.getOwnPropertyDescriptor(prototype, name)?.get as () => number | null,
    ) as [() => number | null, () => number | null];
    replaceGetter(prototype, 'selectionDirection', (real, self) =>
      real === 'none' && apply(start, self, []) === apply(end, self, []) ? 'forward' : real,
    );
  }
}
