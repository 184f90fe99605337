import { createRegistry } from '../../core/naming/registry.ts';
import { agents } from './agents.ts';
import { agentDebug } from './diagnosis/agent-debug.ts';
import { aegis } from './diagnosis/aegis.ts';
import { trajeval } from './diagnosis/trajeval.ts';
import { conversation } from './diagnosis/conversation.ts';
import { loopTiers } from './diagnosis/loop-tiers.ts';
import { epistemics } from './diagnosis/epistemics.ts';
import { searchBehaviour } from './diagnosis/search-behaviour.ts';
import { evidenceGuided } from './diagnosis/evidence-guided.ts';
import { stepContracts } from './contracts/step-contracts.ts';
import { stainFlow } from './evidence/stain-flow.ts';
import { threatSignal } from './evidence/threats.ts';
import { rewardHack } from './hacking/reward-hack.ts';
import { agentLens } from './quality/agent-lens.ts';
import { planning } from './quality/planning.ts';
import { topoCurate } from './quality/topo-curate.ts';
import { rankSurprisal } from './quality/rank-surprisal.ts';
import { behaviourPriming } from './quality/behaviour-priming.ts';
import { firstRejected } from './first-rejected.ts';
import { loops } from './loops.ts';
import type { Signal } from './signal.ts';
import { stalls } from './stalls.ts';
import { calibration } from './steps/calibration.ts';
import { dataprm } from './steps/dataprm.ts';
import { grades } from './steps/grades.ts';
import { monteCarlo } from './steps/monte-carlo.ts';
import { progress } from './steps/progress.ts';

/** Adding one is a file of its own, and a line here. */
export const signals = createRegistry<Signal>({
  noun: 'signal',
  plural: 'signals',
  about: 'What can be said of the steps of an episode: --signal of inspect and export.',
  module: { member: 'signal', powers: ['name', 'annotate'] },
  entries: [
    loops,
    stalls,
    firstRejected,
    agents,
    dataprm,
    monteCarlo,
    progress,
    calibration,
    grades,
    agentDebug,
    aegis,
    trajeval,
    conversation,
    loopTiers,
    epistemics,
    searchBehaviour,
    evidenceGuided,
    agentLens,
    topoCurate,
    planning,
    rankSurprisal,
    behaviourPriming,
    rewardHack,
    stainFlow,
    stepContracts,
    threatSignal,
  ],
});

/** What `inspect` shows beside the steps unless others are named. */
export const usualSignals: readonly string[] = [loops, stalls, firstRejected].map(({ name }) => name);
