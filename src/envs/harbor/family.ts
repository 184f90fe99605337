import { resolve } from 'node:path';
import { placeIn, type ServedFamily } from '../../worlds/family.ts';

export const harborFamily: ServedFamily = {
  name: 'harbor:',
  usage: 'harbor:<folder>',
  about: 'Task folders of Harbor: listed and checked; running them needs a terminal world, which is still to come.',
  served: 'tools',
  absolute: name => `harbor:${resolve(placeIn(name))}`,
  async open(name, { onNotice }) {
    const { createHarborEnvironment } = await import('./environment.ts');
    const environment = createHarborEnvironment(placeIn(name));
    for (const reason of environment.leftOut) onNotice(`Left out: ${reason}`);
    return { environment };
  },
};
