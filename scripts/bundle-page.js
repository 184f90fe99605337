// Builds the program that runs inside pages into the package, so that nothing has to be bundled where it is installed.
import { writeFileSync } from 'node:fs';
import { bundlePageProgram, builtBundle } from '../dist/src/envs/web/tab/page-bundle.js';

const target = new URL(builtBundle, new URL('../dist/src/envs/web/tab/page-bundle.js', import.meta.url));
writeFileSync(target, await bundlePageProgram());
