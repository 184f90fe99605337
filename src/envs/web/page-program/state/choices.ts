import type { ChosenOptions } from '../shims/chosen-options.ts';

/** Which options of a list somebody chose, whatever is selected now. */
export interface Choices {
  /** A sign for each option that is selected. */
  selected(select: HTMLSelectElement): string;
  /** A sign for each option that somebody chose. */
  of(select: HTMLSelectElement): string;
  /** `reset` makes the list forget all choices; `selected` has a sign for each option that is to be selected. */
  hold(select: HTMLSelectElement, wanted: string, how: { readonly selected: string; reset(): void }): void;
}

export function createChoices(chosen: ChosenOptions): Choices {
  const signs = ({ options }: HTMLSelectElement, has: (option: HTMLOptionElement) => boolean): string =>
    [...options].map(option => (has(option) ? '1' : '0')).join('');
  const of = (select: HTMLSelectElement): string => signs(select, chosen.isChosen);

  function choose(select: HTMLSelectElement, wanted: string, selected: string): void {
    const last = selected.indexOf('1');
    for (const [index, option] of [...select.options].entries())
      if (wanted[index] === '1' && index !== last && !chosen.isChosen(option)) select.selectedIndex = index;
    if (wanted[last] === '1') select.selectedIndex = last;
    if (wanted[last] === '1' || last < 0) return;
    // Where none is selected, the browser selects the first one by itself.
    for (const option of select.options) if (option.index !== last) option.selected = false;
  }

  return {
    selected: select => signs(select, option => option.selected),
    of,
    hold(select, wanted, { selected, reset }) {
      const now = of(select);
      if (now === wanted) return;
      if ([...now].some((sign, index) => sign === '1' && wanted[index] !== '1')) reset();
      if (of(select) !== wanted) choose(select, wanted, selected);
    },
  };
}
