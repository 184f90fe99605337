import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

/** A Python that has ray: it brings some 200 MB with it, so that it is not installed for every test run. */
const python = process.env['ESPALIER_RAY_PYTHON'] ?? '';

describe.runIf(existsSync(python))('ray itself, from PyPI: `npm run test:peers -- ray` installs it', () => {
  it('[PYT-25] places workers on a cluster that loses a node, and gives a trainer whole groups', async () => {
    const { stdout } = await promisify(execFile)(python, ['-m', 'peers.check_ray'], {
      cwd: join(import.meta.dirname, '..', 'python'),
      env: { ...process.env, ESPALIER_NODE: process.execPath },
      timeout: 300_000,
    });
    expect(stdout).toMatch(/6 groups of 4 from workers on two nodes/);
    expect(stdout).toMatch(/a node was lost on the way, and every group is whole/);
  }, 300_000);
});
