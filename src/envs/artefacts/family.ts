import { unknownEnvironment } from '../../core/errors.ts';
import type { Family } from '../../worlds/family.ts';

export const artefactFamily: Family = {
  name: 'artefact:',
  usage: 'artefact:slides or artefact:interface',
  example: 'artefact:slides',
  about: 'Slides to write, or pages to design, from a brief: the verifier recovers the brief from them.',
  async open(name) {
    if (name === 'artefact:slides') {
      const { createSlidesEnvironment, slideBaselines } = await import('./slides-environment.ts');
      return { environment: createSlidesEnvironment(), ladder: { baselines: slideBaselines } };
    }
    if (name === 'artefact:interface') {
      const { createInterfaceEnvironment, interfaceBaselines } = await import('./interface-environment.ts');
      return { environment: createInterfaceEnvironment(), ladder: { baselines: interfaceBaselines } };
    }
    throw unknownEnvironment(
      `There is no artefact world "${name}".`,
      'Expected artefact:slides or artefact:interface.',
    );
  },
};
