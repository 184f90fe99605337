import { afterAll, describe, expect, it } from 'vitest';
import { take } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool } from '../browser/pool.ts';

const pool = createBrowserPool({ timers: createSystemTimers() });
afterAll(() => pool.close());

/** A row that looks clickable and is not: one listener of the document follows the link in it. */
const body = `<style>.row, .card { cursor: pointer }</style>
  <table><tr class="row"><td><a data-id="58">INV-0058</a></td><td>Ridgeway</td></tr></table>
  <div class="card" onclick="out.textContent = 'card'"><a>Whole card</a></div>
  <p>See <a name="here">the notes</a>.</p><p role="status" id="out"></p>
  <script>document.addEventListener('click', ({ target }) => {
    const link = target.closest('a[data-id]');
    if (link !== null) document.getElementById('out').textContent = 'opened ' + link.dataset.id;
  })</script>`;

describe('links without an address', () => {
  it('[SEARCH-17] are offered in a row that only looks clickable, and not where the whole can be clicked', async () => {
    const environment = createPages({ pool, pages: { '/': body } });
    const session = await environment.open(await environment.task('look', 1));
    try {
      const { text } = await session.observe();
      expect(text).toMatch(/\[e\d+\] button "INV-0058"/);
      expect(text.match(/"Whole card"/g)).toHaveLength(1);
      expect(text).not.toMatch(/\[e\d+\].*the notes/);
      await take(session, 'INV-0058');
      expect((await session.observe()).text).toContain('opened 58');
    } finally {
      await session.close();
    }
  }, 60_000);
});
