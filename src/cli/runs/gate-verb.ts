import { existsSync } from 'node:fs';
import { count } from '../../core/text.ts';
import type { RedLines } from '../../analysis/gate/red-lines.ts';
import type { Decision, GateResult } from '../../analysis/gate/result.ts';
import { gateRun } from '../../runs/gate/gate.ts';
import { readGateConfig } from '../../runs/gate/gate-config.ts';
import { writeGate } from '../../runs/gate/write-gate.ts';
import { spentText } from '../../runs/models/spending.ts';
import { packageVersion } from '../../system/about.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { columns, wrap, type ExitCode, type Output } from '../terminal/output.ts';
import { createProgress } from '../terminal/progress.ts';
import { stoppable } from '../terminal/stop.ts';

export interface GateRequest {
  readonly file?: string;
  readonly candidate?: string;
  readonly release?: string;
  readonly env?: readonly string[];
  readonly out: string;
  readonly workers?: number;
  readonly json?: boolean;
}

const usualFile = 'gate.yaml';
const codes: Readonly<Record<Decision, ExitCode>> = { ship: 0, 'do not ship': 1, 'not enough evidence': 2 };

/** Decides whether a candidate takes the place of the release. */
export async function gate(output: Output, request: GateRequest): Promise<ExitCode> {
  const { candidate, release, env: environments, out, json = false } = request;
  const file = request.file ?? (existsSync(usualFile) ? usualFile : null);
  const config = readGateConfig(file, { candidate, release, environments });
  const host = createSystemHost(request);
  const { result, spent, exhausted } = await stoppable(output, ({ signal }) =>
    gateRun({ config, folder: out, host, signal, onProgress: createProgress(output, host.clock, 'comparing') }),
  );
  output.progress('');
  if (spent !== null && spent.calls > 0) output.note(spentText(spent));
  if (exhausted !== null) output.note(exhausted);
  const written = writeGate(result, { folder: out, file: file ?? usualFile, version: packageVersion() });
  if (json) output.json(result);
  else tell(output, result, written);
  return codes[result.decision];
}

function tell({ line, paint, width }: Output, result: GateResult, written: readonly string[]): void {
  const { candidate, release, decision, reasons, tasks, pairs, unpaired, saved, slices, redLines, symptoms } = result;
  const colour = { ship: paint.green, 'do not ship': paint.red, 'not enough evidence': paint.yellow }[decision];
  line(`${paint.bold(candidate)} in place of ${release}: ${colour(decision)}`);
  line();
  for (const reason of reasons) line(wrap(reason, width, '  '));
  const of = (change: string): number => tasks.filter(task => task.change === change).length;
  line(
    `${count(pairs, 'pair')}: ${of('fix')} fixed, ${of('regression')} lost, ${of('passed in both')} passed in both, ${of('failed in both')} failed in both.`,
  );
  if (unpaired > 0) line(paint.yellow(`${count(unpaired, 'pair')} without two verdicts, in no figure.`));
  if (redLines !== null) tellRedLines(line, redLines);
  if (saved > 0) line(`${count(saved, 'episode')} of the plan were not needed.`);
  if (slices.length > 0) line();
  const rows = slices.map(({ name, tasks: n, regressions, budget }) => [name, `${regressions}`, `${budget}`, `${n}`]);
  const heads = ['slice', 'lost', 'allowed', 'tasks'].map(head => paint.dim(head));
  if (slices.length > 0) for (const text of columns([heads, ...rows], [1, 2, 3])) line(text);
  for (const { text, tasks: own, example } of symptoms) {
    line();
    line(wrap(`${count(own.length, 'task')} lost: ${text}`, width, '  '));
    line(wrap(`  Such as ${example.task}: ${example.checks.join(', ')}`, width, '    '));
    line(paint.dim(`  npx ${example.command}`));
  }
  line();
  for (const path of written) line(`Written to ${path}`);
}

function tellRedLines(line: Output['line'], { episodes, unsafe, drift, certification, unit }: RedLines): void {
  const safe = `${certification?.kept} of ${count(certification?.units ?? 0, unit)} safe`;
  const shown = certification === null ? '' : `; certificate: ${certification.finding}, ${safe}`;
  line(`Red lines: ${unsafe} of ${count(episodes, 'episode')} unsafe, drift ${drift.toFixed(2)}${shown}.`);
}
