import type { Environment } from '../../core/contracts.ts';
import { checkLines, showTask } from '../terminal/describe.ts';
import { openWithProgram, type ProgramFlags } from '../terminal/browser-program.ts';
import { openTask } from '../../runs/environments/open-environment.ts';
import { count } from '../../core/text.ts';
import { columns, wrap, type ExitCode, type Output } from '../terminal/output.ts';

export interface TasksRequest extends ProgramFlags {
  readonly environment: string;
  readonly template?: string | undefined;
  readonly seed?: number;
  readonly screen?: boolean;
  readonly json?: boolean;
}

export async function listTasks(output: Output, request: TasksRequest): Promise<ExitCode> {
  const environment = await openWithProgram(request.environment, request);
  try {
    if (request.template === undefined) await listTemplates(output, environment, request);
    else await showOne(output, environment, request);
    return 0;
  } finally {
    await environment.close?.();
  }
}

async function listTemplates(output: Output, environment: Environment, request: TasksRequest): Promise<void> {
  const { paint, width } = output;
  const { title, templates, id: name } = environment;
  if (request.json !== true) {
    output.line(`${paint.bold(title)}  ${paint.dim(`${name} · ${count(templates.length, 'template')}`)}`);
  }
  for (const { id, split, kind, about } of templates) {
    const { instruction, seed } = await openTask(environment, id, request.seed);
    if (request.json === true) {
      output.json({ id, split, kind, about, example: { seed, instruction } });
      continue;
    }
    const facts = kind === 'feasible' ? split : `${split} · ${kind}`;
    output.line();
    output.line(`  ${paint.bold(id)}  ${paint.dim(facts)}`);
    output.line(`  ${wrap(about, width - 2, '  ')}`);
    output.line(paint.dim(`  ${wrap(`“${instruction}”`, width - 2, '  ')}`));
  }
  if (request.json === true) return;
  output.line();
  output.line(paint.dim(`Next: espalier tasks ${request.environment} ${templates[0]?.id ?? ''}`));
}

async function showOne(output: Output, environment: Environment, request: TasksRequest): Promise<void> {
  const { paint } = output;
  const task = await openTask(environment, request.template, request.seed);
  const session = await environment.open(task);
  const verdict = await session.verify();
  const { text } = await session.observe();
  await session.close();
  if (request.json === true) {
    output.json({ ...task, verdict, ...(request.screen === true ? { screen: text } : {}) });
    return;
  }
  showTask(output, task);
  output.line();
  const parameters = Object.entries(task.parameters).map(([name, value]) => [
    paint.dim(name),
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  section(output, 'Parameters', columns(parameters));
  section(output, 'Checks, before the first step', checkLines(verdict, paint));
  section(output, 'Budget', [count(task.budget.steps, 'step')]);
  if (request.screen === true) section(output, 'Screen', text.trimEnd().split('\n'));
  output.line(paint.dim(`Next: espalier play ${request.environment} ${task.template} --seed ${task.seed}`));
}

function section(output: Output, title: string, lines: readonly string[]): void {
  output.line(output.paint.dim(title));
  for (const line of lines) output.line(`  ${line}`);
  output.line();
}
