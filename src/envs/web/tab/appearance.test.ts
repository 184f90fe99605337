import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../../test/fixtures/episode-setup.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import type { Appearance, Session } from '../../../core/contracts.ts';
import type { EpisodeRecord } from '../../../core/episode/record.ts';
import { verdictOn } from '../../../episode/cursor/verdict.ts';
import { certify, pathTo, type RecordedPath } from '../../../episode/certify/certify.ts';
import { createLinear } from '../../../episode/strategies/linear.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

const timers = createSystemTimers();
let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers });
});
afterAll(() => pool.close());

const start = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30">';
const smil = `${start}<rect width="10" height="30" fill="red"><animate attributeName="width" from="10" to="60" dur="5s" repeatCount="indefinite"/></rect></svg>`;
const keyframes = '@keyframes a { to { width: 60px } } rect { animation: a 5s linear infinite }';
const animated = `${start}<style>${keyframes}</style><rect width="10" height="30" fill="red"/></svg>`;
const starting = 'rect { transition: width 3s; width: 60px } @starting-style { rect { width: 10px } }';
const transition = `${start}<style>${starting}</style><rect width="10" height="30" fill="red"/></svg>`;
const marquee = `${start}<foreignObject width="60" height="30"><marquee xmlns="http://www.w3.org/1999/xhtml">x</marquee></foreignObject></svg>`;
const addressOf = (svg: string): string => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
const box = 'display: inline-block; width: 60px; height: 30px;';

/** One red and one blue frame, a second each. */
const gif = `data:image/gif;base64,${Buffer.from(
  '47494638396101000100800000ff00000000ff21ff0b4e45545343415045322e300301000000' +
    '21f90400640000002c000000000100010000020244010021f90400640000002c00000000010001000002024c01003b',
  'hex',
).toString('base64')}`;

const still: Readonly<Record<string, string>> = {
  'an SVG image': `<img src="${addressOf(smil)}">`,
  'backgrounds, masks and bullets': `<i style="${box} background: url(${addressOf(smil)})"></i>
    <i style="${box} background: blue; mask-image: url(${addressOf(smil)})"></i>
    <ul style="list-style-image: url(${addressOf(smil)})"><li>one</ul>`,
  'objects and images in SVG': `<object data="${addressOf(smil)}"></object><svg><image href="${addressOf(smil)}"/></svg>`,
  'an SVG image that speaks of animation': `<img src="${addressOf(`${start}<title>animation &#65;</title><rect width="9" height="9"/></svg>`)}">`,
  'a GIF': `<img width="30" height="30" src="${gif}"><i style="${box} background: url(${gif})"></i>`,
  'shadow roots': `<p id="o"></p><p id="c"></p><p><template shadowrootmode="closed">${smil}${animated}</template></p><script>
    for (const [host, mode] of [[o, 'open'], [c, 'closed']]) host.attachShadow({ mode }).innerHTML = '${smil}${animated}'</script>`,
  'a frame': `<iframe srcdoc='${smil}${animated}'></iframe>`,
  'a use of an animated shape': `<svg style="display: none"><g id="g">${smil}</g></svg><svg><use href="#g"/></svg>`,
  'a marquee': '<marquee>hello</marquee>',
  'an animation that follows the scrolling': `<style>${keyframes} div { animation: a linear; animation-timeline: scroll() }</style><div>x</div>`,
  'progress bars and players that are not drawn': `<progress hidden></progress><dialog><progress></progress></dialog>
    <div style="display: none"><progress></progress><audio controls preload="none" src="x.mp3"></audio></div>
    <video hidden preload="none" src="x.mp4"></video>`,
  'players without a source': '<video controls></video><audio controls></audio>',
  'an image input whose load no script hears': `<input type="image" alt="x" src="${gif}"><script>addEventListener('load', () => {}, true)</script>`,
  'a caret': '<input autofocus aria-label="X" value="x">',
};

const moving: Readonly<Record<string, readonly [body: string, reason: string]>> = {
  'style animations in an SVG image': [`<img src="${addressOf(animated)}">`, 'an SVG image that may animate'],
  'style animations in an SVG image of a blob': [
    `<img id="i"><script>i.src = URL.createObjectURL(new Blob(['${animated}'], { type: 'image/svg+xml' }))</script>`,
    'an SVG image that may animate',
  ],
  'a transition in an SVG image': [`<img src="${addressOf(transition)}">`, 'an SVG image that may animate'],
  'a marquee in an SVG image': [`<img src="${addressOf(marquee)}">`, 'an SVG image that may animate'],
  'a progress bar without a value': ['<progress></progress>', 'a progress bar without a value'],
  'a progress bar that is there and cannot be seen': [
    '<progress style="visibility: hidden"></progress>',
    'a progress bar without a value',
  ],
  'a progress bar in a frame': ['<iframe srcdoc="<progress></progress>"></iframe>', 'a progress bar without a value'],
  'a video that is not drawn': ['<video hidden src="x.mp4"></video>', 'a player of media'],
  'a sound in a frame': ['<iframe srcdoc="<audio src=x.mp3></audio>"></iframe>', 'a player of media'],
  'a sound outside of the document': [
    `<script>const a = document.createElement('audio'); a.setAttribute('src', 'x.mp3')</script>`,
    'a player of media',
  ],
  'a video that waits': ['<video preload="none" src="x.mp4"></video>', 'an element video'],
  'a player of a file': ['<audio controls preload="none" src="x.mp3"></audio>', 'an element audio'],
  'a progress bar in a closed shadow root': [
    '<p><template shadowrootmode="closed"><progress></progress></template></p>',
    'a progress bar without a value',
  ],
  'an image input': [`<input type="Image" alt="x" src="${gif}" onload="document.title += 1">`, 'an image input'],
  'an image input whose load the document hears': [
    `<script>document.addEventListener('load', () => {}, true)</script><input type="image" alt="x" src="${gif}">`,
    'an image input',
  ],
  'an image input in a shadow root': [
    `<p><template shadowrootmode="open"><b><input type="image" alt="x" src="${gif}"></b></template></p>`,
    'an image input',
  ],
  interestfor: ['<button interestfor="h">x</button><p id="h" popover="hint">hint</p>', 'interestfor'],
};

async function inPage<T>(body: string, work: (session: Session) => Promise<T>): Promise<T> {
  const environment = createPages({ pool, pages: { '/': body } });
  const session = await environment.open(await environment.task('look', 1));
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

describe('what a page looks like', () => {
  it.each(Object.entries(still))('[SITE-35] %s does not follow the real clock', async (_, body) => {
    const [before, after] = await inPage(body, async session => {
      const first = await session.appearance?.();
      await wait(700);
      return [first, await session.appearance?.()];
    });
    expect(before).toEqual({ picture: expect.stringMatching(/^[\da-f]{32}$/) });
    expect(after).toEqual(before);
  });

  it.each(Object.entries(moving))('[SITE-110] [SITE-47] [CERT-12] %s: no certificate', async (_, [body, reason]) => {
    const look = await inPage(body, async session => session.appearance?.());
    expect(look).toEqual({ moving: expect.stringContaining(reason) });
    const recorded = { picture: 'still' };
    expect(await certified(body, recorded)).toMatchObject({
      certified: false,
      what: 'picture',
      got: expect.stringContaining(reason),
    });
  });

  it('[CERT-11] a replay that looks otherwise is not certified', async () => {
    const body = '<p>one</p>';
    const look = await inPage(body, async session => session.appearance?.());
    expect(await certified(body, look ?? null)).toEqual({ certified: true });
    expect(await certified(body, { picture: 'another' })).toMatchObject({
      certified: false,
      what: 'picture',
      expected: 'another',
    });
  });

  it('[CERT-12] a leaf that moved when it was recorded is not certified, though its replay stands still', async () => {
    const found = await certified('<p>one</p>', { moving: 'a progress bar without a value' });
    expect(found).toMatchObject({ certified: false, what: 'picture', got: expect.stringContaining('progress bar') });
  });

  it('[CERT-11] a leaf without a recorded picture is not certified, and the reason says what to do', async () => {
    const found = await certified('<p>one</p>', null);
    expect(found).toMatchObject({
      certified: false,
      what: 'picture',
      got: expect.stringContaining('collect it again'),
    });
  });

  it('[CERT-12] the record of a leaf says what moves in it', async () => {
    const environment = createPages({ pool, pages: { '/': '<progress></progress>' } });
    const student = { name: 'finisher', act: () => ({ action: { kind: 'finish' } as const }) };
    const tasks = [await environment.task('look', 1)];
    const { records } = await run({ tasks, parts: { environment, student, strategy: createLinear() }, timers });
    const [record] = records as [EpisodeRecord];
    expect(record.leaves).toMatchObject([{ moving: 'a progress bar without a value' }]);
    expect(pathTo(record, record.end.leaf).appearance).toEqual({ moving: 'a progress bar without a value' });
  });
});

async function certified(body: string, appearance: Appearance | null): Promise<object> {
  const environment = createPages({ pool, pages: { '/': body } });
  const recorded = await inPage(body, async session => {
    const { text } = await session.observe();
    const [root, verdict] = [await session.digest(), verdictOn(await session.verify(), false)];
    return { task: session.task, root, steps: [], screen: text, appearance, verdict } satisfies RecordedPath;
  });
  return certify(environment, recorded);
}
