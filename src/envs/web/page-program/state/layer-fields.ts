import type { PageListeners, PageShadowRoots } from '../parts.ts';
import { closesByKey, createOpenLayers } from '../shims/open-layers.ts';
import type { PageFields } from './records.ts';

/** Elements that hold something whatever their attributes are. */
export const holding: ReadonlySet<string> = new Set([
  'INPUT',
  'TEXTAREA',
  'SELECT',
  'OPTION',
  'DIALOG',
  'OUTPUT',
  'CANVAS',
]);

/** What dialogs and popovers hold: whether and how they are open, and in which order. */
export interface LayerFields extends Pick<PageFields, 'isLayer' | 'holdLayers'> {
  heldBy(element: Element): string;
}

export interface LayerOptions {
  readonly document: Document;
  readonly listeners: PageListeners;
  readonly roots: PageShadowRoots;
  trip(what: string): void;
}

export function createLayerFields({ document, listeners, roots, trip }: LayerOptions): LayerFields {
  const layers = createOpenLayers(document, listeners, roots, trip);

  function heldBy(element: Element): string {
    if (element.tagName !== 'DIALOG') return element.matches(':popover-open') ? `1${layers.of(element)}` : '0';
    const dialog = element as HTMLDialogElement;
    // One that a script closed by its attribute alone remembers how it was opened.
    return JSON.stringify([dialog.matches(':modal'), dialog.returnValue, layers.of(dialog)]);
  }

  function holdDialog(dialog: HTMLDialogElement, held: string, isReopened: boolean): void {
    const [isModal, returned, noted] = JSON.parse(held) as [boolean, string, string];
    const isOpen = dialog.open;
    if (isReopened || dialog.matches(':modal') !== isModal || layers.of(dialog) !== noted) {
      // Only an open one can be closed, and only a closed one can be made modal.
      dialog.open = true;
      dialog.close();
      layers.forget(dialog);
      if (noted !== '') layers.openAs(noted, dialog, () => (isModal ? dialog.showModal() : dialog.show()));
      else if (isModal) dialog.showModal();
      if (dialog.open !== isOpen) dialog.open = isOpen;
    }
    dialog.returnValue = returned;
  }

  function holdPopover(element: HTMLElement, held: string): void {
    if (element.matches(':popover-open')) element.hidePopover();
    layers.forget(element);
    const [isOpen, noted] = [held.startsWith('1'), held.slice(1)];
    const show = (source: HTMLElement | null): void => element.showPopover(source === null ? {} : { source });
    if (isOpen && noted !== '') layers.openAs(noted, element, show);
    else if (isOpen) element.showPopover();
  }

  const isLayer = (element: Element): boolean =>
    element.tagName === 'DIALOG' || (!holding.has(element.tagName) && element.hasAttribute('popover'));
  const placeOf = ([element, held]: readonly [Element, string]): number =>
    layers.placeIn(element.tagName === 'DIALOG' ? (JSON.parse(held) as [boolean, string, string])[2] : held.slice(1));

  /** One that is opened comes in front of all others: from the first that is not as it was, all are opened again. */
  function holdLayers(wanted: readonly (readonly [Element, string])[]): string | null {
    let isReopened = false;
    let isClosable = false;
    for (const one of wanted.toSorted((first, second) => placeOf(first) - placeOf(second))) {
      const [element, held] = one;
      const isLater = isReopened && placeOf(one) >= 0;
      if (heldBy(element) === held && !isLater) continue;
      if (element.tagName === 'DIALOG') holdDialog(element as HTMLDialogElement, held, isLater);
      else holdPopover(element as HTMLElement, held);
      isReopened ||= placeOf(one) >= 0;
      isClosable ||= closesByKey(element);
    }
    const several = isClosable && wanted.filter(([element]) => closesByKey(element)).length > 1;
    return several ? 'several dialogs or popovers would be opened at once, which Escape closes together' : null;
  }

  return { heldBy, isLayer, holdLayers };
}
