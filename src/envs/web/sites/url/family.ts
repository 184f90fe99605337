import { resolve } from 'node:path';
import type { Environment } from '../../../../core/contracts.ts';
import { EspalierError } from '../../../../core/errors.ts';
import { importModule } from '../../../../modules/load-module.ts';
import type { Web } from '../../../../runs/environments/web.ts';

const kinds = ['wai', 'miniwob', 'page'] as const;

/** Other people's pages by name: `wai:apps/gmail`, `miniwob:html`, `page:http://127.0.0.1:3000/,tasks.ts`. */
export interface SiteName {
  readonly kind: (typeof kinds)[number];
  readonly place: string;
}

export function readSiteName(name: string): SiteName | null {
  const kind = kinds.find(known => name.startsWith(`${known}:`));
  if (kind === undefined) return null;
  const place = name.slice(kind.length + 1);
  if (place !== '') return { kind, place };
  throw invalid(`"${name}" names no ${kind === 'page' ? 'page' : 'folder'}.`);
}

/** The same name, whatever folder it is read in. */
export function absoluteSiteName(name: string): string | null {
  const site = readSiteName(name);
  if (site === null) return null;
  if (site.kind !== 'page') return `${site.kind}:${resolve(site.place)}`;
  const { url, module } = readPagePlace(site.place);
  return `page:${url},${resolve(module)}`;
}

/** Opens other people's pages; closing the environment ends the browser. */
export async function openSite(site: SiteName, web: Web): Promise<Environment> {
  const { endingBrowser } = await import('../../../../runs/environments/web.ts');
  return endingBrowser(await createEnvironment(site, web), web);
}

async function createEnvironment({ kind, place }: SiteName, web: Web): Promise<Environment> {
  if (kind === 'wai')
    return (await import('../wai/environment.ts')).createWaiEnvironment({ ...web, folder: place });
  if (kind === 'miniwob')
    return (await import('../miniwob/environment.ts')).createMiniwobEnvironment({
      ...web,
      folder: place,
    });
  const { createUrlEnvironment } = await import('./environment.ts');
  const { url, module } = readPagePlace(place);
  return createUrlEnvironment({ ...web, url, tasks: await importModule(resolve(module)) });
}

/** An address and the module of its tasks, with a comma between. */
function readPagePlace(place: string): { url: string; module: string } {
  const comma = place.lastIndexOf(',');
  const [url, module] = [place.slice(0, comma), place.slice(comma + 1)];
  if (comma > 0 && URL.canParse(url) && module !== '') return { url, module };
  throw invalid(`"page:${place}" gives no address and no module of tasks.`);
}

function invalid(message: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unknown-environment',
    message,
    expected: 'Expected wai:<app folder>, miniwob:<folder>, or page:<url>,<module of your tasks>.',
  });
}
