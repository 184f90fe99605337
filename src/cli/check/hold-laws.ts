import type { Environment } from '../../core/contracts.ts';
import type { Task } from '../../core/records.ts';
import { checkLaws, type LawResult } from '../../worlds/laws.ts';
import { mark } from '../terminal/describe.ts';
import { columns, wrap, type Output } from '../terminal/output.ts';
import type { ProgramFlags } from '../terminal/browser-program.ts';

export interface CheckRequest extends ProgramFlags {
  readonly environment: string;
  readonly seeds: number;
  readonly tries: number;
  readonly template?: string;
  /** The newest commits of a repository to look at. */
  readonly commits: number;
  /** Run that keeps what was tried against the verifiers. */
  readonly into?: string;
  readonly json?: boolean;
}

interface Trial {
  readonly tasks: readonly Task[];
  readonly json: boolean | undefined;
  /** Length of the random walks. */
  readonly steps?: number;
}

/** Checks the laws on an environment, and prints the results. */
export async function holdLaws(output: Output, environment: Environment, trial: Trial): Promise<LawResult[]> {
  const { json, ...options } = trial;
  const { paint } = output;
  output.progress('checking the laws …');
  const results = await checkLaws(environment, options);
  if (json === true) {
    for (const result of results) output.json({ kind: 'law', ...result });
    return results;
  }
  output.line();
  output.line(paint.dim('Laws'));
  const rows = results.map(({ law, title, pass }) => [`${mark(pass, paint)} ${law}`, title]);
  const told = new Set<string>();
  for (const [index, line] of columns(rows).entries()) {
    output.line(`  ${line}`);
    const { pass = true, detail = '' } = results[index] ?? {};
    if (!pass) tellReason(output, told.has(detail) ? 'for the same reason' : detail);
    told.add(detail);
  }
  return results;
}

export function tellReason(output: Output, detail: string): void {
  output.line(output.paint.yellow(`    ${wrap(detail, output.width - 4, '    ')}`));
}
