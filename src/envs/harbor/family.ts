import { resolve } from 'node:path';
import type { Environment } from '../../core/contracts.ts';
import type { Host } from '../../runs/host/host.ts';

const prefix = 'harbor:';

/** The same name, whatever folder it is read in. */
export function absoluteHarborName(name: string): string {
  return `${prefix}${resolve(name.slice(prefix.length))}`;
}

/** Opens task folders of Harbor, and tells which of them cannot be used. */
export async function openHarbor(name: string, host: Pick<Host, 'onNotice'>): Promise<Environment> {
  const { createHarborEnvironment } = await import('./environment.ts');
  const environment = createHarborEnvironment(name.slice(prefix.length));
  for (const reason of environment.leftOut) host.onNotice(`Left out: ${reason}`);
  return environment;
}
