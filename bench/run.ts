import { browserBench } from './browser.ts';
import { createCalibration } from './calibration.ts';
import { certifyBench } from '../test/adversarial/certify/certify.ts';
import { costBench } from '../test/adversarial/certify/cost/cost.ts';
import { library } from '../test/adversarial/certify/library.ts';
import { collectBench } from './collect.ts';
import { containBench } from '../test/adversarial/contain/contain.ts';
import { advantagesBench } from './credit/advantages.ts';
import { exportBench } from './export.ts';
import { gateBench } from './gate/gate.ts';
import { leaderboardBench } from './leaderboard/leaderboard.ts';
import { fleetBenches } from './fleet/fleet.ts';
import { forgeBench } from './forge/forge.ts';
import { forkBench } from './fork.ts';
import { loopsBench } from './loops.ts';
import { memoryBench } from './memory.ts';
import { mailBench } from './mail.ts';
import type { Bench, BenchNews, BenchOptions, Figure } from './measure.ts';
import { miniwobBench } from './miniwob.ts';
import { modelBench, modelSuccessBench } from './model.ts';
import { modelsBench } from './models/models.ts';
import { plannerBench } from './planner.ts';
import { problemsBench } from './problems/problems.ts';
import { rlBench } from './rl/rl.ts';
import { rollbackBench } from './rollback.ts';
import { serveBench } from './serve/serve.ts';
import { serveSoakBench } from './serve/soak.ts';
import { redTeamBench } from '../test/adversarial/red-team/red-team.ts';
import { annotateBench } from './signals/annotate.ts';
import { localiseBench } from './signals/localise.ts';
import { localiserBench } from './signals/fit/localiser.ts';
import { plantedBench } from './signals/planted/planted.ts';
import { soakBench } from './soak.ts';
import { storeBench } from './store.ts';
import { strategiesBench } from './strategies.ts';
import { studioBench } from './studio/studio.ts';
import { terminalBench } from './terminal.ts';
import { synthBench } from './forge/synth.ts';
import { waiSearchBench } from './wai/search.ts';
import { frameworksBench } from './web/frameworks.ts';
import { serversBench } from './web/servers.ts';
import { waiBench } from './wai/wai.ts';

const benches: readonly Bench[] = [
  mailBench,
  forkBench,
  rollbackBench,
  plannerBench,
  forgeBench,
  storeBench,
  exportBench,
  collectBench,
  browserBench,
  frameworksBench,
  serversBench,
  certifyBench,
  costBench,
  waiBench,
  waiSearchBench,
  miniwobBench,
  containBench,
  soakBench,
  modelsBench,
  modelBench,
  modelSuccessBench,
  terminalBench,
  synthBench,
  serveBench,
  serveSoakBench,
  problemsBench,
  rlBench,
  loopsBench,
  strategiesBench,
  memoryBench,
  localiseBench,
  localiserBench,
  plantedBench,
  redTeamBench,
  annotateBench,
  advantagesBench,
  studioBench,
  gateBench,
  leaderboardBench,
  ...fleetBenches,
];

/** The first words of what can be asked for: groups, and families of figures such as `wai` for `wai.exact`. */
export const benchGroups: readonly string[] = [
  ...new Set(benches.flatMap(({ group, figures }) => [group, ...figures.map(family)])),
];

/** What can be asked for: a group, a family, or a figure. */
export const benchNames: readonly string[] = [...benchGroups, ...benches.flatMap(({ figures }) => figures)];

function family(figure: string): string {
  return figure.split(/[.@]/, 1)[0] as string;
}

/** Whether any of what is asked for opens pages. */
export function opensPages(names: readonly string[]): boolean {
  return benches.some(bench => bench.usesBrowser === true && isAskedFor(bench, names));
}

function isAskedFor({ group, figures, onDemand }: Bench, names: readonly string[]): boolean {
  if (names.length === 0) return onDemand !== true;
  return names.includes(group) || figures.some(figure => names.includes(figure) || names.includes(family(figure)));
}

/** What generated pages are made of. */
export const certifyFeatures: readonly string[] = [...library.keys()];

export interface BenchRun {
  /** Groups or figures; a figure is measured together with its group. */
  readonly names: readonly string[];
  readonly options: BenchOptions;
  readonly news: BenchNews;
  onResult(figure: Figure): void;
}

/** Measures what is asked for; a calibration of the machine, taken before and after, comes last. */
export async function runBenches({ names, options, news, onResult }: BenchRun): Promise<void> {
  const calibration = createCalibration();
  calibration.measure();
  let isStopped = false;
  const stoppable = { ...news, stop: () => void (isStopped = true) };
  for (const { group, figures, onDemand, run } of benches) {
    if (isStopped) break;
    const isDue = names.length === 0 && onDemand !== true;
    const wanted = (name: string): boolean =>
      isDue || [group, name, name.split(' ', 1)[0] as string, family(name)].some(known => names.includes(known));
    if (!figures.some(wanted)) continue;
    for await (const result of run(options, stoppable)) if (wanted(result.name)) onResult(result);
  }
  calibration.measure();
  onResult(calibration.figure());
}
