import type { SignalRounds, StudioLearning } from '../../api/api-learning.ts';
import type { Host } from '../../../runs/host/host.ts';
import type { OpenedRun } from '../opened-run.ts';
import { learningChart, learningView } from './learning-view.ts';
import { createRunLearning, type RunLearning } from './run-learning.ts';
import { signalChart, signalRounds } from './signal-rounds.ts';

export interface LearningOptions {
  readonly host: Host;
  run(id: string): OpenedRun;
  runs(): Iterable<OpenedRun>;
}

/** Runs beside each other in one figure: more lines cannot be told apart. */
const mostRuns = 12;
/** What signals say is used again for so long while a run is written. */
const keptMilliseconds = 5000;

/** How students became better, over the rounds of a run or in several runs. */
export function createLearning({ host, run, runs }: LearningOptions): StudioLearning {
  const learningOf = createRunLearning();
  const chosen = (id: string | undefined): RunLearning[] =>
    id === undefined ? readable(runs()).map(learningOf).filter(hasRounds).slice(0, mostRuns) : [learningOf(run(id))];
  const said = new WeakMap<
    OpenedRun,
    { readonly version: number; readonly at: number; found: Promise<SignalRounds> }
  >();
  const signals = (id: string): Promise<SignalRounds> => {
    const [own, now] = [run(id), host.clock.now()];
    const version = own.index.version();
    const known = said.get(own);
    if (known !== undefined && (known.version === version || now - known.at < keptMilliseconds)) return known.found;
    const found = signalRounds(own, host);
    said.set(own, { version, at: now, found });
    found.catch(() => said.delete(own));
    return found;
  };
  return {
    view: id => learningView(chosen(id)),
    chart: request => learningChart(chosen(request.run), request),
    signals,
    signalChart: async request => signalChart(await signals(request.run), request),
  };
}

/** A run that cannot be read says so on its card. */
function readable(runs: Iterable<OpenedRun>): OpenedRun[] {
  return [...runs].filter(run => run.summary().problem === null);
}

function hasRounds({ rounds }: RunLearning): boolean {
  return rounds.length > 0;
}
