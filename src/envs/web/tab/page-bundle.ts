import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Where the package has the program for pages, built beside this file. */
export const builtBundle = './page-program.bundle.js';

/** The program for pages as an expression: as it is, and hardened against scripts of the page. */
export async function loadBundle(): Promise<string> {
  return existsSync(here(builtBundle)) ? readFile(here(builtBundle), 'utf8') : bundlePageProgram();
}

/** Puts the program together from its modules. Only where Espalier runs from its sources, and when the package is built. */
export async function bundlePageProgram(): Promise<string> {
  const [{ rolldown }, { harden, hardenIteration, namesOfMembers, readScript }] = await Promise.all([
    import('rolldown'),
    import('./hardening.ts'),
  ]);
  const entry = existsSync(here('../page-program/main.ts')) ? '../page-program/main.ts' : '../page-program/main.js';
  const build = await rolldown({ input: here(entry), logLevel: 'silent' });
  const { output } = await build.generate({
    format: 'iife',
    name: 'espalierPage',
    minify: { mangle: false, compress: false },
  });
  await build.close();
  const script = readScript(output[0].code);
  // Members that it asks for: see page-program/state/soundness.ts.
  const named = (text: string): string => text.replace('names of members', () => namesOfMembers(script).join(' '));
  const name = 'espalierPage';
  return `{ program: ${named(hardenIteration(script, name))}, hardened: ${harden(script, name)} }`;
}
