// Builds the programs that run inside pages, and the studio, into the package: nothing has to be bundled where it is installed.
import { writeFileSync } from 'node:fs';
import { bundlePageProgram, builtBundle } from '../dist/src/envs/web/tab/page-bundle.js';
import { bundleStudioProgram, builtProgram } from '../dist/src/studio/server/studio-program.js';

const target = new URL(builtBundle, new URL('../dist/src/envs/web/tab/page-bundle.js', import.meta.url));
writeFileSync(target, await bundlePageProgram());

const place = new URL('../dist/src/studio/server/studio-program.js', import.meta.url);
const { script, style } = await bundleStudioProgram();
writeFileSync(new URL(builtProgram.script, place), script);
writeFileSync(new URL(builtProgram.style, place), style);
