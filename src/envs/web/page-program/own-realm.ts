import type { PageState, StateOptions } from './state/page-state.ts';

type CreateState = (options: StateOptions) => PageState;

/**
 * Runs the part that reads and keeps the state in a realm of its own: that of a frame which is taken out again at once. Its
 * built-in functions are not those of the page, so no script of the page can change what a certificate is made of. `lender`
 * is a name that no script knows.
 */
export function inOwnRealm(options: StateOptions, create: CreateState, lender: string): PageState {
  const lent: CreateState[] = [];
  const frame = document.createElement('iframe');
  Object.defineProperty(frame, lender, { value: (given: CreateState) => lent.push(given) });
  (document.documentElement ?? document).append(frame);
  try {
    // Asking for a member makes the browser set up the realm.
    void (frame.contentWindow as unknown as { Array?: unknown } | null)?.Array;
  } catch {
    // A page in a sandbox has an origin of its own in every frame.
  }
  frame.remove();
  const [borrowed] = lent;
  return borrowed === undefined
    ? create({ ...options, obstacle: 'no realm of its own can be had in it' })
    : borrowed(options);
}

/** Called in a frame: lends its realm to the page around it, when that asks for it. Says whether it did. */
export function lendRealm(create: CreateState, lender: string): boolean {
  try {
    const frame = globalThis.frameElement as unknown as Record<
      string,
      ((given: CreateState) => void) | undefined
    > | null;
    const lend = frame?.[lender];
    lend?.(create);
    return lend !== undefined;
  } catch {
    // A frame of another origin has nothing to lend.
    return false;
  }
}
