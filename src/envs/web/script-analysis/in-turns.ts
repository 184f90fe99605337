const atOnce = 100;

/** Asks a page about many things, some at once: it answers one after the other, and each answer has to come in time. */
export async function inTurns<T, R>(
  all: readonly T[],
  ask: (one: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const answers: R[] = [];
  for (let from = 0; from < all.length; from += atOnce) {
    const some = all.slice(from, from + atOnce);
    answers.push(...(await Promise.all(some.map((one, at) => ask(one, from + at)))));
  }
  return answers;
}
