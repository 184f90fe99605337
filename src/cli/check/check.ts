import type { Environment } from '../../core/contracts.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Task } from '../../core/records.ts';
import { admitTemplates } from '../../forge/admission/admission.ts';
import type { Admission, OwnLadder } from '../../worlds/admission.ts';
import type { App } from '../../worlds/app/app.ts';
import type { LawResult } from '../../worlds/laws.ts';
import { createWorld } from '../../worlds/world.ts';
import { auditEnvironment } from '../../forge/audit/audit.ts';
import { defectOfLaw, defectOfTemplate } from '../../forge/audit/defect.ts';
import { mark } from '../terminal/describe.ts';
import { findSource, openEnvironment, requireTemplate } from '../../runs/environments/open-environment.ts';
import { placeIn, type Source } from '../../worlds/family.ts';
import { count } from '../../core/text.ts';
import type { ExitCode, Output } from '../terminal/output.ts';
import { holdLaws, tellReason, type CheckRequest } from './hold-laws.ts';
import { tellDefects } from './tell-defects.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { admitSource } from '../../runs/environments/admit-source.ts';
import { createLadderPlanner } from '../../runs/environments/ladder-planner.ts';
import { writeIntegrity } from '../../runs/folder/integrity-file.ts';
import { familyOf } from '../../runs/environments/families.ts';

export async function checkEnvironment(output: Output, request: CheckRequest): Promise<ExitCode> {
  const { name, served = null } = familyOf(request.environment)?.family ?? {};
  if (name === 'harbor:') return (await import('./check-harbor.ts')).checkHarbor(output, request);
  if (name === 'repository:' && request.template === undefined)
    return (await import('./check-repository.ts')).checkRepository(output, request, placeIn(request.environment));
  if (served === 'pages') return (await import('./check-site.ts')).checkSite(output, request);
  const source: Source =
    served === null
      ? await findSource(request.environment)
      : { environment: await openEnvironment(request.environment, { host: createSystemHost() }) };
  const app = 'app' in source ? source.app : null;
  // Every state is checked against its schema, so that a command that spoils one is found.
  const environment = 'app' in source ? createWorld(source.app, { checked: true }) : source.environment;
  if (request.template !== undefined) requireTemplate(environment, request.template);
  const { paint } = output;
  if (request.json !== true) output.line(`${paint.bold(environment.title)}  ${paint.dim(environment.id)}`);
  const tasks = await tasksOf(environment, request, app !== null);
  const laws = await holdLaws(output, environment, { tasks, json: request.json });
  const admissions = app === null ? await admitOwn(output, source, request) : await admit(output, app, request);
  // What other people serve cannot be taken apart: its tools and verifiers are tried from outside.
  const audited = app === null ? await auditEnvironment(environment, tasks) : [];
  await environment.close?.();
  if (request.into !== undefined) keepIntegrity(output, request.into, { environment: environment.id, admissions });
  tellDefects(
    output,
    [
      ...laws.filter(({ pass }) => !pass).map(defectOfLaw),
      ...admissions.filter(({ admitted }) => !admitted).map(defectOfTemplate),
      ...audited,
    ],
    request.json,
  );
  if (request.json !== true) summarise(output, laws, admissions);
  const isSound = laws.every(({ pass }) => pass) && admissions.every(({ admitted }) => admitted);
  return isSound && audited.length === 0 ? 0 : 1;
}

interface Tried {
  readonly environment: string;
  readonly admissions: readonly Admission[];
}

/** Keeps it in the folder of a run, for its rows, its conditions and its report. */
function keepIntegrity(output: Output, folder: string, { environment, admissions }: Tried): void {
  const found = admissions.map(({ template, admitted, rung, detail, parts }) => ({
    environment,
    template,
    parts: parts ?? { [rung ?? 'admitted']: admitted },
    fell: admitted ? null : detail,
  }));
  writeIntegrity(folder, found);
  output.note(`What was tried against ${count(found.length, 'template')} is kept in ${folder}.`);
}

async function tasksOf(environment: Environment, request: CheckRequest, laddered: boolean): Promise<Task[]> {
  const tasks: Task[] = [];
  for (const { id } of environment.templates) {
    if (request.template !== undefined && id !== request.template) continue;
    try {
      for (let seed = 1; seed <= request.seeds; seed++) tasks.push(await environment.task(id, seed));
    } catch (cause) {
      // The first rung of the ladder rejects a template that makes no tasks. Without a ladder the error must be thrown here.
      if (!laddered) throw cause;
    }
  }
  return tasks;
}

/** The ladder that an environment brings itself. */
async function admitOwn(output: Output, source: Source, { seeds, template, json }: CheckRequest): Promise<Admission[]> {
  if (!('environment' in source)) return [];
  const ids = template === undefined ? source.environment.templates.map(({ id }) => id) : [template];
  const admissions = admitSource(source, ids, seeds);
  return admissions === null ? [] : tellAdmissions(output, { ids, json }, admissions);
}

function admit(
  output: Output,
  app: App<JsonObject>,
  { seeds, tries, template, json }: CheckRequest,
): Promise<Admission[]> {
  const ids = template === undefined ? app.templates.map(({ id }) => id) : [template];
  const planner = createLadderPlanner();
  return tellAdmissions(output, { ids, json }, admitTemplates(app, { planner, seeds, tries, templates: ids }));
}

interface Admitting {
  readonly ids: readonly string[];
  readonly json: boolean | undefined;
}

async function tellAdmissions(
  output: Output,
  { ids, json }: Admitting,
  admissions: ReturnType<OwnLadder['admit']>,
): Promise<Admission[]> {
  const { paint } = output;
  const width = Math.max(...ids.map(id => id.length));
  const found: Admission[] = [];
  if (json !== true) {
    output.line();
    output.line(paint.dim('Templates'));
  }
  const ladder = Symbol.iterator in admissions ? admissions[Symbol.iterator]() : admissions[Symbol.asyncIterator]();
  for (const id of ids) {
    output.progress(`admitting ${id} (${found.length + 1} of ${ids.length}) …`);
    const { value: admission } = (await ladder.next()) as IteratorYieldResult<Admission>;
    found.push(admission);
    const { template: name, admitted, rung, law, detail } = admission;
    if (json === true) output.json({ kind: 'template', ...admission });
    else if (admitted) output.line(`  ${mark(true, paint)} ${name.padEnd(width)}  ${paint.dim(detail)}`);
    else {
      output.line(`  ${mark(false, paint)} ${name.padEnd(width)}  falls at "${rung ?? ''}" (${law ?? ''})`);
      tellReason(output, detail);
    }
  }
  return found;
}

function summarise(output: Output, laws: readonly LawResult[], admissions: readonly Admission[]): void {
  const { paint } = output;
  const held = laws.filter(({ pass }) => pass).length;
  const admitted = admissions.filter(admission => admission.admitted).length;
  const broken = [
    ...laws.filter(({ pass }) => !pass).map(({ law }) => law),
    ...admissions.flatMap(admission => (admission.admitted ? [] : [`${admission.law ?? ''} (${admission.template})`])),
  ];
  output.line();
  const templates = admissions.length === 0 ? '' : `, ${admitted} of ${count(admissions.length, 'template')} admitted`;
  const figures = `${held} of ${count(laws.length, 'law')} held${templates}`;
  if (broken.length === 0) output.line(`${paint.green(paint.bold('passed'))}  ${figures}`);
  else output.line(`${paint.red(paint.bold('failed'))}  ${figures}. Broken: ${broken.join(', ')}.`);
}
