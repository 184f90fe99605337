import { createFleet } from '../../fleet/controller/fleet.ts';
import type { Host } from '../../runs/host/host.ts';
import { packageRevision } from '../../system/about.ts';
import type { Output } from '../terminal/output.ts';

export const fleetOption = ['--fleet <address>', 'let the workers of this fleet run the episodes'] as const;

/** The same machine, with a fleet that runs its episodes where one was named. */
export function withFleet(host: Host, address: string | undefined, output: Output): Host {
  if (address === undefined) return host;
  const machine = { ...host, onNotice: output.note };
  return { ...host, fleet: createFleet({ address, machine, version: packageRevision() }) };
}
