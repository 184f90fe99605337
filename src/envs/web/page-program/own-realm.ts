import type { PageState, StateOptions } from './state/page-state.ts';

export type CreateState = (options: StateOptions) => PageState;

/** What a realm of ours gives the program in the realm of the page. */
export interface OwnRealm {
  /** The part that reads and keeps the state. */
  readonly createState: CreateState;
  readonly language: typeof globalThis;
}

/**
 * Borrows a realm: that of a frame which is taken out again at once. Its built-in functions are not those of the page, so no
 * script of the page can change what a certificate is made of. `lender` is a name that no script knows. Null where no realm
 * can be had: a page in a sandbox has an origin of its own in every frame.
 */
export function borrowRealm(lender: string): OwnRealm | null {
  let lent: OwnRealm | null = null;
  const take = (given: OwnRealm): void => {
    lent = given;
  };
  const frame = document.createElement('iframe');
  Object.defineProperty(frame, lender, { value: take });
  (document.documentElement ?? document).append(frame);
  try {
    // Asking for a member makes the browser set up the realm.
    void (frame.contentWindow as unknown as { Array?: unknown } | null)?.Array;
  } catch {
    // Of another origin.
  }
  frame.remove();
  return lent;
}

/** Called in a frame: lends its realm to the page around it, when that asks for it. Says whether it did. */
export function lendRealm(give: () => OwnRealm, lender: string): boolean {
  try {
    const { frameElement } = globalThis;
    if (frameElement === null) return false;
    // Only a member of its own: what the element inherits may be a proxy of the page, which would be told the name.
    const take = Reflect.getOwnPropertyDescriptor(frameElement, lender)?.value as
      | ((given: OwnRealm) => void)
      | undefined;
    take?.(give());
    return take !== undefined;
  } catch {
    // A frame of another origin has nothing to lend.
    return false;
  }
}
