import type { Environment } from '../../core/contracts.ts';
import { causeText } from '../../core/errors.ts';
import type { Task, Verdict } from '../../core/records.ts';
import { count } from '../../core/text.ts';
import type { MiniwobEnvironment } from '../../envs/web/sites/miniwob/environment.ts';
import { withoutSandbox } from '../../envs/python/sandbox.ts';
import type { WaiEnvironment } from '../../envs/web/sites/wai/environment.ts';
import { openEnvironment, requireTemplate } from '../../runs/environments/open-environment.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import type { ExitCode, Output } from '../terminal/output.ts';
import { programConfig } from '../terminal/browser-program.ts';
import { openWeb } from '../../runs/environments/web.ts';
import { defectOfLaw, type DefectClass } from '../../forge/audit/defect.ts';
import { holdLaws, tellReason, type CheckRequest } from './hold-laws.ts';
import { tellDefects } from './tell-defects.ts';

/** Tasks and verifiers that are wrong. */
const reference: DefectClass = 'reference';

/** One thing that is wrong with a task. */
interface Finding {
  readonly class: DefectClass;
  readonly template: string;
  readonly what: string;
  readonly detail: string;
}

/** A trial beside the laws, and its result. */
interface Trial {
  /** `verifiers, asked of the untouched start`. */
  readonly about: string;
  readonly tried: number;
  readonly findings: readonly Finding[];
}

/** Somebody's pages, and how their tasks are tried. */
interface Tried {
  readonly environment: Environment;
  trial(templates: readonly string[]): Promise<Trial>;
}

/** Laws are held on so many tasks: they are laws of the pages, not of a task. */
const mostTasks = 2;
/** The laws ask the verifier about ten times at every step, and a verifier of pages is a program. */
const lawSteps = 8;
const pages = 4;

/** Holds other people's pages against the laws, and tries every task of theirs. */
export async function checkSite(output: Output, request: CheckRequest): Promise<ExitCode> {
  const host = createSystemHost();
  const web = openWeb({ config: programConfig(request), pages, host });
  const { environment, trial } = triedBy(await openEnvironment(request.environment, { host, web }), request.seeds);
  const { paint } = output;
  const json = request.json === true;
  try {
    if (!json) output.line(`${paint.bold(environment.title)}  ${paint.dim(environment.id)}`);
    const templates = chosen(environment, request);
    const tasks = await someTasks(environment, templates);
    const laws = await holdLaws(output, environment, { tasks, json, steps: lawSteps });
    output.progress(`trying ${count(templates.length, 'task')} …`);
    const found = await trial(templates);
    output.progress('');
    tell(output, found, json);
    const broken = laws.filter(({ pass }) => !pass).map(defectOfLaw);
    const trialDefects = found.findings.map(({ class: kind, template, what, detail }) => ({
      class: kind,
      where: template,
      detail: `${what}: ${detail}`,
    }));
    tellDefects(output, [...broken, ...trialDefects], json);
    const held = laws.filter(({ pass }) => pass).length;
    const isSound = held === laws.length && found.findings.length === 0;
    if (!json) {
      output.line();
      const word = isSound ? paint.green(paint.bold('passed')) : paint.red(paint.bold('failed'));
      output.line(`${word}  ${held} of ${count(laws.length, 'law')} held, ${count(found.findings.length, 'finding')}`);
    }
    return isSound ? 0 : 1;
  } finally {
    await environment.close?.();
    await web.pool.close();
  }
}

/** The first tasks that can be made. Trying the others finds out what is wrong with them. */
async function someTasks(environment: Environment, templates: readonly string[]): Promise<Task[]> {
  const tasks: Task[] = [];
  for (const id of templates) {
    if (tasks.length === mostTasks) break;
    const task = await Promise.resolve(environment.task(id, 1)).catch(() => null);
    if (task !== null) tasks.push(task);
  }
  return tasks;
}

function chosen(environment: Environment, { template }: CheckRequest): string[] {
  if (template !== undefined) return [requireTemplate(environment, template)];
  return environment.templates.map(({ id }) => id);
}

/** Pages are tried by what they can do: whole folders by their controls, pages with seeds by playing them twice. */
function triedBy(environment: Environment, seeds: number): Tried {
  if ('controls' in environment) return triedFolder(environment as WaiEnvironment);
  if ('probeDeterminism' in environment) return triedPages(environment as MiniwobEnvironment, seeds);
  return { environment, trial: templates => triedUntouched(environment, templates) };
}

function triedFolder(environment: WaiEnvironment): Tried {
  return {
    environment,
    async trial(templates) {
      const { tasks, passing, broken, unsteady } = await environment.controls(templates);
      const findings = [
        ...passing.map(({ template, message }) => ({
          class: reference,
          template,
          what: 'passes untouched',
          detail: message,
        })),
        ...broken.map(({ template, code, reason }) => ({
          class: reference,
          template,
          what: `breaks (${code})`,
          detail: reason,
        })),
        ...unsteady.map(({ template, said }) => ({
          class: reference,
          template,
          what: 'wavers',
          detail: said.join(' / '),
        })),
        ...leftOut(environment.leftOut),
      ];
      const missing = await environment.missingSandbox();
      const about = 'Verifiers, each asked twice of the untouched start';
      return { about: missing === null ? about : `${about}. ${withoutSandbox(missing)}`, tried: tasks, findings };
    },
  };
}

function triedPages(environment: MiniwobEnvironment, seeds: number): Tried {
  return {
    environment,
    async trial(templates) {
      const numbers = Array.from({ length: seeds }, (_, index) => index + 1);
      const found = await environment.probeDeterminism({ templates, seeds: numbers });
      const named = (what: string, list: typeof found.differing): Finding[] =>
        list.map(({ template, seed, detail }) => ({
          class: 'implementation',
          template: `${template}, seed ${seed}`,
          what,
          detail,
        }));
      const findings = [
        ...named('does not start', found.notStarted),
        ...named('differs from run to run', found.differing),
        ...named('throws', found.throwing),
        ...leftOut(environment.leftOut),
      ];
      return { about: 'Episodes, each played twice', tried: found.probed, findings };
    },
  };
}

/** Nobody has done anything yet: no verifier may say that it is done. */
async function triedUntouched(environment: Environment, templates: readonly string[]): Promise<Trial> {
  const findings: Finding[] = [];
  for (const template of templates) {
    try {
      const verdict = await untouchedVerdict(environment, template);
      if (verdict.pass)
        findings.push({ class: reference, template, what: 'passes untouched', detail: verdict.checks[0]?.name ?? '' });
    } catch (cause) {
      findings.push({ class: reference, template, what: 'breaks', detail: causeText(cause) });
    }
  }
  return { about: 'Verifiers, asked of the untouched start', tried: templates.length, findings };
}

async function untouchedVerdict(environment: Environment, template: string): Promise<Verdict> {
  const session = await environment.open(await environment.task(template, 1));
  try {
    await session.step({ kind: 'finish' });
    return await session.verify();
  } finally {
    await session.close();
  }
}

function leftOut(reasons: readonly string[]): Finding[] {
  return reasons.map(detail => ({ class: 'schema', template: '', what: 'left out', detail }));
}

function tell(output: Output, { about, tried, findings }: Trial, json: boolean): void {
  if (json) {
    output.json({ kind: 'trial', about, tried, findings: findings.length });
    for (const finding of findings) output.json({ ...finding, kind: 'finding' });
    return;
  }
  const { paint } = output;
  output.line();
  output.line(paint.dim(`${about}: ${tried.toLocaleString('en')}`));
  if (findings.length === 0) output.line(`  ${paint.green('✓')} nothing is wrong with any`);
  for (const { template, what, detail } of findings) {
    output.line(`  ${paint.red('✗')} ${template}${template === '' ? '' : '  '}${what}`);
    tellReason(output, detail);
  }
}
