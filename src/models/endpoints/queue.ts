/** Those who wait for something, in the order of coming; who comes again stands before who comes first. */
export interface Queue<T> {
  wait(options: WaitOptions): Promise<T>;
  /** Whether somebody was there to take it; what is given is made only then. */
  serve(give: () => T): boolean;
  /** Turns away everybody. */
  clear(reason: Error): void;
  size(): number;
}

interface WaitOptions {
  readonly isAgain: boolean;
  readonly signal: AbortSignal | undefined;
}

interface Waiter<T> {
  readonly take: (value: T) => void;
  readonly refuse: (reason: unknown) => void;
}

export function createQueue<T>(): Queue<T> {
  const again = new Set<Waiter<T>>();
  const first = new Set<Waiter<T>>();
  return {
    wait({ isAgain, signal }) {
      const queue = isAgain ? again : first;
      return new Promise((resolve, reject) => {
        const forget = (): void => signal?.removeEventListener('abort', stop);
        const waiter: Waiter<T> = {
          take: value => {
            forget();
            resolve(value);
          },
          refuse: reason => {
            forget();
            reject(reason as Error);
          },
        };
        const stop = (): void => {
          queue.delete(waiter);
          waiter.refuse(signal?.reason);
        };
        signal?.addEventListener('abort', stop, { once: true });
        queue.add(waiter);
      });
    },
    serve(give) {
      const queue = again.size > 0 ? again : first;
      const [next] = queue;
      if (next === undefined) return false;
      queue.delete(next);
      next.take(give());
      return true;
    },
    clear(reason) {
      for (const waiter of [...again, ...first]) waiter.refuse(reason);
      again.clear();
      first.clear();
    },
    size: () => again.size + first.size,
  };
}
