import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { retrace, take, type Step } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

const style = '<style>body { margin: 0 } button { position: absolute; width: 100px; height: 40px }</style>';

function page(body: string, script: string): string {
  return `${style}${body}<p id="out" role="status" style="position:absolute;top:300px"></p><script>
    let log = ''; const say = word => { log += word; document.getElementById('out').textContent = log }; ${script}</script>`;
}

const at = (kind: 'click-at' | 'hover-at', x: number, y: number): Step => ({ kind, x, y });
const wait = (milliseconds: number): Step => ({ kind: 'wait', milliseconds });

async function expectExact(body: string, steps: readonly Step[], shown: string): Promise<void> {
  const retraced = await retrace(createPages({ pool, pages: { '/': body } }), steps);
  expect(retraced.shown).toContain(shown);
  expect(retraced).toMatchObject({ reasons: [], restored: steps.length + 1 });
}

describe('the pointer', () => {
  it('[SITE-17] is where it was after a rollback, and the page hears nothing of its way', async () => {
    const body = page(
      '<button id="A" style="left:0">A</button><button id="B" style="left:200px">B</button>',
      `for (const each of [A, B]) for (const kind of ['enter', 'leave', 'down']) each.addEventListener('mouse' + kind, () => say(kind[0] + each.id));`,
    );
    const steps = [
      at('hover-at', 50, 20),
      at('hover-at', 250, 20),
      wait(100),
      'A',
      at('click-at', 50, 20),
      at('hover-at', 500, 20),
    ];
    await expectExact(body, steps, 'eAlAeBlBeAdAlAeAdAlA');
  });

  it('[SITE-17] is off the page after an action on an element that needs no pointer', async () => {
    const body = page(
      '<select aria-label="Size" style="position:absolute;left:0;top:0"><option>S</option><option>L</option></select>',
      `addEventListener('keydown', () => say(document.querySelectorAll(':hover').length))`,
    );
    const steps: Step[] = [at('hover-at', 10, 10), 'Size=L', { kind: 'press', key: 'F2' }];
    await expectExact(body, steps, 'status "0"');
  });

  it('[SITE-17] keeps open what is open under it, and hears of what comes to lie under it at once', async () => {
    const menu = page(
      `<style>#m .sub { display: none } #m:hover .sub { display: block }</style>
       <div id="m" style="width:200px">Menu<div class="sub"><button id="In" style="position:static">In</button></div></div>`,
      `let n = 0; document.getElementById('In').onclick = () => say('clicked ' + ++n)`,
    );
    await expectExact(
      menu,
      [at('hover-at', 20, 8), 'In', at('hover-at', 20, 8), at('click-at', 20, 30), wait(100)],
      'clicked 1clicked 2',
    );
    const moving = page(
      '<button id="A" style="left:0">A</button>',
      `A.onmouseenter = () => say('e'); A.onmouseleave = () => say('l');
       A.onclick = () => { A.style.left = '200px'; setTimeout(() => { A.style.left = '0px' }, 700) }`,
    );
    await expectExact(
      moving,
      [at('click-at', 50, 20), wait(300), wait(900), at('hover-at', 5, 200), at('click-at', 50, 20)],
      'elelel',
    );
  });

  it('[SITE-17] drags, turns the wheel and clicks twice, the same each time', async () => {
    const body = page(
      `<div id="box" style="position:absolute;left:10px;top:10px;width:50px;height:50px;background:red"></div>
       <div id="list" style="position:absolute;left:300px;width:200px;height:150px;overflow:auto"><div style="height:3000px">tall</div></div>`,
      `let from = null; box.onmousedown = ({ clientX, clientY }) => { from = [clientX - box.offsetLeft, clientY - box.offsetTop] };
       onmousemove = ({ clientX, clientY }) => { if (from) { box.style.left = clientX - from[0] + 'px'; box.style.top = clientY - from[1] + 'px' } };
       onmouseup = () => { if (from) say(box.style.left + box.style.top); from = null };
       for (const kind of ['dblclick', 'contextmenu']) addEventListener(kind, () => say(kind[0])); list.onscroll = () => say('s' + list.scrollTop)`,
    );
    const drag: Step = { kind: 'drag', from: { x: 30, y: 30 }, to: { x: 130, y: 130 } };
    const turn: Step = { kind: 'scroll', x: 350, y: 50, dx: 0, dy: 120 };
    const steps: Step[] = [
      drag,
      turn,
      { kind: 'click-at', x: 9, y: 250, double: true },
      turn,
      { kind: 'click-at', x: 9, y: 250, button: 'right' },
    ];
    await expectExact(body, steps, '110px110pxs120ds240c');
  });

  it('[SITE-17] what is drawn anew under it hears of it at rest, and never when it was taken off', async () => {
    const body = page(
      '<div id="place"></div>',
      `let n = 0; const draw = () => {
         n++; const name = 'B' + n;
         place.innerHTML = '<button style="left:0">' + name + '</button>';
         const button = place.firstChild;
         for (const kind of ['enter', 'leave']) button.addEventListener('mouse' + kind, () => say(kind[0] + name));
         button.onclick = draw;
       }; draw()`,
    );
    await expectExact(body, ['B1', 'B2', at('click-at', 50, 20), wait(100)], 'eB1eB2eB3eB4');
  });

  it('[SITE-148] a box with a style for how it was scrolled is replayed once it was', async () => {
    const body = page(
      `<style>@container scroll-state(scrolled: bottom) { i { color: rgb(1, 2, 3) } }</style>
       <div style="width:200px;height:80px;overflow:auto;container-type:scroll-state"><i id="i">i</i><p style="height:900px">x</p></div>`,
      `addEventListener('keydown', () => say(getComputedStyle(i).color + ';'))`,
    );
    const turn: Step = { kind: 'scroll', x: 40, y: 40, dx: 0, dy: 120 };
    const look: Step = { kind: 'press', key: 'F2' };
    const retraced = await retrace(createPages({ pool, pages: { '/': body } }), [look, turn, look]);
    // A rollback to where the page stands changes nothing.
    expect(retraced).toMatchObject({ shown: expect.stringContaining('rgb(0, 0, 0);rgb(1, 2, 3);'), restored: 1 });
    expect(retraced.reasons[0]).toContain('container-type: scroll-state');
  });

  it('[SITE-17] cannot leave the page: what lies outside is refused', async () => {
    const environment = createPages({ pool, pages: { '/': page('<button>A</button>', '') } });
    const session = await environment.open(await environment.task('look', 1));
    try {
      const before = await session.digest();
      const outcomes = await take(session, at('click-at', 600, 20), at('hover-at', 20, 400), {
        kind: 'drag',
        from: { x: 1, y: 1 },
        to: { x: 1, y: 900 },
      });
      expect(outcomes.map(({ applied, problem }) => [applied, problem?.message])).toEqual(
        ['(600, 20)', '(20, 400)', '(1, 900)'].map(point => [
          false,
          `${point} lies outside of the page: it is 600 wide and 400 high.`,
        ]),
      );
      expect(await session.digest()).toBe(before);
    } finally {
      await session.close();
    }
  });
});
