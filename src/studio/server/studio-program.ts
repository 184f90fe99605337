import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** What a browser loads: the program as one script, and its style. */
export interface StudioProgram {
  readonly script: string;
  readonly style: string;
}

/** Where the package has them, built beside this file. */
export const builtProgram = { script: './studio.bundle.js', style: './studio.bundle.css' };

/** Folders that may hold the sources: seen from `src/studio/server`, and from `dist` while the package is built. */
const sourceFolders = ['../page/', '../../../../src/studio/page/'];

export async function loadStudioProgram(): Promise<StudioProgram> {
  if (!existsSync(here(builtProgram.script))) return bundleStudioProgram();
  const [script, style] = await Promise.all([
    readFile(here(builtProgram.script), 'utf8'),
    readFile(here(builtProgram.style), 'utf8'),
  ]);
  return { script, style };
}

/** Puts the program together from its sources. Only where Espalier runs from them, and when the package is built. */
export async function bundleStudioProgram(): Promise<StudioProgram> {
  const folder = sourceFolders.find(path => existsSync(here(`${path}main.tsx`))) ?? '';
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: here(`${folder}main.tsx`),
    logLevel: 'silent',
    platform: 'browser',
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  });
  const { output } = await build.generate({ format: 'iife', minify: true });
  await build.close();
  return { script: output[0].code, style: await readFile(here(`${folder}style.css`), 'utf8') };
}
