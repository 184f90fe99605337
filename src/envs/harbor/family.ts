import { resolve } from 'node:path';
import { placeIn, type ServedFamily } from '../../worlds/family.ts';

export const harborFamily: ServedFamily = {
  name: 'harbor:',
  usage: 'harbor:<folder>',
  about: 'Task folders of Harbor and terminal-bench, unchanged: Dockerfiles become layers of terminal worlds.',
  served: 'tools',
  absolute: name => `harbor:${resolve(placeIn(name))}`,
  async open(name, { onNotice }) {
    const { createHarborEnvironment } = await import('./environment.ts');
    const { openWorkshop } = await import('./workshop.ts');
    const environment = createHarborEnvironment(placeIn(name), () => openWorkshop());
    for (const reason of environment.leftOut) onNotice(`Left out: ${reason}`);
    return { environment };
  },
};
