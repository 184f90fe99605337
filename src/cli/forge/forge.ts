import { count } from '../../core/text.ts';
import { taskRungs } from '../../forge/pool/admit-task.ts';
import { forgeTasks, writeTasks, type ForgeResult } from '../../runs/forge.ts';
import { columns, wrap, type ExitCode, type Output } from '../output.ts';

export interface ForgeRequest {
  readonly app: string;
  readonly out: string;
  readonly seeds: number;
  readonly nodes: number;
  readonly json?: boolean;
}

export async function forge(output: Output, request: ForgeRequest): Promise<ExitCode> {
  const { app, seeds, nodes, out, json = false } = request;
  let admitted = 0;
  const result = await forgeTasks({
    app,
    seeds,
    nodes,
    onTask({ done, all, template, admission }) {
      if (admission.admitted) admitted++;
      if (json) output.json({ kind: 'task', template, ...admission });
      output.progress(`forging ${template} (${done} of ${all}, ${admitted} admitted) …`);
    },
  });
  output.progress('');
  const tried = result.tasks.length + result.dropped.length;
  if (!json) tellDropped(output, result);
  if (result.tasks.length === 0) {
    if (json) output.json({ kind: 'forged', tried, admitted: 0 });
    else output.line(`${output.paint.red(output.paint.bold('nothing admitted'))}  ${count(tried, 'task')} tried`);
    return 1;
  }
  const path = await writeTasks(out, result);
  if (json) output.json({ kind: 'forged', path, tried, admitted: result.tasks.length, templates: result.templates });
  else tellResult(output, result, { path, out });
  return 0;
}

/** Says how many tasks each rung dropped, and why. */
function tellDropped(output: Output, { dropped, tasks }: ForgeResult): void {
  const { paint } = output;
  // Without a student nobody was asked for a pass rate.
  const asked = Object.keys(taskRungs).filter(
    rung => rung !== 'pass rate in band' || dropped.some(fall => fall.rung === rung),
  );
  const rows = asked.map(rung => {
    const here = dropped.filter(fall => fall.rung === rung);
    const [first] = here;
    return [rung, String(here.length), paint.dim(first === undefined ? '' : `${first.template}: ${first.detail}`)];
  });
  output.line(paint.dim('Dropped, by rung'));
  for (const line of columns(rows, [1])) output.line(`  ${wrap(line, output.width - 2, '    ')}`);
  output.line(`  ${paint.bold('admitted')}  ${tasks.length}`);
  output.line();
}

function tellResult(
  output: Output,
  { tasks, templates, steps }: ForgeResult,
  { path, out }: { path: string; out: string },
): void {
  const { paint } = output;
  for (const { template, instruction } of tasks.slice(0, 3)) {
    output.line(`  ${paint.bold(template)}`);
    output.line(paint.dim(`  ${wrap(`“${instruction}”`, output.width - 2, '  ')}`));
  }
  output.line();
  const longest = Math.max(...steps);
  output.line(
    `${paint.green(paint.bold('forged'))}  ${count(tasks.length, 'task')} of ${templates.admitted} of ${count(templates.all, 'template')}, up to ${count(longest, 'step')}: ${path}`,
  );
  output.line(paint.dim(`Next: espalier collect forge:${out} --out runs/forged`));
}
