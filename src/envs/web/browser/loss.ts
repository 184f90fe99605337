import { LostError, type Connection } from './connection.ts';

/** Tells when a page is lost. */
export interface Loss {
  isLost(): boolean;
  /** Gives it up. */
  lose(): void;
  /** Told once; gives back how to be no longer told. */
  onLost(hear: () => void): () => void;
  /** The answer, unless the page is lost before: one that is lost does not answer. */
  unlessLost<T>(answer: Promise<T>): Promise<T>;
}

/** A page can go by itself, or with its browser: whoever waits for it must hear of it either way. */
export function watchLoss(connection: Connection, session: string): Loss {
  const hearers = new Set<() => void>();
  let lost = false;
  const lose = (): void => {
    lost = true;
    stop();
    for (const hear of hearers) hear();
    hearers.clear();
  };
  const stop = connection.listen(({ method }) => {
    if (method === 'Inspector.targetCrashed' || method === 'Inspector.detached') lose();
  }, session);
  void connection.lost.then(lose);
  const onLost = (hear: () => void): (() => void) => {
    hearers.add(hear);
    return () => hearers.delete(hear);
  };
  return {
    isLost: () => lost,
    lose,
    onLost,
    unlessLost: answer =>
      new Promise((resolve, reject) => {
        const forget = onLost(() => reject(new LostError('page')));
        answer.then(resolve, reject).finally(forget);
      }),
  };
}
