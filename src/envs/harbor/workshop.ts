import { chownSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { findSandboxes } from '../terminal/sandbox/find-sandboxes.ts';
import { openPackageCache } from './image/package-cache.ts';
import type { Workshop } from './world.ts';

/** The first of the ids that sandboxes of root have. */
const firstId = 3_000_000_000;
const disk = { bytes: 2 ** 31, files: 400_000 };

/** Where images stay between runs. */
function usualStore(): string {
  return join(homedir(), '.cache', 'espalier', 'images');
}

/** Opens a store of images and the sandboxes that use it. */
export async function openWorkshop(store: string = usualStore()): Promise<Workshop> {
  const layers = join(store, 'layers');
  mkdirSync(layers, { recursive: true });
  if (getuid?.() === 0) chownSync(layers, firstId, firstId);
  const packages = openPackageCache(join(store, 'packages'));
  return { store, packages, sandboxes: await findSandboxes({ store, disk }) };
}
