import { unknownEnvironment } from '../../core/errors.ts';
import type { Family } from '../../worlds/family.ts';

export const artefactFamily: Family = {
  name: 'artefact:',
  usage: 'artefact:slides',
  example: 'artefact:slides',
  about: 'Slides to write from a brief: the verifier recovers the brief from them.',
  async open(name) {
    if (name !== 'artefact:slides')
      throw unknownEnvironment(`There is no artefact world "${name}".`, 'Expected artefact:slides.');
    const { createSlidesEnvironment, slideBaselines } = await import('./slides-environment.ts');
    return { environment: createSlidesEnvironment(), ladder: { baselines: slideBaselines } };
  },
};
