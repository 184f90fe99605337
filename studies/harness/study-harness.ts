import { join } from 'node:path';
import {
  harnessComponents,
  locateFault,
  type HarnessComponent,
  type HarnessEvidence,
} from '../../src/analysis/harness/locate-fault.ts';
import {
  placesOf,
  randomScores,
  scoreRankings,
  type Ranking,
  type RankingScores,
} from '../../src/analysis/harness/ranking.ts';
import { mean } from '../../src/analysis/stats.ts';
import { judgeNamed } from '../../src/runs/config/judge-named.ts';
import { withModels } from '../../src/runs/models/spending.ts';
import { spendingSchema } from '../../src/runs/settings/model-config.ts';
import { invalidOption } from '../../src/core/errors.ts';
import { levelOf } from '../../src/analysis/evaluate.ts';
import type { OrdinaryPolicy } from '../../src/core/episode/agents.ts';
import type { StoredEpisode } from '../../src/core/episode/journal.ts';
import { createLinear } from '../../src/episode/strategies/linear.ts';
import { allTemplates, withWorlds } from '../../src/runs/environments/worlds.ts';
import { createEntrantRunner } from '../../src/runs/evaluation/run-entrants.ts';
import { closeAfter, openRunForWriting, runNameOf, writeWhole } from '../../src/runs/folder/folder.ts';
import type { Host } from '../../src/runs/host/host.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { columns, type ExitCode, type Output } from '../../src/cli/terminal/output.ts';
import { stoppable } from '../../src/cli/terminal/stop.ts';
import { demonstrate, trainStudents } from '../strategies/feature-students.ts';
import { locateByModel } from './model-locator.ts';
import { plantFault } from './plant-fault.ts';

interface HarnessRequest {
  readonly out: string;
  readonly environments: readonly string[];
  readonly seeds: number;
  readonly instances?: number;
  /** An endpoint: who is asked beside our votes. */
  readonly judge?: string | null;
  readonly json?: boolean;
}

interface HarnessResult {
  readonly rankings: readonly Ranking<HarnessComponent>[];
  readonly ours: RankingScores;
  readonly random: RankingScores;
  /** Null where no model was asked. */
  readonly model: ModelResult | null;
}

interface ModelResult {
  readonly name: string;
  readonly rankings: readonly Ranking<HarnessComponent>[];
  readonly scores: RankingScores;
  /** Answers that were no ranking: they count as the fault in the last place. */
  readonly unusable: number;
}

const usual = { environments: ['mail', 'shop', 'tracker'], demonstrations: 3, instances: 2 };

/** Plants a fault into each component of a harness, and asks who ranks it first from the traces. */
export async function studyHarness(output: Output, request: HarnessRequest): Promise<ExitCode> {
  const found = await stoppable(output, ({ signal }) =>
    run(request, { host: createSystemHost({ workers: 0 }), signal, output }),
  );
  output.progress('');
  if (found === null) {
    output.note('stopped; the same command goes on.');
    return 1;
  }
  writeWhole(join(request.out, 'harness.json'), `${JSON.stringify(found, null, 2)}\n`);
  if (request.json === true) output.json(found);
  else tell(output, found);
  return 0;
}

interface Setting {
  readonly host: Host;
  readonly signal: AbortSignal;
  readonly output: Output;
}

async function run(request: HarnessRequest, { host, signal, output }: Setting): Promise<HarnessResult | null> {
  const environments = request.environments.length === 0 ? usual.environments : request.environments;
  output.progress('demonstrations …');
  const records = await demonstrate({
    folder: join(request.out, 'demonstrations'),
    environments,
    instances: usual.demonstrations,
    seed: 1,
    host,
    signal,
  });
  if (records === null) return null;
  const studentOf = trainStudents(records, { folder: request.out, seeds: request.seeds });
  const rankings: Ranking<HarnessComponent>[] = [];
  const cases: Traced[] = [];
  for (const environment of environments)
    for (let seed = 1; seed <= request.seeds; seed++) {
      output.progress(`${environment}, student ${seed} …`);
      const place = { folder: join(request.out, environment.replaceAll(/\W+/g, '-')), environment, host, signal };
      const student = studentOf(seed, 0) as OrdinaryPolicy;
      const traces = await runHarnesses(student, { ...place, seed, instances: request.instances ?? usual.instances });
      if (traces === null) return null;
      rankings.push(...traces.map(({ fault, evidence }) => ({ fault, ranked: locateFault(evidence) })));
      cases.push(...traces);
    }
  return {
    model:
      typeof request.judge === 'string'
        ? await askModel(request.judge, cases, { ...request, host, signal, output })
        : null,
    rankings,
    ours: scoreRankings(rankings) as RankingScores,
    random: randomScores(harnessComponents.length),
  };
}

interface AskSetting extends Setting {
  /** Keeps what was spent. */
  readonly out: string;
}

/** Lets a model rank the components of every case. */
async function askModel(name: string, cases: readonly Traced[], setting: AskSetting): Promise<ModelResult> {
  const config = judgeNamed(name, {});
  if (config.kind !== 'model')
    throw invalidOption(
      `"${name}" is no model.`,
      'Expected an endpoint, such as openai:qwen3@http://127.0.0.1:8000/v1.',
    );
  const { host, signal, out: folder, output } = setting;
  return withModels({ spending: spendingSchema.parse({}), folder, host, signal }, async ({ models, hurry }) => {
    const { model } = await models.open(config, 'verifier');
    const rankings: Ranking<HarnessComponent>[] = [];
    let unusable = 0;
    for (const [index, { fault, evidence }] of cases.entries()) {
      output.progress(`asking ${name}: ${index + 1} of ${cases.length} …`);
      const ranked = await locateByModel(model, evidence, hurry);
      if (ranked === null) unusable++;
      const order = ranked ?? [...harnessComponents.filter(other => other !== fault), fault];
      rankings.push({ fault, ranked: order.map(component => [component]) });
    }
    return { name, rankings, scores: scoreRankings(rankings) as RankingScores, unusable };
  });
}

interface Place {
  readonly folder: string;
  readonly environment: string;
  readonly seed: number;
  readonly instances: number;
  readonly host: Host;
  readonly signal: AbortSignal;
}

interface Traced {
  readonly fault: HarnessComponent;
  readonly evidence: HarnessEvidence;
}

/** Episodes of the harness as it is, and with each fault, on the same tasks; null when it was stopped. */
async function runHarnesses(student: OrdinaryPolicy, place: Place): Promise<readonly Traced[] | null> {
  const { folder, environment, seed, instances, host, signal } = place;
  const setting = { browser: null, concurrency: 4, host, stateful: false };
  return withWorlds([environment], setting, async worlds => {
    const choices = allTemplates(worlds).filter(({ template }) => levelOf(template.split) === 'new-instances');
    const store = openRunForWriting(folder);
    try {
      const name = runNameOf(folder);
      const runEntrant = createEntrantRunner({
        run: name,
        store,
        worlds,
        choices,
        instances,
        host,
        signal,
        trials: 1,
        seed: 1,
        concurrency: 4,
        browser: null,
        policies: harnessComponents.length + 1,
        pool: null,
        share: null,
      });
      const episodesWith = async (fault: HarnessComponent | null): Promise<readonly StoredEpisode[] | null> => {
        const { policy, limits } = plantFault(student, fault);
        const strategy = createLinear();
        const entrant = {
          name: `${fault ?? 'healthy'} #${seed}`,
          round: 1,
          strategy: { ...strategy, limits: { ...strategy.limits, ...limits } },
          hasWorkers: false,
          policyFor: () => policy,
        };
        const { stopped, keys } = await runEntrant(entrant);
        return stopped ? null : [...store.episodes({ run: name })].filter(({ head }) => keys.has(head.key));
      };
      const healthy = await episodesWith(null);
      const traced: Traced[] = [];
      for (const fault of harnessComponents) {
        const suspect = healthy === null ? null : await episodesWith(fault);
        if (healthy === null || suspect === null) return null;
        traced.push({ fault, evidence: { suspect, healthy } });
      }
      return traced;
    } finally {
      closeAfter(store);
    }
  });
}

function tell({ line, paint }: Output, { rankings, ours, random, model }: HarnessResult): void {
  const heads = ['fault in', 'ranked first', 'its mean place', 'cases'].map(head => paint.dim(head));
  const rows = harnessComponents.map(fault => {
    const own = rankings.filter(ranking => ranking.fault === fault);
    const first = own.length * (scoreRankings(own)?.accuracy ?? 0);
    const meanPlace = mean(own.map(ranking => mean(placesOf(ranking)) as number)) as number;
    return [fault, `${Number(first.toFixed(1))} of ${own.length}`, meanPlace.toFixed(1), String(own.length)];
  });
  for (const text of columns([heads, ...rows])) line(text);
  line();
  const scores = [
    ['', 'acc@1', 'MRR', 'nDCG'].map(head => paint.dim(head)),
    ...(
      [
        ['by traces', ours],
        ...(model === null ? [] : [[model.name, model.scores] as const]),
        ['by chance', random],
      ] as const
    ).map(([name, { accuracy, reciprocalRank, ndcg }]) => [
      name,
      accuracy.toFixed(2),
      reciprocalRank.toFixed(2),
      ndcg.toFixed(2),
    ]),
  ];
  for (const text of columns(scores)) line(text);
  if (model !== null && model.unusable > 0)
    line(
      `${model.unusable} of ${model.rankings.length} answers of ${model.name} were no ranking: they count as the fault in the last place.`,
    );
}
