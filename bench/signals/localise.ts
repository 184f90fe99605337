import { aegis } from '../../src/analysis/signals/diagnosis/aegis.ts';
import { createForkWorld } from '../../src/analysis/signals/fork-world.ts';
import { localise } from '../../src/analysis/signals/localise.ts';
import { annotate } from '../../src/analysis/signals/signal.ts';
import { foldEpisode } from '../../src/core/episode/record.ts';
import { createRandom } from '../../src/core/random.ts';
import { figure, type Bench } from '../measure.ts';
import { injectErrors, type InjectedFailure } from './inject.ts';
import { guesses, hitsOf, modeTable, placeTable, type Guess, type ModeResult } from './mode-table.ts';
import { createBenchPlanner, passingRuns, type SourcedRun } from './passing-runs.ts';

const figureOf: Readonly<Record<Guess, string>> = {
  fork: 'credit.localise-fork',
  record: 'credit.localise',
  first: 'credit.localise-first',
  last: 'credit.localise-last',
  random: 'credit.localise-random',
};

/** Planning from every state takes its time: one of so many failures is localised with forks. */
const forkEvery = 8;

/** Where injected errors are found: with forks, and from the record alone, beside trivial guesses. */
export const localiseBench: Bench = {
  group: 'credit',
  onDemand: true,
  figures: guesses.map(guess => figureOf[guess]),
  async *run(_options, { progress, line }) {
    const results: ModeResult[] = [];
    let runs = 0;
    for await (const run of passingRuns(progress)) {
      runs++;
      for (const failure of injectErrors(run, createRandom(run.task.id)))
        results.push(judge(run, failure, results.length % forkEvery === 0));
    }
    progress('');
    line(`${results.length} failures, each with one injected error, from ${runs} passing runs.`);
    line('Modes that the aegis signal finds, within one step of the error:');
    for (const text of modeTable(results)) line(text);
    line(`First wrong step found, within one step of the error; with forks, in one of ${forkEvery} failures:`);
    for (const text of placeTable(results)) line(text);
    for (const guess of guesses) {
      const hits = hitsOf(results, guess);
      yield figure(figureOf[guess], 'share', [hits.reduce((sum, hit) => sum + hit, 0) / hits.length]);
    }
  },
};

function judge(
  { environment, source }: SourcedRun,
  { stored, mode, step }: InjectedFailure,
  usesForks: boolean,
): ModeResult {
  const record = foldEpisode(stored);
  const { steps } = record.end.counts;
  const isNear = (node: number | null | undefined): boolean => Math.abs((node ?? Infinity) - step) <= 1;
  const inWorld = () => localise(record, createForkWorld({ record, environment, planner: createBenchPlanner() }))?.node;
  const nearby = [step - 1, step, step + 1].filter(node => node >= 1 && node <= steps).length;
  const said = annotate(record, [aegis]);
  return {
    source,
    mode,
    saidNear: new Set(said.filter(({ node }) => isNear(node)).map(({ label }) => label)),
    saidAnywhere: new Set(said.map(({ label }) => label)),
    hits: {
      fork: usesForks ? Number(isNear(inWorld())) : null,
      record: Number(isNear(localise(record)?.node)),
      first: Number(isNear(1)),
      last: Number(isNear(steps)),
      random: nearby / steps,
    },
  };
}
