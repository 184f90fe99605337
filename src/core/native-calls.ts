/**
 * Calls of this thread into native code that must not be cut off: a thread that is ended in the middle of one takes the
 * whole process with it, or never ends. There is one thread, so there is one count.
 */
const thread = { calls: 0, tell: (_calls: number): void => undefined };

/** Tells how many are under way, whenever that changes. */
export function watchNativeCalls(tell: (calls: number) => void): void {
  thread.tell = tell;
}

export async function callNative<T>(call: () => Promise<T>): Promise<T> {
  thread.tell(++thread.calls);
  try {
    return await call();
  } finally {
    thread.tell(--thread.calls);
  }
}
