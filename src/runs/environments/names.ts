import { resolve } from 'node:path';
import { absoluteMcpName } from './open-mcp.ts';
import { absoluteSiteName } from './sites.ts';

/** The same environment, whatever folder its name is read in. */
export function absoluteName(name: string): string {
  return absoluteSiteName(name) ?? absoluteMcpName(name) ?? (/[/\\]|\.[cm]?[jt]s$/.test(name) ? resolve(name) : name);
}
