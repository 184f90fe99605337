import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import type { Session } from '../../core/contracts.ts';
import { createWorld } from '../../kernel/world.ts';
import { searchTree, type SearchOptions } from './levin-search.ts';
import { createScorePrior } from './prior.ts';
import { shortenPath } from './shorten-path.ts';
import { createWordScorer } from './word-prior.ts';

const world = createWorld(app);
const options: SearchOptions = {
  prior: createScorePrior(createWordScorer()),
  maxNodes: 300,
  maxSteps: 8,
  temperatures: [1, 2],
};

function openTask(template: string, seed: number) {
  return world.open(world.task(template, seed));
}

describe('Levin tree search', () => {
  it('[SEARCH-1] finds steps that the verifier passes, the same ones every time, and leaves the session alone', async () => {
    for (let seed = 1; seed <= 4; seed++) {
      const session = openTask('lend-to-reader', seed);
      const found = await searchTree(session, options);
      expect(session.digest()).toBe(world.open(session.task).digest());
      for (const { action } of found.path?.steps ?? []) expect(session.step(action).applied).toBe(true);
      session.step({ kind: 'finish' });
      expect([seed, session.verify().pass]).toEqual([seed, true]);
      expect(await searchTree(world.open(session.task), options)).toEqual(found);
    }
  });

  it('[SEARCH-2] tries no more actions than its budget, and says that it found nothing', async () => {
    const found = await searchTree(openTask('lend-to-reader', 1), { ...options, maxNodes: 3 });
    expect(found).toMatchObject({ path: null, nodes: 3 });
  });

  it('[SEARCH-2] takes a known action again at no cost when it restarts with another temperature', async () => {
    const session = openTask('lend-to-reader', 1);
    // The second run of the same temperature repeats the first: only its last nodes are new.
    const once = await searchTree(session, { ...options, maxNodes: 8, temperatures: [1] });
    const twice = await searchTree(session, { ...options, maxNodes: 8, temperatures: [1, 1] });
    expect(twice).toEqual(once);
  });

  it('[SEARCH-3] asks the verifier once about states that it judges alike', async () => {
    const session = openTask('lend-to-reader', 2);
    const count = { asked: 0, judged: new Set<string>() };
    const found = await searchTree(counting(session, count), options);
    expect(found.path).not.toBeNull();
    expect(found.verifierCalls).toBe(count.asked);
    expect(count.asked).toBe(count.judged.size);
    expect(count.asked).toBeLessThan(found.states);
  });

  it('[SEARCH-4] leaves out steps that the task passes without', async () => {
    const session = openTask('lend-to-reader', 3);
    const { path } = await searchTree(session, options);
    if (path === null) throw new Error('nothing was found');
    const screen = session.observe().text;
    const detour = { action: { kind: 'click', ref: 'e3' } as const, text: 'click', screen };
    const walker = session.fork();
    walker.step(detour.action);
    const back = { action: { kind: 'click', ref: 'e1' } as const, text: 'click', screen: walker.observe().text };
    const longer = { ...path, steps: [detour, back, ...path.steps] };
    expect(await shortenPath(session, longer)).toEqual(await shortenPath(session, path));
  });
});

/** The data without the screen is what the verifier reads. */
function counting(session: Session, count: { asked: number; judged: Set<string> }): Session {
  const state = (): string => {
    const { ui: _ui, ...data } = (session as ReturnType<typeof openTask>).state() as { ui: unknown };
    return JSON.stringify(data);
  };
  return {
    ...session,
    fork: async () => counting((await session.fork?.()) as Session, count),
    judgedState: state,
    verify() {
      count.asked++;
      count.judged.add(state());
      return session.verify();
    },
  };
}
