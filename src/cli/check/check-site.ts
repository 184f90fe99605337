import type { Environment } from '../../core/contracts.ts';
import type { Task } from '../../core/records.ts';
import { count } from '../../core/text.ts';
import { createWaiEnvironment } from '../../envs/web/wai/environment.ts';
import { holdLaws, tellReason, type CheckRequest } from './hold-laws.ts';
import { requireTemplate } from '../load.ts';
import type { ExitCode, Output } from '../output.ts';
import { plainBrowser } from '../web/browser-config.ts';
import type { SiteName } from '../web/sites.ts';
import { openWeb } from '../web/web.ts';

/** One thing that is wrong with a task. */
interface Finding {
  readonly template: string;
  readonly what: string;
  readonly detail: string;
}

/** Laws are held on so many tasks: they are laws of the pages, not of a task. */
const mostTasks = 2;
const pages = 4;

/** Holds other people's pages against the laws, and their verifiers against the untouched start. */
export async function checkSite(output: Output, site: SiteName, request: CheckRequest): Promise<ExitCode> {
  const web = openWeb(plainBrowser, pages);
  const environment = await createWaiEnvironment({ ...web, folder: site.place });
  const { paint } = output;
  try {
    if (request.json !== true) output.line(`${paint.bold(environment.title)}  ${paint.dim(environment.id)}`);
    const tasks = await someTasks(environment, request);
    const laws = await holdLaws(output, environment, { tasks, json: request.json });
    output.progress('asking every verifier of the untouched start …');
    const { tasks: asked, passing, broken, unsteady } = await environment.controls();
    const findings: Finding[] = [
      ...passing.map(({ template, message }) => ({ template, what: 'passes untouched', detail: message })),
      ...broken.map(({ template, code, reason }) => ({ template, what: code, detail: reason })),
      ...unsteady.map(({ template, said }) => ({ template, what: 'wavers', detail: said.join(' / ') })),
      ...environment.leftOut.map(detail => ({ template: '', what: 'left out', detail })),
    ];
    output.progress('');
    tell(output, findings, { asked, json: request.json === true });
    const held = laws.filter(({ pass }) => pass).length;
    if (request.json !== true) {
      const figures = `${held} of ${count(laws.length, 'law')} held, ${asked - findings.length} of ${count(asked, 'verifier')} sound`;
      const isSound = held === laws.length && findings.length === 0;
      output.line();
      output.line(`${isSound ? paint.green(paint.bold('passed')) : paint.red(paint.bold('failed'))}  ${figures}`);
    }
    return held === laws.length && findings.length === 0 ? 0 : 1;
  } finally {
    await environment.close?.();
    await web.pool.close();
  }
}

async function someTasks(environment: Environment, { template }: CheckRequest): Promise<Task[]> {
  const all = environment.templates.map(({ id }) => id);
  const wanted = template === undefined ? all.slice(0, mostTasks) : [requireTemplate(environment, template)];
  return Promise.all(wanted.map(id => environment.task(id, 1)));
}

function tell(output: Output, findings: readonly Finding[], { asked, json }: { asked: number; json: boolean }): void {
  if (json) {
    output.json({ kind: 'controls', asked, findings: findings.length });
    for (const finding of findings) output.json({ kind: 'finding', ...finding });
    return;
  }
  const { paint } = output;
  output.line();
  output.line(paint.dim(`Verifiers, asked of the untouched start: ${asked}`));
  if (findings.length === 0) output.line(`  ${paint.green('✓')} none passes, none breaks, none wavers`);
  for (const { template, what, detail } of findings) {
    output.line(`  ${paint.red('✗')} ${template}${template === '' ? '' : '  '}${what}`);
    tellReason(output, detail);
  }
}
