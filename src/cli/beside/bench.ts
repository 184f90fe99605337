import { resolve } from 'node:path';
import { invalidOption } from '../../core/errors.ts';
import { closest } from '../../core/naming/closest.ts';
import { columns, type ExitCode, type Output } from '../terminal/output.ts';
import { loadBeside } from './programs.ts';
import { createBrowserPool, type PoolOptions } from '../../envs/web/browser/pool.ts';
import { sandboxRule } from '../../runs/environments/web.ts';
import { describeMachine } from '../../system/about.ts';
import { createSystemTimers } from '../../system/clock.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import type { ProgramFlags } from '../terminal/browser-program.ts';

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
  const { benchGroups, benchNames, certifyFeatures, opensPages, runBenches } = await loadBeside('bench');
  for (const name of names) requireFigure(name, benchNames, benchGroups);
  for (const name of given.features ?? []) requireFeature(name, certifyFeatures);
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

function optionsFrom({ wai, miniwob, rollbacks, keep, ...given }: Omit<BenchRequest, 'names' | 'json'>) {
  const { pages, seed, minutes = null, features = [], browserPath } = given;
  const path = browserPath === undefined ? undefined : resolve(browserPath);
  const browser: BrowserProgram = { path, sandbox: sandboxRule(createSystemHost().variable) };
  return { wai, miniwob, rollbacks, keep, browser, certify: { pages, seed: String(seed), minutes, features } };
}

type BrowserProgram = Pick<PoolOptions, 'path' | 'sandbox'>;

/** Says whether the browser ran in its sandbox: a sandbox costs time. */
async function describeBrowser(browser: BrowserProgram): Promise<string> {
  const pool = createBrowserPool({ timers: createSystemTimers(), ...browser });
  try {
    const page = await pool.open({ width: 600, height: 400 });
    await page.close();
    return pool.figures().notice === null ? 'browser in its sandbox' : 'browser without its sandbox';
  } finally {
    await pool.close();
  }
}

function requireFeature(name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const near = closest(name, known);
  throw invalidOption(
    `There is no feature "${name}" of generated pages.${near === null ? '' : ` Did you mean "${near}"?`}`,
    'Expected names as `espalier bench certify` lists them.',
  );
}

function requireFigure(name: string, known: readonly string[], groups: readonly string[]): void {
  if (known.includes(name)) return;
  const near = closest(name, known);
  throw invalidOption(
    `There is no figure "${name}".${near === null ? '' : ` Did you mean "${near}"?`}`,
    `Expected a group or one of its figures, such as serve.restart. The groups: ${groups.join(', ')}.`,
  );
}

function rounded(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}
