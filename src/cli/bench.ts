import type { BenchOptions } from '../../bench/measure.ts';
import { resolve } from 'node:path';
import { benchNames, certifyFeatures, opensPages, runBenches } from '../../bench/run.ts';
import { EspalierError } from '../core/errors.ts';
import { closest } from './load.ts';
import { columns, type ExitCode, type Output } from './output.ts';
import { createBrowserPool } from '../envs/web/browser/pool.ts';
import { describeMachine } from './run/about.ts';
import { createSystemTimers } from './system-clock.ts';
import { sandboxRule, type ProgramFlags } from './web/browser-program.ts';

export interface BenchRequest extends ProgramFlags {
  readonly names: readonly string[];
  readonly wai?: readonly string[];
  readonly miniwob?: string;
  readonly rollbacks: number;
  readonly pages: number;
  readonly seed: number;
  readonly minutes?: number;
  readonly features?: readonly string[];
  readonly keep?: string;
  readonly json?: boolean;
}

export async function bench(output: Output, { names, json = false, ...given }: BenchRequest): Promise<ExitCode> {
  for (const name of names) requireKnown(name);
  const { paint } = output;
  const options = optionsFrom(given);
  const about = [describeMachine(), ...(opensPages(names) ? [await describeBrowser(options.browser)] : [])].join(' · ');
  if (json) output.note(about);
  else {
    output.line(paint.dim(about));
    output.line();
  }
  const rows: string[][] = [];
  output.progress('measuring …');
  await runBenches({
    names,
    options,
    news: { progress: output.progress, line: json ? output.note : output.line },
    onResult(figure) {
      if (json) output.json({ ...figure });
      rows.push([figure.name, rounded(figure.value), figure.unit, rounded(figure.spread), String(figure.runs)]);
      output.progress(`measured ${figure.name} …`);
    },
  });
  output.progress('');
  if (json) return 0;
  const heads = ['figure', 'value', 'unit', 'spread', 'runs'].map(head => paint.dim(head));
  for (const line of columns([heads, ...rows], [1, 3, 4])) output.line(line);
  return 0;
}

function optionsFrom({ wai, miniwob, rollbacks, keep, ...given }: Omit<BenchRequest, 'names' | 'json'>): BenchOptions {
  const { pages, seed, minutes = null, features = [], browserPath } = given;
  for (const feature of features) requireFeature(feature);
  const browser = { path: browserPath === undefined ? undefined : resolve(browserPath), sandbox: sandboxRule() };
  return { wai, miniwob, rollbacks, keep, browser, certify: { pages, seed: String(seed), minutes, features } };
}

/** Whether figures of pages are those of a browser in its sandbox: it costs time, and protects. */
async function describeBrowser(browser: BenchOptions['browser']): Promise<string> {
  const pool = createBrowserPool({ timers: createSystemTimers(), ...browser });
  try {
    const page = await pool.open({ width: 600, height: 400 });
    await page.close();
    return pool.figures().notice === null ? 'browser in its sandbox' : 'browser without its sandbox';
  } finally {
    await pool.close();
  }
}

function requireFeature(name: string): void {
  if (certifyFeatures.includes(name)) return;
  const near = closest(name, certifyFeatures);
  throw new EspalierError({
    boundary: 'input',
    code: 'invalid-option',
    message: `There is no feature "${name}" of generated pages.${near === null ? '' : ` Did you mean "${near}"?`}`,
    expected: 'Expected names as `espalier bench certify` lists them.',
  });
}

function requireKnown(name: string): void {
  if (benchNames.includes(name)) return;
  const near = closest(name, benchNames);
  throw new EspalierError({
    boundary: 'input',
    code: 'invalid-option',
    message: `There is no figure "${name}".${near === null ? '' : ` Did you mean "${near}"?`}`,
    expected: `Expected: ${benchNames.join(', ')}.`,
  });
}

function rounded(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}
