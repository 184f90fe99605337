import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBuiltIn } from '../../../catalog.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import type { StateEnvironment } from '../../../core/contracts.ts';
import { observationSchema, type Image } from '../../../core/records.ts';
import { createAppSession, type AppSession } from './app-session.ts';
import type { Page } from '../browser/page.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';
import type { Pictures } from '../tab/tab.ts';

const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 800 };
let world: StateEnvironment;
let pool: BrowserPool;
beforeAll(async () => {
  pool = createBrowserPool({ timers: createSystemTimers() });
  world = await openBuiltIn('mail');
});
afterAll(() => pool.close());

interface Opened {
  readonly session: AppSession;
  readonly page: Page;
}

async function open(pictures: Pictures | null, viewport = desk): Promise<Opened> {
  const pages: Page[] = [];
  const watched: BrowserPool = {
    ...pool,
    async open(size) {
      pages.push(await pool.open(size));
      return pages[0]!;
    },
  };
  const task = world.task(world.templates[0]!.id, 1);
  const look = { theme: 'light', density: 'comfortable' } as const;
  const session = await createAppSession(world.open(task), { pool: watched, viewport, look, pictures });
  return { session, page: pages[0]! };
}

/** What the header of a file says of its size. */
function sizeOf({ data }: Image): readonly [type: string, width: number, height: number] {
  const bytes = Buffer.from(data);
  if (bytes.toString('latin1', 1, 4) === 'PNG') return ['png', bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  expect(bytes.readUInt16BE(0)).toBe(0xffd8);
  let at = 2;
  // Parts before the one that begins the picture.
  while (bytes[at + 1] !== 0xc0 && bytes[at + 1] !== 0xc2) at += 2 + bytes.readUInt16BE(at + 2);
  return ['jpeg', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
}

describe('what is seen of an app', () => {
  it('[WEB-21] says where every element lies, and which of them are on the screen', async () => {
    const { session, page } = await open(null, phone);
    const { layout, text, image } = observationSchema.parse(await session.observe());
    const refs = [...text.matchAll(/\[(e\d+)\]/g)].map(match => match[1]);
    expect(layout?.elements.map(({ ref }) => ref)).toEqual(refs);
    expect([layout?.viewport, layout?.scroll, layout?.focus, image]).toEqual([phone, { x: 0, y: 0 }, null, undefined]);
    for (const { ref, box, inView } of layout!.elements) {
      const found = `(({ x, y, width, height }) => ({ x, y, width, height }))(document.querySelector('[data-ref=${ref}]').getBoundingClientRect())`;
      expect(await page.evaluate(found)).toEqual(box);
      expect(inView, ref).toBe(box.y < 844 && box.x < 390 && box.y + box.height > 0 && box.x + box.width > 0);
    }
    const seen = layout!.elements.filter(({ inView }) => inView).length;
    expect([seen > 5, seen < refs.length]).toEqual([true, true]);
    await session.close();
  });

  it('[WEB-21] follows scrolling and focus', async () => {
    const { session } = await open(null, phone);
    const before = (await session.observe()).layout!;
    const hidden = before.elements.find(({ box }) => box.y > 844)!;
    const dy = Math.round(hidden.box.y - 800);
    await session.step({ kind: 'scroll', x: 200, y: 500, dx: 0, dy });
    const scrolled = (await session.observe()).layout!;
    expect(scrolled.scroll).toEqual({ x: 0, y: dy });
    expect(scrolled.elements.find(({ ref }) => ref === hidden.ref)).toEqual({
      ref: hidden.ref,
      box: { ...hidden.box, y: hidden.box.y - dy },
      inView: true,
    });
    await session.step({ kind: 'press', key: 'Tab' });
    expect((await session.observe()).layout!.focus).toBe('e1');
    await session.close();
  });

  it('[WEB-22] pictures have the size of the screen, and the form that was asked for', async () => {
    for (const viewport of [desk, phone]) {
      const { width, height } = viewport;
      for (const type of ['image/png', 'image/jpeg'] as const) {
        const { session } = await open({ type, marks: false }, viewport);
        const { image } = observationSchema.parse(await session.observe());
        expect(image).toMatchObject({ type, width, height });
        expect(sizeOf(image!)).toEqual([type.slice(6), width, height]);
        expect(await session.observe()).toMatchObject({ image: image! });
        await session.close();
      }
    }
  });

  it('[WEB-22] the numbers of the elements are drawn on pictures only', async () => {
    const [plain, marked] = [
      await open({ type: 'image/png', marks: false }),
      await open({ type: 'image/png', marks: true }),
    ];
    const html = 'document.documentElement.outerHTML';
    const [without, seen] = [await plain.session.observe(), await marked.session.observe()];
    expect(Buffer.from(seen.image!.data).equals(without.image!.data)).toBe(false);
    expect([seen.text, seen.layout]).toEqual([without.text, without.layout]);
    expect(await marked.page.evaluate(html)).toBe(await plain.page.evaluate(html));
    await Promise.all([plain.session.close(), marked.session.close()]);
  });
});
