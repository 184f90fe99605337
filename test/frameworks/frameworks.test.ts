import { afterAll, expect, it } from 'vitest';
import { createBrowserPool } from '../../src/envs/web/browser/pool.ts';
import type { Page } from '../../src/envs/web/browser/page.ts';
import { createSystemTimers } from '../../src/system/clock.ts';
import { isLong } from '../long-form.ts';
import { disagreements, readBrowserTree, readScreen } from './accessibility.ts';
import { triedApps } from './apps.ts';
import { openApp } from './site.ts';
import { walkApp } from './walk.ts';

const pool = createBrowserPool({ timers: createSystemTimers() });
afterAll(() => pool.close());
/**
 * Both forms walk every app; the short one takes the first steps of its way and goes back once. To open these apps is most of the
 * work, so it asks whether two pages agree only of apps that open soon.
 */
const { length, rollbacks, more } = isLong
  ? { length: Infinity, rollbacks: 60, more: 12 }
  : { length: 2, rollbacks: 1, more: 0 };

const opensSoon: ReadonlySet<string> = new Set('react-18 preact vue svelte solid lit htmx jquery'.split(' '));

it('[FRAME-1] there are apps of at least sixteen frameworks and libraries', () => {
  expect(triedApps.length).toBeGreaterThanOrEqual(16);
});

/** The share of rollbacks that a snapshot must restore. */
const least = 0.9;

it.each(triedApps)(
  '[FRAME-1] [FRAME-2] $name: no rollback is wrong, its share is restored, and its screens say what the browser says',
  async ({ name, steps, unsteady }) => {
    const pages: Page[] = [];
    const environment = await openApp(name, { pool, watch: page => void pages.push(page) });
    const report = await walkApp(environment, {
      steps: steps.slice(0, length),
      more,
      rollbacks,
      inOnePage: !isLong && !opensSoon.has(name),
      seed: name,
      async look(session) {
        const { text } = await session.observe();
        expect(disagreements(await readBrowserTree(pages[0] as Page), readScreen(text)), text).toEqual([]);
      },
    });
    const { states, wrong, replayed } = report;
    expect({ wrong, unsteady: unsteady === undefined ? report.unsteady : [] }).toEqual({ wrong: [], unsteady: [] });
    expect(states).toBeGreaterThan(isLong ? 4 : 1);
    // Where pages disagreed there may be none.
    expect(report.restored, JSON.stringify(replayed)).toBeGreaterThanOrEqual(least * report.rollbacks);
  },
);
