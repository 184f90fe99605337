import { EspalierError } from '../core/errors.ts';
import { closest } from '../core/naming/closest.ts';
import { columns, type ExitCode, type Output } from './output.ts';
import { describeMachine } from '../system/about.ts';

export interface BenchRequest {
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
  // Loaded here and nowhere else: the figures use the same runs as the command line, and know nothing of it.
  const { benchNames, certifyFeatures, runBenches } = await import('../../bench/run.ts');
  for (const name of names) requireFigure(name, benchNames);
  for (const name of given.features ?? []) requireFeature(name, certifyFeatures);
  const { paint } = output;
  const about = describeMachine();
  if (json) output.note(about);
  else {
    output.line(paint.dim(about));
    output.line();
  }
  const rows: string[][] = [];
  output.progress('measuring …');
  await runBenches({
    names,
    options: optionsFrom(given),
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
  const { pages, seed, minutes = null, features = [] } = given;
  return { wai, miniwob, rollbacks, keep, certify: { pages, seed: String(seed), minutes, features } };
}

function requireFeature(name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const near = closest(name, known);
  throw new EspalierError({
    boundary: 'input',
    code: 'invalid-option',
    message: `There is no feature "${name}" of generated pages.${near === null ? '' : ` Did you mean "${near}"?`}`,
    expected: 'Expected names as `espalier bench certify` lists them.',
  });
}

function requireFigure(name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const near = closest(name, known);
  throw new EspalierError({
    boundary: 'input',
    code: 'invalid-option',
    message: `There is no figure "${name}".${near === null ? '' : ` Did you mean "${near}"?`}`,
    expected: `Expected: ${known.join(', ')}.`,
  });
}

function rounded(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}
