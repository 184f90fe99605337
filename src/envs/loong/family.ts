import { unknownEnvironment } from '../../core/errors.ts';
import { placeIn, type Family } from '../../worlds/family.ts';

export const loongFamily: Family = {
  name: 'loong:',
  usage: 'loong:<domain or all>',
  example: 'loong:all',
  about: 'Questions with code and answer: programs of agents run in a sandbox, and what they print is compared.',
  async open(name) {
    const { createLoongEnvironment, tripleForms } = await import('./loong-environment.ts');
    const { createTripleFault, loongBaselines } = await import('./baselines.ts');
    const place = placeIn(name);
    const forms = tripleForms.filter(({ domain }) => place === 'all' || domain === place);
    if (forms.length === 0) {
      const domains = tripleForms.map(({ domain }) => `loong:${domain}`).join(', ');
      throw unknownEnvironment(`There are no questions "${name}".`, `Expected loong:all, or a domain: ${domains}.`);
    }
    return {
      environment: createLoongEnvironment(`loong-${place}`, forms),
      ladder: { baselines: loongBaselines, fault: createTripleFault() },
    };
  },
};
