import { resolve } from 'node:path';
import type { Environment } from '../../core/contracts.ts';
import { EspalierError } from '../../core/errors.ts';
import { endingBrowser, type Web } from './web.ts';

const kinds = ['wai', 'miniwob', 'page'] as const;

/** Other people's pages by name: `wai:apps/gmail`, `miniwob:html`, `page:http://127.0.0.1:3000/`. */
export interface SiteName {
  readonly kind: (typeof kinds)[number];
  readonly place: string;
}

export function readSiteName(name: string): SiteName | null {
  const kind = kinds.find(known => name.startsWith(`${known}:`));
  if (kind === undefined) return null;
  const place = name.slice(kind.length + 1);
  if (place !== '') return { kind, place };
  throw new EspalierError({
    boundary: 'input',
    code: 'unknown-environment',
    message: `"${name}" names no ${kind === 'page' ? 'page' : 'folder'}.`,
    expected: 'Expected wai:<app folder>, miniwob:<folder> or page:<url>.',
  });
}

/** The same name, whatever folder it is read in. */
export function absoluteSiteName(name: string): string | null {
  const site = readSiteName(name);
  if (site === null) return null;
  return site.kind === 'page' ? name : `${site.kind}:${resolve(site.place)}`;
}

/** Opens other people's pages; closing the environment ends the browser. */
export async function openSite({ kind, place }: SiteName, web: Web): Promise<Environment> {
  return endingBrowser(await create(kind, place, web), web);
}

async function create(kind: SiteName['kind'], place: string, web: Web): Promise<Environment> {
  if (kind !== 'wai') throw new Error(`${kind} is not there yet`);
  const { createWaiEnvironment } = await import('../../envs/web/wai/environment.ts');
  return createWaiEnvironment({ ...web, folder: place });
}
