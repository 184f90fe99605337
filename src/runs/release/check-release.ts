import { causeText } from '../../core/errors.ts';
import type { Environment } from '../../core/contracts.ts';
import { openRelease } from '../../envs/releases/open-release.ts';
import { readRelease, type Proof, type Release } from '../../envs/releases/release-file.ts';
import { createWorld } from '../../worlds/world.ts';
import { familyHost } from '../environments/open-environment.ts';

export interface CheckedRelease {
  readonly release: Release;
  /** Tasks whose path was walked again to the same state and verdict. */
  readonly walked: number;
  /** Tasks without a path: their initial state was compared. */
  readonly opened: number;
  /** Tasks that came out otherwise, and how. */
  readonly changed: readonly { readonly task: string; readonly what: string }[];
}

/** Opens a release and walks every path that was frozen with it. */
export async function checkRelease(
  folder: string,
  onTask?: (done: number, of: number) => void,
): Promise<CheckedRelease> {
  const release = readRelease(folder);
  const source = await openRelease(folder, familyHost);
  const world: Environment = 'app' in source ? createWorld(source.app) : source.environment;
  const changed: { task: string; what: string }[] = [];
  let [walked, opened] = [0, 0];
  for (const [index, proof] of release.proofs.entries()) {
    const what = await difference(world, release, proof).catch((cause: unknown) => causeText(cause));
    if (what !== null) changed.push({ task: proof.task, what });
    else if (proof.path === null) opened++;
    else walked++;
    onTask?.(index + 1, release.proofs.length);
  }
  return { release, walked, opened, changed };
}

/** What came out otherwise; null where nothing did. */
async function difference(world: Environment, { tasks }: Release, { task: id, path }: Proof): Promise<string | null> {
  const task = tasks.find(one => one.id === id);
  if (task === undefined) return 'there is no such task';
  // Opening compares the initial state.
  const session = await world.open(task);
  try {
    if (path === null) return null;
    for (const action of path.actions) await session.step(action);
    if ((await session.digest()) !== path.end) return 'its path leads to another state';
    const verdict = await session.verify();
    return JSON.stringify(verdict) === JSON.stringify(path.verdict) ? null : 'its path has another verdict';
  } finally {
    await session.close();
  }
}
