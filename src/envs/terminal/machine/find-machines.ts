import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { EspalierError } from '../../../core/errors.ts';
import { missingKernel } from './guest.ts';
import { createMachines, type Machines } from './machines.ts';

const cache = join(homedir(), '.cache', 'espalier');
const kernels = ['/', join(cache, 'kernel')];

/** Why this machine cannot have virtual machines; null when it can. */
export function missingForMachines(): string | null {
  for (const program of ['qemu-system-x86_64', 'mke2fs', 'dpkg-query'])
    if (spawnSync('sh', ['-c', `command -v ${program}`], { env: { PATH: programPath } }).status !== 0)
      return `there is no ${program}`;
  return missingKernel(kernels);
}

const programPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export async function findMachines(): Promise<Machines> {
  const missing = missingForMachines();
  if (missing === null) return createMachines({ cache: join(cache, 'machine'), kernels });
  throw new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: `This machine cannot have virtual machines for terminals: ${missing}.`,
    expected:
      'On Debian: `apt-get install qemu-system-x86 e2fsprogs`, and a kernel: `apt-get download` the package that linux-image-cloud-amd64 depends on, and `dpkg-deb -x` it to ~/.cache/espalier/kernel.',
  });
}
