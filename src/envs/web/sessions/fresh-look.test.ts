import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionFor, take } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import type { Session, Snapshot } from '../../../core/contracts.ts';
import { createTrail } from '../../../worlds/trail.ts';
import type { Page } from '../browser/page.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

const timers = createSystemTimers();
const actor = { role: 'student', name: 'hand' } as const;
let own: BrowserPool;
let pool: BrowserPool;
let pages: Page[];
beforeAll(() => {
  own = createBrowserPool({ timers });
  pages = [];
  pool = {
    ...own,
    async open(viewport) {
      const page = await own.open(viewport);
      pages.push(page);
      return page;
    },
  };
});
afterAll(() => own.close());

/** Changes the looks of the open page behind its back, in a way that belongs to no kept snapshot. */
async function alter(rules: string): Promise<void> {
  const { styleSheetId } = await styleSheet();
  await pages.at(-1)?.send('CSS.setStyleSheetText', { styleSheetId, text: rules });
}

async function styleSheet(): Promise<{ styleSheetId: string }> {
  const page = pages.at(-1) as Page;
  const found = Promise.withResolvers<{ styleSheetId: string }>();
  const stop = page.listen(({ method, params }) => {
    if (method === 'CSS.styleSheetAdded') found.resolve(params['header'] as { styleSheetId: string });
  });
  await page.send('DOM.enable');
  await page.send('CSS.enable');
  const sheet = await found.promise;
  stop();
  return sheet;
}

const body = `<style>p { margin: 4px }</style><p id="secret">Secret words</p><button onclick="go()">Go</button>
  <p role="status" id="out"></p><script>let n = 0; function go() { document.getElementById('out').textContent = ++n }</script>`;

describe('what is shown after a restore', () => {
  it.each([
    ['its text', 'p { display: none }'],
    ['its layout', 'p { margin: 40px }'],
  ])('[FORK-7] is looked at again: %s differs from the record, so the path is walked', async (what, rules) => {
    const environment = createPages({ pool, pages: { '/': body } });
    const trail = await createTrail(environment, await environment.task('look', 1));
    try {
      const { text } = await trail.session().observe();
      await trail.step(await actionFor(trail.session(), 'Go'), actor);
      await alter(rules);
      const { method, divergence } = await trail.rollback(0);
      expect(method).toBe('replay');
      expect(divergence).toContain(`${what} differs from the record`);
      expect((await trail.session().observe()).text).toBe(text);
    } finally {
      await trail.session().close();
    }
  });

  it('[FORK-7] is of the page as it is: text, layout and picture are taken anew', async () => {
    const pictures = { type: 'image/png', marks: false } as const;
    const environment = createPages({ pool, pages: { '/': body }, pictures });
    const session: Session = await environment.open(await environment.task('look', 1));
    try {
      const snapshot = (await session.snapshot?.()) as Snapshot;
      const before = await session.observe();
      await take(session, 'Go');
      // A colour shows in pictures alone.
      await alter('p { margin: 4px } #secret { color: red }');
      await session.restore?.(snapshot);
      const after = await session.observe();
      expect({ text: after.text, layout: after.layout }).toEqual({ text: before.text, layout: before.layout });
      expect(after.layout).not.toBe(before.layout);
      expect(after.image?.data).not.toEqual(before.image?.data);
    } finally {
      await session.close();
    }
  });
});
