import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { take } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

/** The digest at the start and after a click, in a page of its own. */
async function digestsOf(body: string): Promise<readonly string[]> {
  const environment = createPages({ pool, pages: { '/': body } });
  const session = await environment.open(await environment.task('look', 1));
  try {
    const first = await session.digest();
    await take(session, 'Do');
    return [first, await session.digest()];
  } finally {
    await session.close();
  }
}

const button = '<button id="b">Do</button>';
const assigns = `<script>(() => { let t = ''; b.addEventListener('click', () => { t = 2 }) })()</script>`;

const pages: readonly (readonly [what: string, body: string])[] = [
  ['an empty frame and a closure variable', `<iframe></iframe>${button}${assigns}`],
  ['a frame with a text', `<iframe srcdoc="<script>let n = 0; up = () => n++</script>"></iframe>${button}${assigns}`],
  [
    'a date of a frame',
    `<iframe id="f"></iframe>${button}<script>(() => { let t = new f.contentWindow.Date(5); b.onclick = () => { t = 2 } })()</script>`,
  ],
  [
    'a timer of a frame',
    `<iframe id="f"></iframe>${button}<script>(() => { let t = 0; f.contentWindow.setTimeout(() => { t++ }, 9999); b.onclick = () => { t = 2 } })()</script>`,
  ],
];

describe('digests of pages with frames', () => {
  it.each(pages)('[SITE-50] are the same each time the page is opened: %s', async (_what, body) => {
    const [start, clicked] = await digestsOf(body);
    expect(await digestsOf(body)).toEqual([start, clicked]);
    expect(clicked).not.toBe(start);
  });
});
