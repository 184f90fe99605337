import { InvalidArgumentError, Option, type Command } from 'commander';
import { resolve } from 'node:path';
import { defined } from '../../core/json.ts';
import { hash32 } from '../../core/random.ts';
import { addProgramOptions } from '../terminal/browser-program.ts';
import { wholeNumber } from '../terminal/verb.ts';
import { densities, screenshotKinds, themes, type BrowserConfig } from '../../runs/settings/browser-config.ts';

/** The flags for how screens are drawn. */
export interface BrowserFlags {
  readonly browser?: boolean;
  readonly screenshots?: BrowserConfig['screenshots'];
  readonly marks?: boolean;
  readonly viewport?: BrowserConfig['viewport'];
  readonly theme?: BrowserConfig['theme'];
  readonly density?: BrowserConfig['density'];
  readonly vary?: number;
  readonly browserPath?: string;
}

export function addBrowserOptions(command: Command): Command {
  return addProgramOptions(command)
    .option('--browser', 'draw the screens in a real browser, and take screenshots')
    .addOption(new Option('--screenshots <kind>', 'format of the screenshots (default: png)').choices(screenshotKinds))
    .option('--marks', 'draw the numbers of the elements on the screenshots')
    .option('--viewport <WxH>', 'size of the page (default: 1280x800)', viewportOf)
    .addOption(new Option('--theme <name>', 'how apps look (default: light)').choices(themes))
    .addOption(new Option('--density <name>', 'how close things stand (default: comfortable)').choices(densities))
    .option('--vary <n>', 'other labels, order, theme, density and viewport, chosen by this number', wholeNumber);
}

const viewports = [
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const;

/** The browser settings of the flags on top of those of a config; undefined without any flag. */
export function readBrowserFlags(flags: BrowserFlags, base: BrowserConfig | null): object | undefined {
  const { browser, browserPath, vary, ...said } = flags;
  const given = Object.entries({
    ...said,
    vary,
    path: browserPath === undefined ? undefined : resolve(browserPath),
  }).filter(([, value]) => value !== undefined);
  if (browser !== true && given.length === 0) return undefined;
  return { ...base, ...(vary === undefined ? {} : faceOf(vary)), ...Object.fromEntries(given) };
}

function faceOf(vary: number): Pick<BrowserConfig, 'theme' | 'density' | 'viewport'> {
  const drawn = <T>(what: string, from: readonly T[]): T => from[hash32(`${vary} ${what}`) % from.length] as T;
  return {
    theme: drawn('theme', themes),
    density: drawn('density', densities),
    viewport: drawn('viewport', viewports),
  };
}

function viewportOf(text: string): BrowserConfig['viewport'] {
  const match = /^([1-9]\d{2,3})x([1-9]\d{2,3})$/.exec(text);
  if (match === null) throw new InvalidArgumentError('Expected width and height in pixels, such as 1280x800.');
  return { width: Number(match[1]), height: Number(match[2]) };
}

/** The flags of the browser, taken out of all flags. */
export function browserFlagsOf(options: BrowserFlags): BrowserFlags {
  const { browser, screenshots, marks, viewport, theme, density, vary, browserPath } = options;
  const all = { browser, screenshots, marks, viewport, theme, density, vary, browserPath };
  return defined(all) as BrowserFlags;
}
