import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createSystemTimers } from '../../../src/system/clock.ts';
import { createBrowserPool } from '../../../src/envs/web/browser/pool.ts';
import { figure, type Bench, type BenchNews, type BenchOptions, type Figure } from '../../../bench/measure.ts';
import { caseFrom, isRight, writeCase } from './case.ts';
import { aboutOf } from './difference.ts';
import { examine, type Examined, type Examiner } from './examine.ts';
import { generate } from './generate.ts';
import { library } from './library.ts';
import { describeFinding, describeTally } from './report.ts';
import { shrinkPage, type Finding } from './shrink.ts';
import { createTally, type Tally } from './tally.ts';

const lanes = 6;
/** Findings that are made smaller; the rest is counted. */
const mostShrunk = 40;

/** Generated pages with rollbacks in them, compared with fresh replays. */
export const certifyBench: Bench = {
  group: 'certify',
  onDemand: true,
  usesBrowser: true,
  figures: [
    'certify.wrong',
    'certify.right',
    'certify.restored',
    'certify.replayed',
    'certify.restored-wrong',
    'certify.unsteady',
    'certify.failed',
    'certify.refused',
    'certify.pages',
  ],
  async *run(options, news) {
    const pool = createBrowserPool({ timers: createSystemTimers(), pages: lanes + 2, ...options.browser });
    const tally = createTally();
    const started = performance.now();
    const stop = new AbortController();
    const onStop = (): void => {
      stop.abort();
      news.stop?.();
      // One press of Ctrl+C may come twice; another press ends the program.
      setTimeout(() => process.off('SIGINT', onStop), 500).unref();
    };
    // Hours of pages are not lost: what is known is told.
    process.on('SIGINT', onStop);
    try {
      const findings = await runPages(
        { pool, library, certifies: true },
        { options, news, tally, signal: stop.signal },
      );
      const seconds = (performance.now() - started) / 1000;
      for (const line of describeTally(tally)) news.line(line);
      const shown = stop.signal.aborted
        ? findings.slice(0, mostShrunk)
        : await shrinkAll({ pool, library, certifies: false }, findings, news);
      for (const [index, finding] of shown.entries()) {
        for (const line of describeFinding(finding, library, index + 1)) news.line(line);
        if (options.keep !== undefined) keepCase(options.keep, finding);
      }
      yield* figuresOf(tally, seconds);
    } finally {
      process.off('SIGINT', onStop);
      await pool.close();
    }
  },
};

interface Course {
  readonly options: BenchOptions;
  readonly news: BenchNews;
  readonly tally: Tally;
  /** Ends the course before its time. */
  readonly signal: AbortSignal;
}

/** Runs pages in several lanes until there were enough of them, or the time is over. What came out wrong. */
async function runPages(examiner: Examiner, { options, news, tally, signal }: Course): Promise<readonly Finding[]> {
  const { pages, seed, minutes, features } = options.certify;
  const names = [...library.keys()].filter(name => features.length === 0 || features.includes(name));
  const [most, end] = minutes === null ? [pages, Infinity] : [Infinity, performance.now() + minutes * 60_000];
  const findings: Finding[] = [];
  let next = 0;
  const runLane = async (): Promise<void> => {
    while (next < most && performance.now() < end && !signal.aborted) {
      const { slots, next: nextStep } = generate(`${seed}/${next++}`, names);
      const examined = await examine(examiner, slots, nextStep);
      tally.add(slots, examined);
      const isFinding = !isRight(examined.outcome) && examined.outcome !== 'refused';
      if (isFinding) findings.push({ slots, examined });
      news.progress(`${tally.pages()} pages, ${findings.length} not right …`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
  return findings;
}

/** Makes findings smaller, those with few features first, but for stuck ones. One that holds a smaller one of the same kind is left out. */
async function shrinkAll(
  examiner: Examiner,
  findings: readonly Finding[],
  news: BenchNews,
): Promise<readonly Finding[]> {
  const small: Finding[] = [];
  for (const finding of findings.toSorted((one, other) => one.slots.length - other.slots.length)) {
    if (small.length >= mostShrunk) break;
    if (small.some(other => holds(finding, other))) continue;
    news.progress(`making findings smaller, ${small.length} so far …`);
    // Each try of a stuck page takes as long as it did.
    const isStuck = finding.examined.outcome === 'stuck';
    small.push(isStuck ? finding : await shrinkPage(examiner, finding));
  }
  return small;
}

/** Whether a finding is the same as a smaller one: it looks the same, or has the same features and more. */
function holds({ slots, examined }: Finding, smaller: Finding): boolean {
  if (kindOf(examined) !== kindOf(smaller.examined)) return false;
  if (examined.difference?.what === 'probe' || examined.problem !== null) return true;
  return smaller.slots.every(slot => slots.some(({ feature }) => feature === slot.feature));
}

function kindOf({ outcome, difference, problem }: Examined): string {
  return `${outcome} ${difference === null ? problem?.split('\n', 1)[0] : aboutOf(difference)}`;
}

function keepCase(folder: string, { slots, examined }: Finding): void {
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, 'cases.jsonl'), writeCase(caseFrom(slots, examined)));
}

function* figuresOf(tally: Tally, seconds: number): Generator<Figure> {
  const pages = tally.pages();
  const outcomes = tally.outcomes();
  const { restored, refused } = tally.rollbacks();
  const counted = (name: string, unit: Figure['unit'], value: number): Figure => ({
    ...figure(name, unit, [value]),
    runs: pages,
  });
  yield counted('certify.wrong', 'count', tally.certifiedWrong());
  yield counted('certify.right', 'share', tally.right() / Math.max(1, pages));
  yield counted('certify.restored', 'share', outcomes.restored / Math.max(1, pages));
  yield counted('certify.replayed', 'share', outcomes.replayed / Math.max(1, pages));
  yield counted('certify.restored-wrong', 'count', outcomes['restored-wrong']);
  yield counted('certify.unsteady', 'count', outcomes.unsteady);
  yield counted('certify.failed', 'count', outcomes.failed + outcomes.stuck);
  yield counted('certify.refused', 'share', refused / Math.max(1, restored + refused));
  yield counted('certify.pages', '1/s', pages / seconds);
}
