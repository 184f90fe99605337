import { unknownEnvironment } from '../../core/errors.ts';
import { placeIn, type Family } from '../../worlds/family.ts';

export const specificationFamily: Family = {
  name: 'spec:',
  usage: 'spec:<level or all>',
  example: 'spec:all',
  about: 'Specifications to write: programs that tell right outputs of a function from wrong ones.',
  async open(name) {
    const { createSpecificationEnvironment } = await import('./specification-environment.ts');
    const { specificationLevels } = await import('./described-function.ts');
    const { specificationBaselines, specificationFault } = await import('./baselines.ts');
    const place = placeIn(name);
    const levels = specificationLevels.filter(level => place === 'all' || level === place);
    if (levels.length === 0) {
      const known = specificationLevels.map(level => `spec:${level}`).join(', ');
      throw unknownEnvironment(`There are no specifications "${name}".`, `Expected spec:all, or a level: ${known}.`);
    }
    return {
      environment: createSpecificationEnvironment(`spec-${place}`, levels),
      ladder: { baselines: specificationBaselines, fault: specificationFault },
    };
  },
};
