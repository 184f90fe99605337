import { afterAll, expect, it } from 'vitest';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import type { Page } from '../browser/page.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

const pool = createBrowserPool({ timers: createSystemTimers() });
afterAll(() => pool.close());

it('[WEB-40] reads the scripts of a page, and not the program that is put into it', async () => {
  const lengths: number[] = [];
  const heard = (page: Page): Page => ({
    ...page,
    async send<T>(method: string, given?: Parameters<Page['send']>[1]): Promise<T> {
      const answer = await page.send<T>(method, given);
      if (method === 'Debugger.getScriptSource') lengths.push((answer as { scriptSource: string }).scriptSource.length);
      return answer;
    },
  });
  const watched: BrowserPool = { ...pool, open: async viewport => heard(await pool.open(viewport)) };
  const script = 'let n = 0; go.onclick = () => n++';
  const environment = createPages({
    pool: watched,
    pages: { '/': `<button id="go">Go</button><script>${script}</script>` },
  });
  const session = await environment.open(await environment.task('look', 1));
  await session.step({ kind: 'click', ref: 'e1' });
  await session.close();
  expect(lengths).toContain(script.length);
  expect(Math.max(...lengths)).toBeLessThan(1000);
});
