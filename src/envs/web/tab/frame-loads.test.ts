import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { take } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import type { Session } from '../../../core/contracts.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

const status = '<p id="o" role="status"></p><script>globalThis.add = word => { o.textContent += word + " " }</script>';
const picture = { picture: expect.stringMatching(/^[\da-f]{32}$/) };

/** Works in a page whose path `/slow` is answered after so many milliseconds. */
async function inPage(body: string, delay: number, work: (session: Session) => Promise<void>): Promise<void> {
  const pages = { '/': status + body, '/quick': '<p>quick</p>', '/slow': '<script>parent.add("inner")</script>' };
  const asked = async (path: string): Promise<void> => {
    if (path === '/slow') await wait(delay);
  };
  const environment = createPages({ pool, pages, asked });
  const session = await environment.open(await environment.task('look', 1));
  try {
    await work(session);
  } finally {
    await session.close();
  }
}

const shown = async (session: Session): Promise<string | undefined> =>
  / status "([^"]*)"/.exec((await session.observe()).text)?.[1]?.trim();

describe('frames that load another document', () => {
  const timer = 'setTimeout(() => add("timer"), 100)';
  const go = `onclick="${timer.replaceAll('"', "'")}; f.onload = () => add('loaded'); f.src = '/slow'"`;
  const frame = '<iframe id="f" src="/quick"></iframe>';

  it('[SITE-83] are there before any timer of the page runs, and before the step ends', async () => {
    await inPage(`<button ${go}>Go</button>${frame}`, 300, async session => {
      await take(session, 'Go');
      expect(await shown(session)).toBe('inner loaded timer');
      expect(await session.appearance?.()).toEqual(picture);
    });
  });

  it('[SITE-83] also when the step adds the first frame', async () => {
    const adds = `<script>const f = document.createElement('iframe'); f.id = 'f'</script><button ${go.replace("'/slow'", "'/slow'; document.body.append(f)")}>Go</button>`;
    await inPage(adds, 300, async session => {
      await take(session, 'Go');
      expect(await shown(session)).toBe('inner loaded timer');
    });
  });

  it('[SITE-83] take longer than a second: neither certified nor waited for', async () => {
    await inPage(`<button ${go}>Go</button>${frame}`, 6000, async session => {
      await take(session, 'Go');
      expect(await shown(session)).toBe('timer');
      expect(await session.appearance?.()).toEqual({ moving: 'a frame that took longer than a second to load' });
    });
  });

  it('[SITE-83] because of a timer: loaded when the step ends, and not certified', async () => {
    const later = `<button onclick="setTimeout(() => { f.src = '/slow' }, 100)">Later</button>${frame}`;
    await inPage(later, 200, async session => {
      await take(session, 'Later');
      expect(await shown(session)).toBe('inner');
      expect(await session.appearance?.()).toEqual({ moving: expect.stringContaining('while timers ran') });
    });
  });
});

describe('an element that has to be scrolled to', () => {
  it('[SITE-84] is clicked after observers of the page were told of the scrolling', async () => {
    const body = `<p style="height: 1500px">tall</p><p id="e">end</p><button onclick="add('clicked')">Go</button>
      <script>new IntersectionObserver(([entry]) => { if (entry.isIntersecting) add('seen') }).observe(e)</script>`;
    await inPage(body, 0, async session => {
      await take(session, 'Go');
      expect(await shown(session)).toBe('seen clicked');
    });
  });

  it('[SITE-84] is clicked after frames were told of the scrolling', async () => {
    const inner = `<p id='e'>end</p><script>new IntersectionObserver(([entry]) => { if (entry.isIntersecting) parent.add('seen') }).observe(e)</script>`;
    const body = `<p style="height: 1500px">tall</p><iframe srcdoc="${inner}"></iframe><button onclick="add('clicked')">Go</button>`;
    await inPage(body, 0, async session => {
      await take(session, 'Go');
      expect(await shown(session)).toBe('seen clicked');
    });
  });
});
