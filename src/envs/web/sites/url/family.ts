import { dirname, resolve } from 'node:path';
import { unknownEnvironment } from '../../../../core/errors.ts';
import { importModule } from '../../../../modules/load-module.ts';
import { placeIn } from '../../../../worlds/family.ts';
import type { PageFamily } from '../page-family.ts';

export const urlFamily: PageFamily = {
  name: 'page:',
  usage: 'page:<url>,<module>',
  about: 'Any page that you serve, with a module of your tasks.',
  served: 'pages',
  absolute(name) {
    const { url, module } = readPageName(name);
    return `page:${url},${resolve(module)}`;
  },
  async open(name, { browser, timers }) {
    const { url, module } = readPageName(name);
    const { createUrlEnvironment } = await import('./environment.ts');
    const path = resolve(module);
    const tasks = await importModule(path);
    return { environment: await createUrlEnvironment({ ...browser(), timers, url, tasks, root: dirname(path) }) };
  },
};

/** `page:http://127.0.0.1:3000/,tasks.ts`: an address and the module of its tasks. */
function readPageName(name: string): { readonly url: string; readonly module: string } {
  const place = placeIn(name);
  const comma = place.lastIndexOf(',');
  const [url, module] = [place.slice(0, comma), place.slice(comma + 1)];
  if (comma > 0 && URL.canParse(url) && module !== '') return { url, module };
  throw unknownEnvironment(
    place === '' ? `"${name}" names no page.` : `"${name}" gives no address and no module of tasks.`,
    'Expected page:<url>,<module of your tasks>.',
  );
}
