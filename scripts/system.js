// Sees to what the tests need of the system: a browser, and a Python with requests, which verifiers of other people's apps
// are written for. Plain JavaScript that Node 20 understands, no dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

const browsers = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-headless-shell'];
const pythons = ['python3', '/usr/bin/python3', '/usr/local/bin/python3'];

const hasBrowser = () => browsers.some(path => existsSync(path));
const libraries = '/usr/lib';
const hasFaketime = () =>
  existsSync(libraries) &&
  ['', ...readdirSync(libraries)].some(name => existsSync(`${libraries}/${name}/faketime/libfaketime.so.1`));
const hasRequests = () => pythons.some(python => spawnSync(python, ['-c', 'import requests']).status === 0);

// Whoever looks after the system by other means says so, and hears what is missing.
const mayNotInstall = (process.env.ESPALIER_NO_INSTALL ?? '') !== '';
const missing = [];

provide('Chromium', hasBrowser, [['chromium-headless-shell'], ['chromium']]);
provide('bubblewrap', () => existsSync('/usr/bin/bwrap'), [['bubblewrap']]);
provide('libfaketime', hasFaketime, [['libfaketime']]);
provide('Python with requests', hasRequests, [['python3', 'python3-requests']]);

if (missing.length > 0) {
  console.error(`Missing, and ESPALIER_NO_INSTALL is set: ${missing.join('; ')}. Install it, or unset the variable.`);
  process.exit(1);
}

function provide(what, isThere, choices) {
  if (isThere()) return;
  if (mayNotInstall) {
    missing.push(`${what} (Debian: apt-get install ${choices[0].join(' ')})`);
    return;
  }
  console.error(`Installing ${what} for the tests (apt-get) …`);
  apt(['update']);
  for (const packages of choices) {
    if (apt(['install', '-y', ...packages]) && isThere()) return;
  }
  console.error(
    `${what} could not be installed. Install it by hand; Debian has it as: ${choices.map(packages => packages.join(' ')).join(' or ')}.`,
  );
  process.exit(1);
}

function apt(args) {
  const { status } = spawnSync('apt-get', ['-qq', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0;
}
