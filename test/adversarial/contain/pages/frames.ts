import type { PageAttack } from './hostile-site.ts';
import { script } from './requests.ts';

const leak = (out: string): string =>
  `${script(`fetch('${out}/x', { mode: 'no-cors' }).catch(() => 0)`)}<img src="${out}/x.png">`;
const quoted = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Documents inside the page. */
export const frameAttacks: readonly PageAttack[] = [
  {
    name: 'frame elsewhere',
    how: 'an <iframe> of another port',
    files: ({ out }) => ({ '/': `<iframe src="${out}/x"></iframe>` }),
  },
  {
    name: 'frame that navigates',
    how: 'a frame of the site goes elsewhere by itself',
    files: ({ out }) => ({
      '/': `<iframe src="/frame"></iframe>`,
      '/frame': script(`location.href = '${out}/x'`),
    }),
  },
  {
    name: 'srcdoc frame',
    how: 'a frame without an address asks elsewhere',
    files: ({ out }) => ({ '/': `<iframe srcdoc="${quoted(leak(out))}"></iframe>` }),
  },
  {
    name: 'data: frame',
    how: 'a frame of a data: URL, in a process of its own',
    files: ({ out }) => ({ '/': `<iframe src="data:text/html,${encodeURIComponent(leak(out))}"></iframe>` }),
  },
  {
    name: 'blob: frame',
    how: 'a frame of a blob asks elsewhere',
    files: ({ out }) => ({
      '/': script(`addEventListener('load', () => {
        const made = new Blob([${JSON.stringify(leak(out).replaceAll('</script>', '<\\/script>')).replaceAll('<\\\\/', '<\\/')}], { type: 'text/html' });
        document.body.append(Object.assign(document.createElement('iframe'), { src: URL.createObjectURL(made) }));
      })`),
    }),
  },
  {
    name: 'sandboxed frame',
    how: 'a sandboxed frame, in a process of its own',
    files: ({ out }) => ({ '/': `<iframe sandbox="allow-scripts" src="/frame"></iframe>`, '/frame': leak(out) }),
  },
  {
    name: 'sandboxed srcdoc frame',
    how: 'the same without an address',
    files: ({ out }) => ({ '/': `<iframe sandbox="allow-scripts" srcdoc="${quoted(leak(out))}"></iframe>` }),
  },
  {
    name: 'nested frames',
    how: 'a sandboxed frame holds a data: frame that asks elsewhere',
    files: ({ out }) => ({
      '/': `<iframe sandbox="allow-scripts" src="/frame"></iframe>`,
      '/frame': `<iframe src="data:text/html,${encodeURIComponent(leak(out))}"></iframe>`,
    }),
  },
  {
    name: 'frame with a worker',
    how: 'a worker of a sandboxed frame opens a socket and fetches',
    files: ({ out, port }) => ({
      '/': `<iframe sandbox="allow-scripts" src="/frame"></iframe>`,
      '/frame': script(`new Worker('data:text/javascript,' + encodeURIComponent(
        "new WebSocket('ws://127.0.0.1:${port}/x'); fetch('${out}/x', { mode: 'no-cors' })"))`),
    }),
  },
  {
    name: 'frame with a socket',
    how: 'a sandboxed frame opens a socket',
    files: ({ port }) => ({
      '/': `<iframe sandbox="allow-scripts" src="/frame"></iframe>`,
      '/frame': script(`new WebSocket('ws://127.0.0.1:${port}/x')`),
    }),
  },
  {
    name: 'form into a frame',
    how: 'a form posts to another port inside a frame',
    files: ({ out }) => ({
      '/': `<iframe name="inside"></iframe><form id="form" method="post" action="${out}/x" target="inside"></form>
        ${script(`document.getElementById('form').submit()`)}`,
    }),
  },
  {
    name: 'fenced and credentialless frames',
    how: 'a <fencedframe> and an <iframe credentialless>',
    files: ({ out }) => ({
      '/': `<fencedframe id="fenced"></fencedframe><iframe credentialless src="${out}/x"></iframe>
        ${script(`try { fenced.config = new FencedFrameConfig('${out}/y') } catch {}`)}`,
    }),
  },
];
