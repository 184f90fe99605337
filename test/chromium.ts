import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-headless-shell',
] as const;

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A real browser: the one of the system, as the package brings none. */
export function launchChromium(): Promise<Browser> {
  const executablePath = places.find(place => existsSync(place));
  if (executablePath === undefined) throw new Error(`There is no Chromium. Expected one at ${places.join(' or ')}.`);
  return chromium.launch({ executablePath, args: flags });
}
