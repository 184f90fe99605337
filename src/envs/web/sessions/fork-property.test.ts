import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { counterButtons, createCounterPages } from '../../../../test/fixtures/pages/counter-pages.ts';
import { actionFor } from '../../../../test/fixtures/pages/retrace.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import type { Environment, Session, Snapshot } from '../../../core/contracts.ts';
import { EspalierError } from '../../../core/errors.ts';
import { createRandom, type Random } from '../../../core/random.ts';
import type { StepOutcome } from '../../../core/records.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';
import { isLong } from '../../../../test/long-form.ts';

const timers = createSystemTimers();
const sites = { opened: 0, closed: 0 };
let pool: BrowserPool;
let environment: Environment;
beforeAll(() => {
  pool = createBrowserPool({ timers, pages: 40 });
  environment = createCounterPages({ pool, sites });
});
afterAll(() => pool.close());

const mostSessions = 6;

/** What a session says of itself. */
interface Account {
  readonly outcome: StepOutcome | null;
  readonly digest: string;
  readonly text: string;
  readonly saved: string | null;
}

/** A session, and the steps that lead to where it should be. */
interface Walker {
  readonly session: Session;
  readonly snapshots: { readonly snapshot: Snapshot; readonly path: readonly string[] }[];
  path: readonly string[];
  outcome: StepOutcome | null;
  isClosed: boolean;
}

interface Run {
  walkers: readonly Walker[];
  /** What was said at the end of each path, as often as it was. */
  readonly accounts: { readonly path: readonly string[]; readonly account: Account }[];
  readonly counts: { steps: number; restores: number; refused: number };
}

async function accountOf({ session, outcome }: Walker): Promise<Account> {
  const { evidence } = await session.verify();
  const { text } = await session.observe();
  return { outcome, text, saved: evidence.answer, digest: await session.digest() };
}

async function step(walker: Walker, name: string): Promise<void> {
  const { text } = await walker.session.observe();
  // On the second document there is one thing to do.
  const wanted = text.includes('Another document') ? 'Home' : name;
  walker.outcome = await walker.session.step(await actionFor(walker.session, wanted));
  walker.path = [...walker.path, wanted];
}

async function restore(walker: Walker, random: Random): Promise<boolean> {
  const { snapshot, path } = random.pick(walker.snapshots);
  try {
    await walker.session.restore?.(snapshot);
  } catch (cause) {
    // A refused restore leaves the session where it was.
    if (cause instanceof EspalierError && cause.code === 'diverged') return false;
    throw cause;
  }
  [walker.path, walker.outcome] = [path, null];
  return true;
}

/** One random operation of one session; the fork that it made, if so. */
async function act(run: Run, walker: Walker, random: Random): Promise<Walker | null> {
  const { walkers, accounts, counts } = run;
  const chance = random.next();
  if (chance < 0.5) {
    counts.steps++;
    await step(walker, random.pick([...counterButtons, ...counterButtons, 'Next']));
    accounts.push({ path: walker.path, account: await accountOf(walker) });
  } else if (chance < 0.72 && walkers.length < mostSessions) {
    return forkOf(walker);
  } else if (chance < 0.8) {
    walker.snapshots.push({ snapshot: (await walker.session.snapshot?.()) as Snapshot, path: walker.path });
  } else if (chance < 0.92 && walker.snapshots.length > 0) {
    if (await restore(walker, random)) counts.restores++;
    else counts.refused++;
    accounts.push({ path: walker.path, account: await accountOf({ ...walker, outcome: null }) });
  } else if (chance < 0.97 && walkers.length > 1) {
    walker.isClosed = true;
    await walker.session.close();
  } else accounts.push({ path: walker.path, account: await accountOf({ ...walker, outcome: null }) });
  return null;
}

async function forkOf({ session, snapshots, path }: Walker): Promise<Walker> {
  return walkerIn((await session.fork?.()) as Session, { path, snapshots: [...snapshots] });
}

function walkerIn(session: Session, from: Pick<Walker, 'path' | 'snapshots'>): Walker {
  return { session, outcome: null, isClosed: false, ...from };
}

/** Sessions of one task, forked and used at random: one after the other, or several at a time. */
async function wander(seed: string): Promise<Run> {
  const random = createRandom(seed);
  const first = walkerIn(await environment.open(await environment.task('count', 1)), { path: [], snapshots: [] });
  const walkers = [first, await forkOf(first), await forkOf(first)];
  const run: Run = { walkers, accounts: [], counts: { steps: 0, restores: 0, refused: 0 } };
  for (let round = 0; round < 20; round++) {
    const several = random.chance(0.4) ? run.walkers.filter(() => random.chance(0.7)) : [];
    const chosen = several.length > 0 ? several : [random.pick(run.walkers)];
    const born = await Promise.all(chosen.map((walker, index) => act(run, walker, random.fork(`${round} ${index}`))));
    const open = [...run.walkers, ...born.filter(walker => walker !== null)].filter(({ isClosed }) => !isClosed);
    run.walkers = open.length === 0 ? run.walkers : open;
    if (open.length === 0) break;
  }
  for (const walker of run.walkers) await walker.session.close();
  return run;
}

/** The same paths, each walked once from the start in a page of its own. */
async function walked(paths: readonly (readonly string[])[]): Promise<Map<string, Account>> {
  const known = new Map<string, Account>();
  for (const path of paths.toSorted((one, other) => other.length - one.length)) {
    if (known.has(path.join())) continue;
    const session = await environment.open(await environment.task('count', 1));
    const walker = walkerIn(session, { path: [], snapshots: [] });
    known.set('', await accountOf(walker));
    for (const name of path) {
      await step(walker, name);
      known.set(walker.path.join(), await accountOf(walker));
    }
    await session.close();
  }
  return known;
}

describe('random trees of forks', () => {
  it.each(isLong ? ['one', 'two', 'three'] : ['one'])(
    '[FORK-1] (%s) are as if every session had a page of its own',
    async seed => {
      const { accounts, counts } = await wander(seed);
      const expected = await walked(accounts.map(({ path }) => path));
      for (const { path, account } of accounts) {
        const right = expected.get(path.join()) as Account;
        expect({ path, ...account }).toEqual({ path, ...right, outcome: account.outcome && right.outcome });
      }
      expect(counts.steps).toBeGreaterThan(5);
      expect(pool.figures().openPages).toBe(0);
      expect(sites.closed).toBe(sites.opened);
    },
  );
});
