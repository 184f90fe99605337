import { environments as builtIn } from '../../catalog.ts';
import { count } from '../../core/text.ts';
import { columns, wrap, type ExitCode, type Output } from '../terminal/output.ts';
import type { Input } from '../terminal/line-source.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { collectRun, type Collected } from '../../runs/collect.ts';
import { readOrder, type CollectFlags, type CollectOrder } from './flags.ts';
import { withFleet, type FleetFlags } from '../fleet/with-fleet.ts';
import { createTerminalHuman } from './human.ts';
import { createProgress, durationText, outcomesText } from '../terminal/progress.ts';
import { spentText } from '../../runs/models/spending.ts';
import { advisingResume, stoppable } from '../terminal/stop.ts';

export interface CollectRequest extends CollectFlags, FleetFlags {
  readonly environments: readonly string[];
  readonly workers?: number;
  readonly json?: boolean;
}

export async function collect(output: Output, openInput: () => Input, request: CollectRequest): Promise<ExitCode> {
  const { environments, json = false, workers, fleet, priority, ...flags } = request;
  const order = readOrder(environments, flags, { known: builtIn.map(({ id }) => id), note: output.note });
  const resume = `espalier collect --resume ${order.folder}`;
  const shared = { ...(fleet === undefined ? {} : { fleet }), ...(priority === undefined ? {} : { priority }) };
  const open = { openInput, say: json ? output.note : output.line, workers, shared };
  const found = await advisingResume(resume, () => run(output, order, open));
  output.progress('');
  if (json) output.json(found);
  else tell(output, found);
  const outcomes = outcomesOf(found);
  const all = Object.values(outcomes).reduce((sum, number) => sum + number, 0);
  if (found.exhausted !== null)
    output.note(
      `${found.exhausted} Go on with: ${resume}${/budget/.test(found.exhausted) ? ' --budget-dollars … or --budget-tokens …' : ''}`,
    );
  else if (found.stopped) output.note(`stopped before the end; go on with: ${resume}`);
  return found.stopped || (all > 0 && outcomes.errored === all) ? 1 : 0;
}

interface Terminal {
  readonly workers: number | undefined;
  readonly shared: FleetFlags;
  openInput(): Input;
  say(text: string): void;
}

function run(
  output: Output,
  { folder, config }: CollectOrder,
  { openInput, say, workers, shared }: Terminal,
): Promise<Collected> {
  const host = withFleet(createSystemHost({ workers }), shared, output);
  const work = async (controller: AbortController): Promise<Collected> => {
    const input = config.teacher.kind === 'human' ? openInput() : null;
    try {
      return await collectRun({
        config,
        folder,
        host,
        signal: controller.signal,
        human: input === null ? undefined : createTerminalHuman({ input, say, stop: () => controller.abort() }),
        onProgress: createProgress(output, host.clock, 'collecting'),
      });
    } finally {
      input?.close();
    }
  };
  return stoppable(output, work, { seconds: config.limits.seconds });
}

type Sums = Collected['environments'][number]['outcomes'];

function outcomesOf({ environments }: Collected): Sums {
  const sums = { passed: 0, failed: 0, discarded: 0, errored: 0 };
  for (const { outcomes } of environments) {
    for (const name of Object.keys(sums) as (keyof Sums)[]) sums[name] += outcomes[name];
  }
  return sums;
}

function tell(output: Output, found: Collected): void {
  const { paint, line } = output;
  const { environments, ended, skipped, seconds, folder, round } = found;
  const before = skipped === 0 ? '' : `, ${count(skipped, 'episode')} there before`;
  line(`${paint.bold(`Round ${round}`)}: ${count(ended, 'episode')} in ${durationText(seconds)}${before}`);
  line();
  const heads = [
    'environment',
    'passed',
    'certified',
    'failed',
    'discarded',
    'errored',
    'steps',
    'reviews',
    'corrections',
  ];
  const rows = environments.map(({ environment, outcomes, certified, steps, reviews, corrections }) => [
    environment,
    ...[outcomes.passed, certified, outcomes.failed, outcomes.discarded, outcomes.errored].map(String),
    ...[steps, reviews, corrections].map(number => number.toLocaleString('en')),
  ]);
  for (const text of columns([heads.map(head => paint.dim(head)), ...rows], [1, 2, 3, 4, 5, 6, 7, 8])) line(text);
  line();
  for (const text of factsOf(found)) line(wrap(text, output.width, '  '));
  tellFaults(output, found);
  line();
  line(`Kept in ${paint.bold(found.store)}`);
  line(paint.dim(`Next: espalier inspect ${folder}, espalier export ${folder}`));
}

function factsOf(found: Collected): string[] {
  const { environments, reviewer, heldOut } = found;
  const reviews = environments.reduce((sum, totals) => sum + totals.reviews, 0);
  const corrections = environments.reduce((sum, totals) => sum + totals.corrections, 0);
  const asked = `${count(reviews, 'review')}, ${count(corrections, 'correction')}`;
  return [
    `All in all: ${outcomesText(outcomesOf(found))}.`,
    ...(reviews + corrections === 0
      ? []
      : [`Teacher queries: ${(reviews + corrections).toLocaleString('en')} (${asked}).`]),
    ...shareLines(found),
    ...(found.spent.calls === 0 ? [] : [spentText(found.spent)]),
    ...(reviewer === null ? [] : [`Wrong rejections: ${reviewer.passed} of ${reviewer.lived} branches that lived on.`]),
    ...(heldOut.length === 0
      ? []
      : [`Collected on held-out templates, as asked: ${heldOut.join(', ')}. They are not exported for training.`]),
  ];
}

/** Who took the steps that were kept: what passed may be the teacher’s work alone. */
function shareLines({ environments }: Collected): string[] {
  const kept = environments.reduce((sum, totals) => sum + totals.kept, 0);
  const taught = environments.reduce((sum, totals) => sum + totals.taught, 0);
  if (kept === 0 || taught === 0) return [];
  const share = Math.round((100 * (kept - taught)) / kept);
  return [
    `Kept steps: ${kept.toLocaleString('en')} in what passed, ${share} % the student’s, ${taught.toLocaleString('en')} the teacher’s.`,
  ];
}

function tellFaults({ line, paint, width }: Output, { breakages, unmade, uncertified }: Collected): void {
  if (uncertified !== null) {
    const { count: number, reason, episode } = uncertified;
    const told = `Passed, not certified: ${count(number, 'episode')}, neither archived nor exported. First: ${reason}`;
    line(paint.yellow(wrap(`${told}.`, width, '  ')));
    line(paint.dim(`  in ${episode}`));
  }
  for (const { boundary, count: number, message, episode } of breakages) {
    line(paint.yellow(wrap(`Broke at the ${boundary}: ${count(number, 'episode')}. First: ${message}`, width, '  ')));
    line(paint.dim(`  in ${episode}`));
  }
  const first = unmade[0];
  if (first === undefined) return;
  line(paint.yellow(wrap(`Could not be made: ${count(unmade.length, 'task')}. First: ${first.message}`, width, '  ')));
  line(paint.dim(`  in ${first.task}`));
}
