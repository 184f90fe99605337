// Runs before anything is installed, so: plain JavaScript that Node 20 understands, no dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'node_modules', '.espalier-setup');
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.error('Installing dependencies (npm ci) …');
  const { status, stdout, stderr } = spawnSync('npm', ['ci', '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error(stdout, stderr);
    console.error('npm ci failed: see above. Once it works by hand, run this command again.');
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}
