import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import type { Session } from '../../core/contracts.ts';
import { createWorld } from '../../worlds/world.ts';
import { createAppMap, tourSchema, type AppMap } from './app-map.ts';
import { tourApp } from './tour.ts';
import { createWordScorer } from './word-prior.ts';

const world = createWorld(app);
const open = () => world.open(world.task('lend-to-reader', 1));

describe('a tour of an app', () => {
  it('[SEARCH-99] asks no verifier, leaves the session as it is, and finds the same every time', async () => {
    const session = open();
    const silent: Session = { ...session, verify: () => Promise.reject(new Error('nobody asks')) };
    const tour = await tourApp(silent, { clicks: 40 });
    expect(session.digest()).toBe(open().digest());
    expect(tour.length).toBeGreaterThan(20);
    expect(tourSchema.parse(JSON.parse(JSON.stringify(tour)))).toEqual(tour);
    expect(await tourApp(open(), { clicks: 40 })).toEqual(tour);
  });

  it('[SEARCH-99] tries no more clicks than it may, what was not clicked yet first, and ends when it is stopped', async () => {
    const tour = await tourApp(open(), { clicks: 5 });
    expect(new Set(tour.map(({ control }) => control.own)).size).toBe(5);
    let tried = 0;
    const stopped = await tourApp(open(), { clicks: 40, isStopped: () => tried === 3, onClick: at => (tried = at) });
    expect(stopped).toHaveLength(3);
  });
});

const home = ['[e1] button "Settings"', '[e2] button "Reports"', '[e3] button "Help"'].join('\n');
const control = (name: string) => ({ own: `button ${name} `, named: `button ${name.toLowerCase()}`, place: 'button' });
const map = createAppMap([
  { control: control('Settings'), texts: ['Profile', 'Privacy'], controls: [control('Profile'), control('Privacy')] },
  { control: control('Privacy'), texts: ['Do not disturb', 'Ann Lee'], controls: [] },
  { control: control('Reports'), texts: ['Revenue'], controls: [] },
  { control: control('Help'), texts: ['Contact'], controls: [] },
]);

describe('a map of an app', () => {
  const best = (instruction: string, screen: string, known: AppMap | null): string => {
    const scored = createWordScorer(undefined, known)({ instruction, history: [], screen, screenBefore: null });
    const [first] = scored.toSorted((left, right) => right.score - left.score);
    return first?.action.kind === 'click' ? first.action.ref : '';
  };

  it('[SEARCH-100] leads to what the screen does not show, one click on and further', () => {
    expect(best('Find the revenue.', home, map)).toBe('e2');
    expect(best('Ask them not to disturb me.', home, map)).toBe('e1');
    expect(best('Look for "Ann Lee".', home, map)).toBe('e1');
    expect(best('Find the revenue.', home, null)).not.toBe('e2');
  });

  it('[SEARCH-100] says nothing of words that the screen shows', () => {
    const score = (screen: string): number =>
      createWordScorer(undefined, map)({ instruction: 'Find the revenue.', history: [], screen, screenBefore: null })[1]
        ?.score ?? 0;
    expect(score(home)).toBeGreaterThan(2);
    expect(score(`${home}\nRevenue`)).toBeLessThan(score(home) - 2);
  });
});
