import { afterAll, describe, expect, it } from 'vitest';
import { createBrowserPool } from '../../src/envs/web/browser/pool.ts';
import type { Page } from '../../src/envs/web/browser/page.ts';
import { createSystemTimers } from '../../src/system/clock.ts';
import { take } from '../fixtures/pages/retrace.ts';
import { isLong } from '../long-form.ts';
import { disagreements, readBrowserTree, readScreen } from './accessibility.ts';
import { triedApps } from './apps.ts';
import { openApp } from './site.ts';
import { walkApp } from './walk.ts';

const pool = createBrowserPool({ timers: createSystemTimers() });
afterAll(() => pool.close());
const [rollbacks, more] = isLong ? [60, 12] : [4, 0];

describe('apps of frameworks', () => {
  it('[FRAME-1] there are at least sixteen of them', () => {
    expect(triedApps.length).toBeGreaterThanOrEqual(16);
  });

  it.each(triedApps)(
    '[FRAME-1] $name: no rollback is wrong, and its share is restored',
    async ({ name, steps, least = 0 }) => {
      const environment = await openApp(name, { pool });
      const report = await walkApp(environment, { steps, more, rollbacks, seed: name });
      expect([report.wrong, report.unsteady]).toEqual([[], []]);
      expect(report.states).toBeGreaterThan(4);
      expect(report.restored / report.rollbacks, JSON.stringify(report.replayed)).toBeGreaterThanOrEqual(least);
    },
  );

  it.each(triedApps)(
    '[FRAME-2] $name: screens have the names and roles of the accessibility tree',
    async ({ name, steps }) => {
      let page: Page | undefined;
      const environment = await openApp(name, { pool, watch: opened => void (page = opened) });
      const session = await environment.open(await environment.task('look', 1));
      try {
        for (const step of [null, ...steps]) {
          if (step !== null) await take(session, step);
          const { text } = await session.observe();
          expect(disagreements(await readBrowserTree(page as Page), readScreen(text)), text).toEqual([]);
        }
      } finally {
        await session.close();
      }
    },
  );
});
