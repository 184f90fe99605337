import { lootPath, type PageAttack } from './hostile-site.ts';
import { script } from './requests.ts';

/** A file that is on every machine, a picture that is not needed: what counts is whether anything can be read. */
const file = 'file:///etc/passwd';
const tell = `new Image().src = '${lootPath}'`;

/** Things of this machine that a page must not read; what it read it tells its own server. */
export const localAttacks: readonly PageAttack[] = [
  {
    name: 'file by fetch',
    how: 'scripts ask for file:///etc/passwd',
    needs: 'a Chromium that lets pages read files; none does',
    files: () => ({
      '/': script(`fetch('${file}').then(() => { ${tell} }, () => 0);
        const asked = new XMLHttpRequest(); asked.onload = () => { ${tell} };
        try { asked.open('GET', '${file}'); asked.send() } catch {}`),
    }),
  },
  {
    name: 'file in a frame',
    how: 'a frame, an object and a style sheet of a file',
    needs: 'a Chromium that lets pages read files; none does',
    files: () => ({
      '/': `<iframe id="f" src="${file}"></iframe><object id="o" data="${file}"></object>
        <link rel="stylesheet" href="${file}" onload="${tell}">
        ${script(`addEventListener('load', () => { for (const id of ['f', 'o']) {
          let text = ''; try { text = document.getElementById(id).contentDocument.body.innerText } catch {}
          if (text.includes('root')) { ${tell} } } })`)}`,
    }),
  },
  {
    name: 'file in a window',
    how: 'windows and locations of files, chrome: and devtools: pages',
    needs: 'a Chromium that lets pages read files; none does',
    files: () => ({
      '/': script(`for (const url of ['${file}', 'view-source:${file}', 'chrome://version', 'chrome://net-export',
          'devtools://devtools/bundled/inspector.html', 'chrome-extension://x/y', 'about:version']) {
          try { const beside = open(url); if (beside?.document?.body?.innerText) { ${tell} } } catch {}
          const frame = document.createElement('iframe'); frame.src = url; document.documentElement.append(frame);
          frame.onload = () => { let text = ''; try { text = frame.contentDocument.body.innerText } catch {}
            if (text) { ${tell} } };
        }`),
    }),
  },
  {
    name: 'file by a worker',
    how: 'a worker and an import of a file',
    needs: 'a Chromium that lets pages read files; none does',
    files: () => ({
      '/': script(`try { new Worker('${file}').onmessage = () => { ${tell} } } catch {}
        import('${file}').then(() => { ${tell} }, () => 0);
        const worker = new Worker('/w.js'); worker.onmessage = () => { ${tell} }`),
      '/w.js': `fetch('${file}').then(() => postMessage(1), () => 0)`,
    }),
  },
  {
    name: 'redirect to a file',
    how: 'the server answers 302 to file: and to data:',
    needs: 'a Chromium that lets pages read files; none does',
    files: () => ({
      '/': `<iframe id="f" src="/file"></iframe>
        ${script(`fetch('/file').then(() => { ${tell} }, () => 0)`)}`,
      '/file': { status: 302, headers: { location: file } },
    }),
  },
];
