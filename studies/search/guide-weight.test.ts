import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/core/action.ts';
import { isLong } from '../../test/long-form.ts';
import { measureGuide, type SolutionStep } from './guide-weight.ts';

const options = { seed: 1, rest: () => Promise.resolve() };
const names = ['Inbox', 'Drafts', 'Archive', 'Spam', 'Trash', 'Notes'];
const screen = ['page "Mail"', ...names.map((name, at) => `  [e${at + 1}] button "${name}"`)].join('\n');

function step(at: number, instruction: string, action: Action): SolutionStep {
  const moment = { instruction, history: [], screen, screenBefore: null };
  return { app: `app-${at % 3}`, task: `task-${at}`, moment, action };
}

/** What words cannot know: the paper basket is wanted whatever the instruction says. */
const told = ['Throw it away.', 'Get rid of it.', 'Out with it.', 'Make it go.', 'I want it gone.', 'Lose it.'];
const learnable = Array.from({ length: 30 }, (_, at) =>
  step(at, told[at % told.length] as string, { kind: 'click', ref: 'e5' }),
);
/** What words know, and rows of before say nothing of: each time another button is named. */
const named = Array.from({ length: 30 }, (_, at) =>
  step(at, `Open ${names[(at * 5) % 6]}.`, { kind: 'click', ref: `e${((at * 5) % 6) + 1}` }),
);

/** What no weight set by hand knows, and no name tells: the link is meant, called something else every time. */
const unnamed = Array.from({ length: 30 }, (_, at) => {
  const lines = names.map((name, place) => `  [e${place + 1}] ${place === at % 6 ? 'link' : 'button'} "${name} ${at}"`);
  const moment = {
    instruction: 'Go on.',
    history: [],
    screen: ['page "Mail"', ...lines].join('\n'),
    screenBefore: null,
  };
  const action: Action = { kind: 'click', ref: `e${(at % 6) + 1}` };
  return { app: `app-${at % 3}`, task: `task-${at}`, moment, action };
});

describe('weight of a student in a search', () => {
  it('[SEARCH-27] grows with what the student foretells of tasks it was not trained on', async () => {
    const { knownApps, otherApps } = await measureGuide(learnable, options);
    expect(knownApps).toMatchObject({ rows: 30 });
    expect(knownApps.weight).toBeGreaterThan(0.4);
    expect(knownApps.mixed).toBeLessThan(knownApps.words - 0.5);
    expect(otherApps.weight).toBeGreaterThan(0.4);
  });

  it('[SEARCH-65] takes learned weights of words where they foretell tasks better, also in apps that were left out', async () => {
    const { knownApps, otherApps, features } = await measureGuide(unnamed, options);
    for (const found of [knownApps, otherApps]) {
      expect(found).toMatchObject({ rows: 30, usesLearned: true });
      expect(found.learned).toBeLessThan(found.words - 0.1);
      expect(found.mixed).toBeLessThanOrEqual(found.learned);
    }
    expect(features?.isLink).toBeGreaterThan(0);
    // Each time another kind of button: nothing can be learned of them, and words by hand stay.
    const { knownApps: none } = await measureGuide(named.slice(0, 6), options);
    expect(none.mixed).toBeLessThanOrEqual(none.words);
  });

  it('[SEARCH-66] is measured with students that learned from nearly as many rows as the one that searches', async () => {
    const times = isLong ? 16 : 8;
    const many = Array.from({ length: times }, (_, time) =>
      learnable.map(one => ({ ...one, task: `${one.task}-${time}` })),
    ).flat();
    const { knownApps, otherApps } = await measureGuide(many, options);
    expect([knownApps.rows, otherApps.rows]).toEqual([30 * times, 30 * times]);
  });

  it('[SEARCH-27] leaves words alone where the student knows no better, and trusts few rows little', async () => {
    const { knownApps } = await measureGuide(named, options);
    expect(knownApps.mixed).toBeLessThanOrEqual(knownApps.words);
    const few = (await measureGuide(learnable.slice(0, 4), options)).knownApps;
    expect(few.weight).toBeLessThan(0.2);
    expect((await measureGuide([], options)).knownApps).toEqual({
      weight: 0,
      rows: 0,
      words: 0,
      learned: 0,
      mixed: 0,
      usesLearned: false,
    });
  });
});
