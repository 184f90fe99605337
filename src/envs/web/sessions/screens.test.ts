import { afterAll, describe, expect, it } from 'vitest';
import { take } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import type { Session } from '../../../core/contracts.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool } from '../browser/pool.ts';

const pool = createBrowserPool({ timers: createSystemTimers() });
afterAll(() => pool.close());

async function withPage<T>(body: string, use: (session: Session) => Promise<T>): Promise<T> {
  const environment = createPages({ pool, pages: { '/': body } });
  const session = await environment.open(await environment.task('look', 1));
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

const screenOf = (body: string): Promise<string> =>
  withPage(body, async session => (await session.observe()).text.replace(/^.*\n/, ''));

const hears = (selector: string, ...types: string[]): string =>
  `<script>for (const type of ${JSON.stringify(types)}) document.querySelector('${selector}').addEventListener(type, () => 0)</script>`;

describe('what listens for what it holds', () => {
  it('[SITE-120] is no button: the root of an app, a list of controls, and what hears all kinds of events', async () => {
    const root = `<div id="root"><h1>Count</h1><button>More</button></div>${hears('#root', 'click')}`;
    expect(await screenOf(root)).toBe('  heading "Count"\n  [e1] button "More"\n');
    const list = `<p>Cards</p><ul><li>One <button>Open</button></li><li>Two <button>Close</button></li></ul>${hears('ul', 'click')}`;
    expect(await screenOf(list)).not.toMatch(/\[e\d\] (?!button "(Open|Close)")/);
    const kinds = 'click input change keydown keyup focusin focusout submit wheel scroll drag drop'.split(' ');
    expect(await screenOf(`<p>A</p><div id="root">Nothing yet</div>${hears('#root', ...kinds)}`)).not.toContain('[e');
  });

  it('[SITE-120] is a button where it looks like one, or holds one control beside other things', async () => {
    const card = `<div id="card" style="cursor:pointer">Card <button>One</button><button>Two</button></div>${hears('#card', 'click')}`;
    expect(await screenOf(`<p>A</p>${card}`)).toContain('[e1] button "Card One Two"');
    const row = `<p>A</p><div id="row">Row <button>Delete</button></div>${hears('#row', 'click')}`;
    expect(await screenOf(row)).toContain('[e1] button "Row Delete"');
    expect(await screenOf(`<p>A</p><div id="row">Row</div>${hears('#row', 'mousedown')}`)).toContain(
      '[e1] button "Row"',
    );
  });
});

describe('what has a handler of a framework', () => {
  it('[SITE-123] is a button, where a listener at the root calls it', async () => {
    const screen =
      await screenOf(`<div id="root"><p>A</p><div id="a">Solid</div><div id="b">Svelte</div><div id="c">None</div></div>
      <script>document.addEventListener('click', () => 0);
      const [a, b, c] = ['a', 'b', 'c'].map(id => document.getElementById(id));
      a.$$click = () => 0; b[Symbol('events')] = { click: () => 0 }; c[Symbol('events')] = { input: () => 0 };</script>`);
    expect(screen).toContain('[e1] button "Solid"');
    expect(screen).toContain('[e2] button "Svelte"');
    expect(screen).not.toContain('[e3]');
  });
});

/** A button of an element in the shadow root of another, with a label in a slot. */
const nested = `<x-app></x-app><p role="status" id="out"></p><script>
  customElements.define('x-button', class extends HTMLElement {
    connectedCallback() {
      this.attachShadow({ mode: 'open' }).innerHTML = '<button><slot>Nothing</slot></button><span id="tip">Tip</span><input aria-labelledby="tip">';
      this.shadowRoot.querySelector('button').onclick = () => { out.textContent += this.textContent };
    }
  });
  customElements.define('x-app', class extends HTMLElement {
    connectedCallback() {
      this.attachShadow({ mode: 'open' }).innerHTML = '<x-button><b>Save</b></x-button><x-button>Send</x-button>';
    }
  });
</script>`;

describe('shadow roots', () => {
  it('[SITE-121] are on the screen with what stands in their slots, and are clicked where it lies', async () => {
    await withPage(nested, async session => {
      const before = (await session.observe()).text;
      expect(before.match(/\[e\d\] button "(Save|Send)"/g)).toHaveLength(2);
      expect(before.match(/textbox "Tip"/g)).toHaveLength(2);
      await take(session, 'Send', 'Save');
      expect((await session.observe()).text).toContain('status "SendSave"');
      await take(session, 'Tip=x');
      expect((await session.observe()).layout?.focus).toMatch(/^e\d$/);
    });
  });

  it('[SITE-121] hide what lies behind a layer inside of them', async () => {
    const covered = `<x-app></x-app><script>customElements.define('x-app', class extends HTMLElement {
      connectedCallback() {
        this.attachShadow({ mode: 'open' }).innerHTML =
          '<button>Under</button><div style="position:absolute;inset:0;width:300px;height:200px"></div>';
      }
    })</script>`;
    await withPage(covered, async session => {
      const outcome = await session.step({ kind: 'click', ref: 'e1' });
      expect(outcome.problem?.message).toContain('covered by div');
    });
  });
});

describe('an element without a box', () => {
  it('[SITE-124] shows what it holds', async () => {
    const screen = await screenOf(`<div style="display:contents"><button>Seen</button></div>
      <div style="display:contents;visibility:hidden"><button>Unseen</button></div>
      <div hidden><div style="display:contents"><button>Unseen</button></div></div>`);
    expect(screen).toBe('  [e1] button "Seen"\n');
  });
});

describe('the name of a field', () => {
  it('[SITE-122] is what its labels say, then its title, then its placeholder', async () => {
    const screen = await screenOf(`<label for="a">First</label><label for="a">part</label><input id="a" title="no">
      <input title="Title" placeholder="no"><input placeholder="Hint" aria-label=""><p id="l" hidden>Unseen</p>
      <input aria-labelledby="l missing" aria-label="no"><input aria-labelledby="missing" aria-label="Label">`);
    expect([...screen.matchAll(/textbox "(.*?)"/g)].map(match => match[1])).toEqual([
      'First part',
      'Title',
      'Hint',
      'Unseen',
      'Label',
    ]);
  });
});
