import { failureOf } from '../../../src/analysis/signals/causes.ts';
import { createForkWorld } from '../../../src/analysis/signals/fork-world.ts';
import { localise } from '../../../src/analysis/signals/localise.ts';
import { wilson } from '../../../src/analysis/stats.ts';
import { foldEpisode } from '../../../src/core/episode/record.ts';
import { createRandom } from '../../../src/core/random.ts';
import { figure, type Bench } from '../../measure.ts';
import { createDiagnosisPlanner, expertRuns, judgedWorlds } from './experts.ts';
import { plantErrors, type PlantedFailure } from './plant.ts';

const guesses = ['forks', 'record', 'last', 'random'] as const;
type Guess = (typeof guesses)[number];

/** Whether each guess is the planted step; for the random step, the chance of that; null when it was not made. */
type Hits = Readonly<Record<Guess, number | null>>;

interface Judged {
  readonly names: readonly string[];
  readonly hits: Hits;
}

/** Planning from every state takes its time: one of so many failures is tried by forks. */
const forkEvery = 4;

/** How often the step that `inspect` names is the one with the planted error: exactly that step. */
export const plantedBench: Bench = {
  group: 'planted',
  onDemand: true,
  figures: guesses.map(guess => `planted.${guess}`),
  async *run(_options, { progress, line }) {
    const judged: Judged[] = [];
    for await (const run of expertRuns(judgedWorlds)) {
      progress(`planting errors: ${run.source} ${run.task.template} …`);
      for (const failure of plantErrors(run, createRandom(`${run.task.id}${run.source}`)))
        judged.push(judgePlanted(failure, judged.length % forkEvery === 0));
    }
    progress('');
    line(`${judged.length} failures, each with one planted error; forks in one of ${forkEvery}. The exact step:`);
    for (const text of plantedTable(judged)) line(text);
    for (const guess of guesses) {
      const made = hitsOf(judged, guess);
      yield figure(`planted.${guess}`, 'share', [made.reduce((sum, hit) => sum + hit, 0) / made.length]);
    }
  },
};

export function judgePlanted({ kind, run, stored, step }: PlantedFailure, usesForks: boolean): Judged {
  const record = foldEpisode(stored);
  const { steps } = record.end.counts;
  const tried = (): number | null | undefined => {
    const planner = createDiagnosisPlanner();
    return localise(record, createForkWorld({ record, environment: run.environment, planner }))?.node;
  };
  return {
    names: ['all', kind, run.byCalls ? 'by calls' : 'at the screen', run.source.split(/ \d|,/, 1)[0] as string],
    hits: {
      forks: usesForks ? Number(tried() === step) : null,
      record: Number(failureOf(record)?.node === step),
      last: Number(step === steps),
      random: 1 / steps,
    },
  };
}

/** Lines of a Markdown table: kinds of errors, ways to act and worlds. */
function plantedTable(judged: readonly Judged[]): readonly string[] {
  const names = [...new Set(judged.flatMap(one => one.names))];
  return [
    '| failures | n | with forks (95 %) | from the record (95 %) | last step | random step |',
    '| --- | --- | --- | --- | --- | --- |',
    ...names.map(name => {
      const own = judged.filter(one => one.names.includes(name));
      const cells = guesses.map(guess => shareText(hitsOf(own, guess), guess === 'forks' || guess === 'record'));
      return `| ${[name, own.length, ...cells].join(' | ')} |`;
    }),
  ];
}

function hitsOf(judged: readonly Judged[], guess: Guess): readonly number[] {
  return judged.map(({ hits }) => hits[guess]).filter(hit => hit !== null);
}

function shareText(hits: readonly number[], hasInterval: boolean): string {
  if (hits.length === 0) return '–';
  const sum = hits.reduce((total, hit) => total + hit, 0);
  const share = (sum / hits.length).toFixed(2);
  if (!hasInterval) return share;
  const { low, high } = wilson(sum, hits.length);
  return `${share} (${low.toFixed(2)}–${high.toFixed(2)})`;
}
