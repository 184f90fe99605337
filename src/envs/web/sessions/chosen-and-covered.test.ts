import { afterAll, describe, expect, it } from 'vitest';
import { take } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool } from '../browser/pool.ts';

const pool = createBrowserPool({ timers: createSystemTimers() });
afterAll(() => pool.close());

async function openPage(body: string) {
  const environment = createPages({ pool, pages: { '/': body } });
  return environment.open(await environment.task('look', 1));
}

/** A list that keeps its choice in a class, tabs, and rows whose class says what they are. */
const chosen = `<div id="list"><div class="item">Title</div><div class="item">Caption</div></div>
  <a class="tab tab--active" onclick="0">Layers</a><a class="tab" onclick="0">Fonts</a>
  <ul><li class="active" onclick="0">Ann</li><li class="active" onclick="0">Bob</li><li onclick="0">Eve</li></ul>
  <a class="tag not-selected" onclick="0">Red</a><a class="tag is-not-active" onclick="0">Blue</a><a class="tag" onclick="0">Pink</a>
  <button class="active" aria-pressed="false">Bold</button><button>Italic</button>
  <style>.item { cursor: pointer } .selected { background: #cde }</style>
  <script>document.onclick = ({ target }) => {
    if (target.matches('.item')) for (const item of list.children) item.classList.toggle('selected', item === target);
  }</script>`;

describe('what a page shows as chosen', () => {
  it('[SITE-80] is told with the element, and a choice of something else changes the screen', async () => {
    const session = await openPage(chosen);
    try {
      const before = (await session.observe()).text;
      expect(before).toMatch(/button "Title"\n/);
      expect(before).toMatch(/"Layers" \(selected\)\n.*"Fonts"\n/);
      await take(session, 'Caption');
      const after = (await session.observe()).text;
      expect(after).toMatch(/"Title"\n.*"Caption" \(selected\)\n/);
    } finally {
      await session.close();
    }
  }, 60_000);

  it('[SITE-80] is not read from a class that most of a kind have, nor where the page says it itself', async () => {
    const session = await openPage(chosen);
    try {
      const { text } = await session.observe();
      expect(text.match(/\(selected\)/g)).toHaveLength(1);
    } finally {
      await session.close();
    }
  }, 60_000);
});

/** A dialog made of two layers over a long page, with a message in front of both. */
const covered = `<button>Behind</button><div style="height:3000px"></div><button>Below</button>
  <div id="back" style="position:fixed;inset:0;background:#0008"></div>
  <div id="box" style="position:fixed;left:40%;top:40%;width:200px;height:80px;overflow:auto;background:#fff">
    <button onclick="back.remove(); box.remove()">Agree</button><div style="height:2000px"></div><button>Far down</button>
  </div>
  <div style="position:fixed;right:8px;top:8px"><button>Undo</button></div>`;

describe('what lies behind the backdrop of a dialog', () => {
  it('[SITE-81] is told and not offered, until the dialog is gone', async () => {
    const session = await openPage(covered);
    try {
      const { text } = await session.observe();
      expect(text).toMatch(/^ +button "Behind"$/m);
      expect(text).toMatch(/^ +button "Below"$/m);
      for (const name of ['Agree', 'Far down', 'Undo'])
        expect(text).toMatch(new RegExp(`\\[e\\d+\\] button "${name}"`));
      await take(session, 'Agree');
      const after = (await session.observe()).text;
      for (const name of ['Behind', 'Below', 'Undo']) expect(after).toMatch(new RegExp(`\\[e\\d+\\] button "${name}"`));
    } finally {
      await session.close();
    }
  }, 60_000);

  it('[SITE-81] is offered where a layer that fills the view is the page itself, or lets clicks through', async () => {
    const session = await openPage(
      `<div style="position:fixed;inset:0"><button>Inside</button></div>
       <div style="position:fixed;left:200px;top:200px"><button>Menu</button></div>
       <div style="position:fixed;inset:0;pointer-events:none"></div>`,
    );
    try {
      const { text } = await session.observe();
      for (const name of ['Inside', 'Menu']) expect(text).toMatch(new RegExp(`\\[e\\d+\\] button "${name}"`));
    } finally {
      await session.close();
    }
  }, 60_000);
});

const long = '<h1>News</h1><button>Top</button><div style="height:3000px"></div><button>Below</button>';
const backdrop = '<div style="position:fixed;inset:0;background:#0008"></div>';
/** Where no button may be lost. */
const open = {
  'a fixed background': `<div style="position:fixed;inset:0;z-index:-1;background:#eef"></div>${long}`,
  'a background under a raised page': `<div style="position:fixed;inset:0"></div><div style="position:relative">${long}</div>`,
  'a message in a layer that lets clicks through': `${long}<div style="position:fixed;inset:0;pointer-events:none">
    <p style="pointer-events:auto;margin:0">Saved <button>Undo</button></p></div>`,
  'a list that scrolls in front of a backdrop': `${backdrop}<div style="position:fixed;left:200px;top:100px;height:80px;overflow:auto">
    <button>One</button><div style="height:120px"></div><button>Two</button></div>`,
  'a long dialog that scrolls with the page': `${backdrop}<div style="position:absolute;top:50px;height:900px">
    <button>One</button><div style="height:800px"></div><button>Save</button></div>`,
  'a shadow root in a layer': `<form name="host"></form><div style="position:fixed;inset:0"><x-app></x-app></div>
    <script>document.querySelector('x-app').attachShadow({ mode: 'open' }).innerHTML = '<button>Add</button>'</script>`,
};

describe('what a layer that fills the view does not cover', () => {
  it.each(Object.entries(open))(
    '[SITE-89] is offered: %s',
    async (_, body) => {
      const session = await openPage(body);
      try {
        const { text } = await session.observe();
        expect(text).toMatch(/\[e\d+\] button/);
        expect(text).not.toMatch(/^ +button/m);
      } finally {
        await session.close();
      }
    },
    60_000,
  );

  it('[SITE-89] is not what lies behind the dialog itself', async () => {
    const box = 'position:fixed;left:200px;top:100px;width:200px;height:150px';
    const session = await openPage(
      `<button style="${box}">Behind</button>${backdrop}<div style="${box};background:#fff"><button>Agree</button></div>`,
    );
    try {
      const { text } = await session.observe();
      expect(text).toMatch(/^ +button "Behind"$/m);
      expect(text).toMatch(/\[e\d+\] button "Agree"/);
    } finally {
      await session.close();
    }
  }, 60_000);
});
