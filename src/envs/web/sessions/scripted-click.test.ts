import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actionFor, take } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import type { Session } from '../../../core/contracts.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

let own: BrowserPool;
let pool: BrowserPool;
/** What was done by hand. */
let hand: string[];
beforeEach(() => {
  own = createBrowserPool({ timers: createSystemTimers() });
  hand = [];
  pool = {
    ...own,
    async open(viewport) {
      const page = await own.open(viewport);
      const send: typeof page.send = (method, params) => {
        if (method.startsWith('Input.')) hand.push(String(params?.['type']));
        return page.send(method, params);
      };
      return { ...page, send };
    },
  };
});
afterEach(() => own.close());

/** Writes down what it is told, in the order in which it hears it. */
const types = `pointerover pointerenter mouseover mouseenter pointermove mousemove pointerdown mousedown focusin focusout pointerup mouseup
  click change submit pointerout mouseout mouseleave`;
const told = `<form onsubmit="event.preventDefault()"><label><input type="checkbox"> Agree</label><button><b>Send</b></button>
  <button type="button" id="gone">Gone</button></form><details><summary>More</summary>Inside</details><div onclick="0">Plain</div>
  <a href="#below">Below</a><p id="below"></p><pre id="out"></pre><script>
  const log = [];
  gone.addEventListener('mousedown', () => gone.remove());
  for (const type of ${JSON.stringify(types)}.split(/\\s+/)) document.addEventListener(type, event => {
    if (event.target.closest?.('main')) return;
    const { button, buttons, detail, target } = event;
    log.push([type, target.nodeName, button, buttons, detail].join(' '));
  }, true);
  setInterval(() => { out.textContent = log.join('; ') + ' ' + document.activeElement.nodeName + ' ' + location.hash; }, 100);
</script>`;

async function open(body: string): Promise<Session> {
  const environment = createPages({ pool, pages: { '/': body } });
  return environment.open(await environment.task('look', 1));
}

async function forked(session: Session, unchecked: boolean): Promise<Session> {
  return (await session.fork?.({ unchecked })) as Session;
}

/** Where the browser's own chance is told: how often the pointer moves. */
const withoutMoves = (text: string): string =>
  text.replaceAll(/(?:pointer|mouse)(?:move|over|out|enter|leave) [^;]*(?:; |(?= ))/g, '');

describe('a click in an unchecked fork', () => {
  it.each(['Agree', 'Send', 'Gone', 'More', 'Plain', 'Below'])(
    '[SITE-61] by script tells the page the same as one by hand: %s',
    async name => {
      const session = await open(told);
      const [byHand, byScript] = [await forked(session, false), await forked(session, true)];
      await take(byHand, name);
      expect(hand).not.toEqual([]);
      hand.length = 0;
      await take(byScript, name);
      expect(hand).toEqual([]);
      const [wanted, found] = [await byHand.observe(), await byScript.observe()];
      expect(withoutMoves(wanted.text)).toContain(name === 'Gone' ? 'mousedown' : 'click');
      expect(withoutMoves(found.text)).toBe(withoutMoves(wanted.text));
    },
  );

  it('[SITE-61] is done by hand where the browser does more for a person', async () => {
    const session = await open('<input aria-label="Name"><a href="/" target="_self">Home</a>');
    for (const name of ['Name', 'Home']) {
      const fork = await forked(session, true);
      hand.length = 0;
      const action = await actionFor(fork, name);
      await fork.step({ kind: 'click', ref: 'ref' in action ? action.ref : '' });
      expect(hand).toContain('mousePressed');
      await fork.close();
    }
  });
});
