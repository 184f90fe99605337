// Sees to the browser that the tests look at reports with. Plain JavaScript that Node 20 understands, no dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const known = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-headless-shell'];

if (!known.some(path => existsSync(path))) {
  console.error('Installing Chromium for the tests (apt-get) …');
  const done =
    apt(['update']) && (apt(['install', '-y', 'chromium-headless-shell']) || apt(['install', '-y', 'chromium']));
  if (!done || !known.some(path => existsSync(path))) {
    console.error(
      `Chromium could not be installed. Install it by hand, so that one of these is there: ${known.join(', ')}.`,
    );
    process.exit(1);
  }
}

function apt(args) {
  const { status } = spawnSync('apt-get', ['-qq', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0;
}
