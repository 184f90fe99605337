import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { benchNames, runBenches } from '../../bench/run.ts';
import { EspalierError } from '../core/errors.ts';
import { closest } from './load.ts';
import { columns, type ExitCode, type Output } from './output.ts';

export interface BenchRequest {
  readonly names: readonly string[];
  readonly json?: boolean;
}

export async function bench(output: Output, { names, json = false }: BenchRequest): Promise<ExitCode> {
  for (const name of names) requireKnown(name);
  const { paint } = output;
  const machine = describeMachine();
  const { cpu, cores, node, commit } = machine;
  const about = `${cpu} · ${cores} cores · Node ${node} · ${commit ?? 'no commit'}`;
  if (json) output.note(about);
  else {
    output.line(paint.dim(about));
    output.line();
  }
  const rows: string[][] = [];
  output.progress('measuring …');
  await runBenches({
    names,
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

function describeMachine(): { cpu: string; cores: number; node: string; commit: string | null } {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? 'unknown processor',
    cores: processors.length,
    node: process.versions.node,
    commit: currentCommit(),
  };
}

/** Of the checkout; an installed package has none, and must not name that of the folder it lies in. */
function currentCommit(): string | null {
  if (!import.meta.url.endsWith('.ts')) return null;
  try {
    const git = ['-C', import.meta.dirname, 'describe', '--always', '--dirty', '--exclude=*'];
    return execFileSync('git', git, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}

function rounded(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}
