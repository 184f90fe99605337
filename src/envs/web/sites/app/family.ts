import { resolve } from 'node:path';
import { unknownEnvironment } from '../../../../core/errors.ts';
import { importModule } from '../../../../modules/load-module.ts';
import { placeIn } from '../../../../worlds/family.ts';
import type { PageFamily } from '../page-family.ts';

export const appFamily: PageFamily = {
  name: 'app:',
  usage: 'app:<module>',
  about: 'A web app of yours with its server, started for each session and rolled back with the page.',
  served: 'pages',
  absolute: name => `app:${moduleIn(name)}`,
  async open(name, { browser, timers }) {
    const module = moduleIn(name);
    const { createWebAppEnvironment } = await import('./environment.ts');
    const tasks = await importModule(module);
    return { environment: await createWebAppEnvironment({ ...browser(), timers, module, tasks }) };
  },
};

/** The module in `app:tasks.ts`. */
function moduleIn(name: string): string {
  const module = placeIn(name);
  if (module !== '') return resolve(module);
  throw unknownEnvironment(`"${name}" names no module.`, 'Expected app:<module of your server and tasks>.');
}
