import { resolve } from 'node:path';
import { folderIn, type PageFamily } from '../page-family.ts';

const usage = 'miniwob:<folder>';

export const miniwobFamily: PageFamily = {
  name: 'miniwob:',
  usage,
  about: 'The pages of MiniWoB++.',
  served: 'pages',
  absolute: name => `miniwob:${resolve(folderIn(name, usage))}`,
  async open(name, { browser }) {
    const folder = folderIn(name, usage);
    const { createMiniwobEnvironment } = await import('./environment.ts');
    return { environment: await createMiniwobEnvironment({ ...browser(), folder }) };
  },
};
