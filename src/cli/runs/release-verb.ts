import { pointsText } from '../../analysis/report/figures/comparison.ts';
import { estimateText } from '../../analysis/estimate.ts';
import { invalidOption } from '../../core/errors.ts';
import { count } from '../../core/text.ts';
import { checkRelease } from '../../runs/release/check-release.ts';
import { compareDates, findLeaks } from '../../runs/release/contamination.ts';
import { readDemand } from '../../runs/release/demand.ts';
import { freezeRelease } from '../../runs/release/freeze.ts';
import { packageVersion } from '../../system/about.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { columns, type ExitCode, type Output } from '../terminal/output.ts';

export interface ReleaseRequest {
  readonly what: string;
  readonly places: readonly string[];
  readonly out?: string;
  readonly date?: string;
  readonly name?: string;
  readonly demand?: string;
  readonly tasks: number;
  readonly release?: readonly string[];
  readonly cutoff?: string;
  readonly student?: string;
  readonly json?: boolean;
}

const verbs: Readonly<Record<string, (output: Output, request: ReleaseRequest) => ExitCode | Promise<ExitCode>>> = {
  freeze,
  check,
  leaks,
  dates,
};

/** Freezes tasks as a release, checks one, and looks for what has read it. */
export async function release(output: Output, request: ReleaseRequest): Promise<ExitCode> {
  const verb = verbs[request.what];
  if (verb === undefined)
    throw invalidOption(
      `"${request.what}" is nothing to do with a release.`,
      `Expected ${Object.keys(verbs).join(', ')}.`,
    );
  return verb(output, request);
}

async function freeze(output: Output, request: ReleaseRequest): Promise<ExitCode> {
  const [environment, ...more] = request.places;
  if (environment === undefined || more.length > 0 || request.out === undefined)
    throw invalidOption(
      'A release has one environment and a folder.',
      'Expected espalier release freeze <env> --out <folder>.',
    );
  const today = new Date(createSystemHost().clock.now()).toISOString().slice(0, 10);
  const { out: folder, date = today, name = date, tasks, demand, json } = request;
  if (!/^\d{4}-\d\d-\d\d$/.test(date))
    throw invalidOption(`"${date}" is no day.`, 'Expected year, month and day, such as 2026-11-18.');
  const frozen = await freezeRelease({
    environment,
    folder,
    name,
    date,
    tasks,
    demand: demand === undefined ? [] : readDemand(demand),
    nodes: 5000,
    version: packageVersion(),
    onTask: (done, of) => output.progress(`freezing: ${done} of ${count(of, 'task')} …`),
  });
  output.progress('');
  const templates = Map.groupBy(frozen.tasks, ({ template }) => template);
  const most = Math.max(...[...templates.values()].map(own => own.length));
  if (json === true) {
    output.json({ folder, name, date, hash: frozen.hash, tasks: frozen.tasks.length, templates: templates.size });
    return 0;
  }
  const proven = frozen.proofs.filter(({ path }) => path !== null).length;
  output.line(
    `${count(frozen.tasks.length, 'task')} of ${count(templates.size, 'template')}, ${proven} with a path: ${folder}`,
  );
  output.line(`Hash ${frozen.hash}`);
  output.line(output.paint.dim(`Next: espalier eval release:${folder} --instances ${most} --student <student>`));
  return 0;
}

async function check(output: Output, { places, json }: ReleaseRequest): Promise<ExitCode> {
  let isSame = true;
  for (const folder of places) {
    const {
      release: found,
      walked,
      opened,
      changed,
    } = await checkRelease(folder, (done, of) => output.progress(`checking: ${done} of ${count(of, 'task')} …`));
    output.progress('');
    isSame &&= changed.length === 0;
    const { name, date, hash } = found;
    if (json === true) output.json({ folder, name, date, hash, walked, opened, changed });
    else {
      for (const { task, what } of changed) output.line(`${output.paint.red(task)}: ${what}`);
      const told = `${walked} walked again, ${opened} opened, ${changed.length} changed`;
      output.line(`${name} of ${date}: ${count(found.tasks.length, 'task')}, ${told}. Hash ${hash}`);
    }
  }
  return isSame ? 0 : 1;
}

function leaks(output: Output, { places, release: releases = [], json }: ReleaseRequest): ExitCode {
  if (releases.length === 0)
    throw invalidOption('There is no release to look for.', 'Expected --release <folder>, once for each.');
  const found = findLeaks(places, releases);
  if (json === true) output.json({ leaks: found });
  else {
    const rows = found.map(({ release: name, what, task, file, line }) => [name, what, task ?? '', `${file}:${line}`]);
    if (rows.length > 0) for (const text of columns([['release', 'what', 'task', 'where'], ...rows])) output.line(text);
    output.line(found.length === 0 ? 'Nothing of these releases was found.' : `${count(found.length, 'place')} found.`);
  }
  return found.length === 0 ? 0 : 1;
}

function dates(output: Output, { places, release: releases = [], cutoff, student, json }: ReleaseRequest): ExitCode {
  if (cutoff === undefined) throw invalidOption('There is no day to compare at.', 'Expected --cutoff 2026-06-01.');
  const found = compareDates({ runs: places, releases, cutoff, student });
  if (json === true) output.json(found);
  else {
    const { before, after, difference } = found;
    output.line(`before ${cutoff}: ${estimateText(before)} of ${before.n}`);
    output.line(`from it on: ${estimateText(after)} of ${after.n}`);
    const told = difference.low > 0 ? 'better on what was there before' : 'no sign of contamination in these tasks';
    output.line(`Before less after: ${pointsText(difference)} points: ${told}.`);
  }
  return found.difference.low > 0 ? 1 : 0;
}
