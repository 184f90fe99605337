import type { Appearance, RenderNode, FocusState } from './render/render-node.ts';

/** Where a person is on the page of an app. */
export interface AppFocusState extends FocusState {
  /** The number of the option that is gone to in the choice that is open. */
  readonly option: number | null;
}

/** What the page offers beside its renderer. */
interface PageInput {
  /** Where the person is who is to use the keys, or the pointer. */
  begin(byKey: boolean): AppFocusState;
  /** Where the person is who just used them. */
  find(byKey: boolean): AppFocusState;
  /** Draws a screen with everybody gone, and then somebody at this place. */
  draw(root: RenderNode, look: Appearance, place: AppFocusState): void;
}

declare global {
  var espalierVisitor: PageInput;
}

/** Runs in the page, after the renderer. */
export function installPageInput(): void {
  function closeChoices(): void {
    // A choice closes when it leaves the page; there is no other way to close one.
    for (const choice of document.querySelectorAll('select:open')) choice.replaceWith(choice);
  }

  /** Tabbing goes on from what had the focus last, or was clicked last. */
  function tabFromTop(): void {
    const top = document.createElement('span');
    top.tabIndex = -1;
    document.body.prepend(top);
    top.focus({ preventScroll: true, focusVisible: false });
    top.remove();
  }

  function goTo(number: number): void {
    const option = document.querySelector<HTMLSelectElement>('select:open')?.options[number];
    // One that was focused by opening the choice has a ring or not, depending on all that went before.
    option?.blur();
    option?.focus({ preventScroll: true, focusVisible: false });
  }

  function find(byKey: boolean): AppFocusState {
    const { activeElement: active } = document;
    const option = active instanceof HTMLOptionElement ? active.index : null;
    const place = globalThis.espalierFace.place();
    // For a choice, the browser guesses from all that went before.
    return { ...place, ring: active instanceof HTMLSelectElement ? byKey : place.ring, option };
  }

  globalThis.espalierVisitor = {
    find,
    begin(byKey) {
      if (document.activeElement === document.body) tabFromTop();
      return find(byKey);
    },
    draw(root, look, place) {
      // A browser keeps more of people than it can be asked for.
      getSelection()?.removeAllRanges();
      closeChoices();
      globalThis.espalierFace.draw(root, look, place);
      if (place.option !== null) goTo(place.option);
    },
  };
}
