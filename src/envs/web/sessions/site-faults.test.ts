import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { kill } from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionFor, take } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages, pagesViewport } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import type { Environment, Session } from '../../../core/contracts.ts';
import type { StepOutcome } from '../../../core/records.ts';
import type { Page } from '../browser/page.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';
import { performOnElement } from './perform.ts';
import { openTab } from '../tab/tab.ts';
import { createWaiEnvironment } from '../sites/wai/environment.ts';

const timers = createSystemTimers();
/** Long enough for a page on a busy machine, short enough to wait for one that never answers. */
const patience = 6000;
const viewport = { width: 900, height: 600 };
let pool: BrowserPool;
let hostile: Environment;
beforeAll(async () => {
  pool = createBrowserPool({ timers, patience });
  const folder = join(import.meta.dirname, '../../../../test/fixtures/wai/hostile');
  hostile = await createWaiEnvironment({ folder, timers, pool, viewport, pictures: null });
});
afterAll(async () => {
  await hostile.close?.();
  await pool.close();
});

async function inSession<T>(environment: Environment, use: (session: Session) => Promise<T>): Promise<T> {
  const session = await environment.open(await environment.task(environment.templates[0]?.id ?? '', 1));
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

const incident = (kind: string, detail: unknown): StepOutcome => ({
  applied: true,
  incidents: [{ kind, detail: detail as string }],
});

describe('what a page does beside', () => {
  it('[SITE-13] is answered and recorded: dialogs, windows, downloads, other origins, errors', async () => {
    await inSession(hostile, async session => {
      const names = [
        'Announce',
        'Rename Printer on fire',
        'Delete Printer on fire',
        'Print preview',
        'Download report',
      ];
      const more = ['Ask the partner', 'Partner desk', 'Sync now', 'Push nonsense', 'Import legacy note'];
      expect(await take(session, ...names, ...more)).toEqual([
        incident('dialog', 'alert: The desk closes at five.'),
        incident('dialog', 'prompt, answered with nothing: New subject'),
        incident('dialog', 'confirm, answered with no: Delete "Printer on fire"?'),
        incident('popup', 'a window was refused: leave.html'),
        incident('download', 'a download was refused: files/report.csv'),
        incident('blocked', 'GET http://127.0.0.1:9/tickets'),
        incident('blocked', 'GET http://127.0.0.1:9/desk'),
        {
          applied: true,
          incidents: [
            { kind: 'error', detail: 'TypeError: Cannot sync: there is no queue. (/js/desk.js:85)' },
            { kind: 'error', detail: 'Error: The desk is not in sync. (/js/desk.js:84)' },
          ],
        },
        incident('refused', expect.stringContaining('not JSON')),
        { applied: true },
      ]);
      const { text } = await session.observe();
      expect(text).toContain('page "Ticket Desk"');
      // Written in another encoding than UTF-8.
      expect(text).toMatch(/[À-ÿ]/);
    });
  });

  it('[SITE-13] is answered and recorded: leaving, with and without being asked', async () => {
    await inSession(hostile, async session => {
      const [, stays, , leaves] = await take(
        session,
        'Ask before leaving',
        'Leave the desk',
        'Ask before leaving',
        'Leave the desk',
      );
      expect(stays).toEqual(incident('dialog', 'beforeunload, answered with no: '));
      expect(leaves).toEqual({ applied: true });
      expect((await session.observe()).text).toContain('You left the desk');
      expect(await take(session, 'Back to the desk')).toEqual([{ applied: true }]);
      expect((await session.observe()).text).toContain('Ticket desk');
    });
  });

  it('[SITE-13] is answered and recorded: links and forms for other windows, files and texts that keys undo', async () => {
    const body = `<a href="/x" target="_blank">Blank</a><form action="/x" target="other"><button>Send</button></form>
      <form action="http://127.0.0.1:9/"><button>Away</button></form><input aria-label="Field">
      <button onclick="document.execCommand('undo')">Undo</button>`;
    await inSession(createPages({ pool, pages: { '/': body } }), async session => {
      const outcomes = await take(
        session,
        'Blank',
        'Send',
        'Away',
        'Field=abc',
        { kind: 'press', key: 'Control+z' },
        'Undo',
      );
      expect(outcomes).toEqual([
        incident('popup', 'a window was refused: /x'),
        incident('popup', 'a window was refused: that of a form'),
        incident('blocked', 'GET http://127.0.0.1:9/?'),
        { applied: true },
        { applied: true },
        incident('blocked', 'undo: the history of a field is not kept'),
      ]);
      expect((await session.observe()).text).toContain('textbox "Field": abc');
    });
  });

  it('[SITE-13] while it is loaded is recorded with the first step, whenever that is taken', async () => {
    const body = `<button>Go</button><script>alert('hello'); missing()</script>`;
    await inSession(createPages({ pool, pages: { '/': body } }), async session => {
      const snapshot = await session.snapshot?.();
      const [first] = await take(session, 'Go');
      expect(first?.incidents?.map(({ kind }) => kind).toSorted()).toEqual(['dialog', 'error']);
      expect(await take(session, 'Go')).toEqual([{ applied: true }]);
      await session.restore?.(snapshot as never);
      expect(await take(session, 'Go')).toEqual([first]);
    });
  });
});

describe('an action that cannot be done', () => {
  const tall = '<div style="height:3000px">tall</div>';
  const bodies = `<button id="top">Top</button><a href="#x" aria-disabled="true">Off</a><button disabled>Dead</button>${tall}
    <div style="position:relative"><button id="under">Under</button><div id="over" style="position:absolute;inset:0">Over</div></div>
    <select aria-label="Pick"><option>one<option disabled>two</select><input type="date" aria-label="Day"><p role="status" id="out"></p>
    <script>let n = 0; const tell = () => { document.getElementById('out').textContent = ++n }; addEventListener('scroll', tell);
      for (const kind of ['input', 'change', 'click', 'focusin']) addEventListener(kind, tell)</script>`;

  it('[SITE-14] is refused with the reason, and nothing of the page has changed or heard of it', async () => {
    await inSession(createPages({ pool, pages: { '/': bodies } }), async session => {
      const before = [await session.digest(), await session.observe()];
      const refused = async (...steps: Parameters<typeof take>[1][]): Promise<string[]> => {
        const outcomes = await take(session, ...steps);
        expect(outcomes.map(({ applied }) => applied)).toEqual(steps.map(() => false));
        return outcomes.map(({ problem }) => problem?.message ?? '');
      };
      const [pick] = [await actionFor(session, 'Pick=one')] as { ref: string }[];
      expect(await refused('Under', 'Pick=two', 'Pick=three', 'Day=tomorrow', 'Top=text')).toEqual([
        'e2 cannot be reached: it is covered by div "Over".',
        '"two" is not offered: one, two.',
        '"three" is not offered: one, two.',
        '"tomorrow" is not a value of this date field.',
        'e1 takes click, not fill.',
      ]);
      expect(await refused({ kind: 'click', ref: 'e99' }, { kind: 'fill', ref: pick?.ref ?? '', text: 'x' })).toEqual([
        'There is no element e99: this screen has e1 to e4.',
        'e3 takes select, not fill.',
      ]);
      expect([await session.digest(), await session.observe()]).toEqual(before);
      expect(await take(session, 'Top')).toEqual([{ applied: true }]);
      expect((await session.observe()).text).toContain('status "2"');
    });
  });

  it('[SEARCH-70] is scrolled to in a dialog or a list that hides it, though it lies within the window', async () => {
    const body = `<div style="height:80px;overflow:auto"><div style="height:200px">Terms</div><button id="low">Accept</button></div>
      <div style="height:300px">Below</div><p role="status" id="out">open</p>
      <script>document.getElementById('low').onclick = () => { document.getElementById('out').textContent = 'accepted' }</script>`;
    await inSession(createPages({ pool, pages: { '/': body } }), async session => {
      expect(await take(session, 'Accept')).toEqual([{ applied: true }]);
      expect((await session.observe()).text).toContain('status "accepted"');
    });
  });

  it('[SEARCH-72] has the title of a sign beside it, and a name of words alone', async () => {
    const body = '<button title="Star">☆</button><button title="Send it now">Send</button>';
    await inSession(createPages({ pool, pages: { '/': body } }), async session => {
      const { text } = await session.observe();
      expect(text).toContain('button "☆ Star"');
      expect(text).toContain('button "Send"');
    });
  });

  it('[SITE-14] is refused where the element has vanished since it was seen', async () => {
    const page = await pool.open(pagesViewport);
    const site = {
      url: 'http://pages.test/',
      headers: {},
      start: 0,
      seed: 1,
      capture: () => ({ text: '' }),
      restore: () => null,
      close: () => undefined,
    };
    const files = () =>
      Promise.resolve({ type: 'text/html', body: Buffer.from('<button>One</button><button>Two</button>') });
    const tab = await openTab(page, { ...site, files });
    try {
      await tab.rest(100);
      await page.evaluate('document.querySelector("button").remove()');
      expect(await performOnElement(tab.page, { kind: 'click', ref: 'e1' })).toEqual({
        code: 'unknown-element',
        message: 'e1 is no longer on the screen: it vanished after it was seen.',
      });
    } finally {
      await tab.close();
    }
  });
});

describe('a page with scripts that do not run', () => {
  it.each([
    ['in a template', '<template><script>1</script></template>'],
    ['in an element that is held apart', '<script>const apart = document.createElement("script")</script>'],
  ])('[SITE-30] is opened, and goes back: %s', async (_where, body) => {
    await inSession(createPages({ pool, pages: { '/': `<h1>Here</h1>${body}` } }), async session => {
      expect((await session.observe()).text).toContain('heading "Here"');
    });
  });
});

describe('a page that does not stay', () => {
  it.each([
    ['at once', '<script>location.reload()</script>'],
    ['when it is loaded', '<script>onload = () => location.reload()</script>'],
    ['by a timer', '<script>setTimeout(() => location.reload(), 10)</script>'],
    ['by its head', '<meta http-equiv="refresh" content="0">'],
    ['to another origin', '<script>location.href = "http://127.0.0.1:5001/"</script>'],
  ])('[SITE-26] is opened, and stays where it is in the end: %s', async (_when, body) => {
    await inSession(createPages({ pool, pages: { '/': `<h1>Here</h1>${body}` } }), async session => {
      expect((await session.observe()).text).toContain('heading "Here"');
    });
  });
});

describe('a page that breaks', () => {
  const typed = { boundary: 'environment', code: 'deadline' };

  it('[SITE-15] that runs for ever on a click is a typed error within its patience; the session and the environment go on', async () => {
    await inSession(hostile, async session => {
      const [digest, seen] = [await session.digest(), await session.observe()];
      await expect(take(session, 'Recount everything')).rejects.toMatchObject(typed);
      expect([await session.digest(), await session.observe()]).toEqual([digest, seen]);
    });
    await inSession(hostile, async session => {
      expect(await take(session, 'Announce')).toEqual([incident('dialog', 'alert: The desk closes at five.')]);
    });
  });

  it('[SITE-15] that never finishes loading, or never comes to rest, is a typed error or said so', async () => {
    const never = new Promise<void>(() => undefined);
    const asked = (path: string) => (path === '/slow.png' ? never : Promise.resolve());
    const loading = createPages({ pool, pages: { '/': '<img src="/slow.png">' }, asked });
    await expect(inSession(loading, async () => undefined)).rejects.toMatchObject(typed);
    const restless = '<button onclick="go()">Go</button><script>function go() { setTimeout(go, 1) }</script>';
    await inSession(createPages({ pool, pages: { '/': restless } }), async session => {
      const [outcome] = await take(session, 'Go');
      expect(outcome).toEqual(incident('busy', expect.stringContaining('the page did not come to rest')));
    });
  });

  it('[SITE-15] whose server is gone is a typed error', async () => {
    const server = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<a href="/next">Next</a>'),
    );
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const tab = await openTab(await pool.open(viewport), {
      url,
      headers: {},
      start: 0,
      seed: 1,
      capture: () => ({ text: '' }),
      restore: () => null,
      close: () => undefined,
    });
    try {
      await tab.rest(100);
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
      expect(await performOnElement(tab.page, { kind: 'click', ref: 'e1' })).toBeNull();
      await expect(tab.rest(100)).rejects.toMatchObject({
        boundary: 'environment',
        code: 'unavailable',
        message: expect.stringContaining('/next cannot be loaded'),
      });
    } finally {
      await tab.close();
    }
  });

  it.each(['page', 'browser'])(
    '[SITE-16] whose %s dies in the middle of a step: the step is done again in another one, and it says so',
    async what => {
      const pages: Page[] = [];
      const own = createBrowserPool({ timers, patience });
      const watched: BrowserPool = {
        ...own,
        async open(given) {
          const page = await own.open(given);
          pages.push(page);
          return page;
        },
      };
      const body = `<button id="go">Go</button><p id="out" role="status"></p><script>let n = 0;
      document.getElementById('go').onclick = async () => { n++; await fetch('/data'); document.getElementById('out').textContent = 'done ' + n }</script>`;
      let requests = 0;
      const asked = async (path: string): Promise<void> => {
        if (path !== '/data' || ++requests !== 2) return;
        if (what === 'browser') kill(-(own.figures().processes.at(-1) ?? 0), 'SIGKILL');
        else
          await pages
            .at(-1)
            ?.send('Page.crash')
            .catch(() => null);
      };
      const environment = createPages({ pool: watched, pages: { '/': body, '/data': '' }, asked });
      try {
        await inSession(environment, async session => {
          const [first, second, third] = await take(session, 'Go', 'Go', 'Go');
          expect(first).toEqual({ applied: true });
          expect(second).toEqual(incident('lost', 'the page was lost; its state was reached again in another one'));
          expect(third).toEqual({ applied: true });
          expect((await session.observe()).text).toContain('status "done 3"');
          await inSession(environment, async undisturbed => {
            await take(undisturbed, 'Go', 'Go', 'Go');
            expect(await undisturbed.digest()).toBe(await session.digest());
          });
        });
      } finally {
        await own.close();
      }
    },
  );
});
