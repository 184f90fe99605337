import { resolve } from 'node:path';
import { folderIn, type PageFamily } from '../page-family.ts';

const usage = 'wai:<folder>';

export const waiFamily: PageFamily = {
  name: 'wai:',
  usage,
  about: 'An app folder of WebArena-Infinity, with its verifiers.',
  served: 'pages',
  absolute: name => `wai:${resolve(folderIn(name, usage))}`,
  async open(name, { browser, timers }) {
    const folder = folderIn(name, usage);
    const { createWaiEnvironment } = await import('./environment.ts');
    return { environment: await createWaiEnvironment({ ...browser(), timers, folder }) };
  },
};
