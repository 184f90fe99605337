import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { EspalierError } from '../../../core/errors.ts';

/** The lightest first: the headless shell takes a third of the memory of a whole Chromium. */
const usualPlaces: readonly string[] = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The browser that is meant: the one at this path, else the first that the system has. */
export function findBrowser(path?: string, places: readonly string[] = usualPlaces): string {
  if (path !== undefined) {
    if (isProgram(path)) return resolve(path);
    throw noBrowser(
      `There is no program that can be run at ${path}.`,
      'Expected the path of a Chromium or Chrome program.',
    );
  }
  const found = places.find(isProgram);
  if (found !== undefined) return found;
  throw noBrowser(
    `There is no browser in any of the usual places: ${places.slice(0, 6).join(', ')}.`,
    'Install one (Debian: apt-get install chromium-headless-shell, or chromium), or give the path of yours with --browser-path or --set browser.path=.',
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function noBrowser(message: string, expected: string): EspalierError {
  return new EspalierError({ boundary: 'environment', code: 'unavailable', message, expected });
}
