import { hash32 } from '../../core/random.ts';
import { densities, themes, type BrowserConfig } from '../../runs/settings/browser-config.ts';
import type { Assignment } from '../settings/setting.ts';

const viewports = [
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const;

/** The browser that settings are put into; undefined where screens are not drawn. */
export function browserBefore(
  base: Readonly<Record<string, unknown>> | null,
  isAskedFor: boolean | undefined,
  given: readonly Assignment[],
): object | undefined {
  const own = given.filter(({ path }) => path.startsWith('browser.'));
  if (base === null && isAskedFor !== true && own.length === 0) return undefined;
  const vary = own.findLast(({ path }) => path === 'browser.vary')?.value;
  // A number that is given anew draws what the one before has drawn; other settings are put on top of it.
  if (vary !== undefined) return { ...base, ...faceOf(Number(vary)) };
  return typeof base?.['vary'] === 'number' ? { ...faceOf(base['vary']), ...base } : { ...base };
}

function faceOf(vary: number): Partial<Pick<BrowserConfig, 'theme' | 'density' | 'viewport'>> {
  if (Number.isNaN(vary)) return {};
  const drawn = <T>(what: string, from: readonly T[]): T => from[hash32(`${vary} ${what}`) % from.length] as T;
  return {
    theme: drawn('theme', themes),
    density: drawn('density', densities),
    viewport: { ...drawn('viewport', viewports) },
  };
}
