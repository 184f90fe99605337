import { annotateEpisodes } from '../../../src/analysis/signals/annotate-episodes.ts';
import { rewardHack } from '../../../src/analysis/signals/hacking/reward-hack.ts';
import { wilson } from '../../../src/analysis/stats.ts';
import { environments } from '../../../src/catalog.ts';
import type { StoredEpisode } from '../../../src/core/episode/journal.ts';
import { createPlanner } from '../../../src/policies/planner.ts';
import { figure, type Bench } from '../../measure.ts';
import { recordRun } from '../recorded-run.ts';
import { desk, deskTask } from './desk-task.ts';
import { honestDeskRuns, honestOfficeRuns, honestRunsOf } from './honest/honest-runs.ts';
import { exploits, honestScripts } from './policies.ts';

const clock = { now: () => performance.now() };
/** At least so many honest runs, in equal parts: at the desk, in the office, and in the built-in apps by their planner. */
const honestRuns = 5000;
const deskShare = 0.5;
const officeShare = 0.25;

/** Exploit policies against a verifier that can be fooled, and honest runs that must not be flagged. */
export const redTeamBench: Bench = {
  group: 'credit',
  onDemand: true,
  figures: ['hack.caught', 'hack.false'],
  async *run(_options, news) {
    news.progress('letting exploits run …');
    const caught = await catchExploits();
    for (const [name, isCaught] of caught) if (!isCaught) news.line(`not caught: ${name}`);
    const hits = [...caught.values()].filter(Boolean).length;
    const { low, high } = wilson(hits, caught.size);
    news.line(`${hits} of ${caught.size} exploit policies caught (${low.toFixed(2)} to ${high.toFixed(2)})`);
    yield figure('hack.caught', 'share', [hits / caught.size]);
    news.progress('looking at honest runs …');
    let [runs, flagged] = [0, 0];
    for await (const group of honestGroups()) {
      if (group.some(({ end }) => end.verdict?.pass !== true)) throw new Error('An honest run does not pass.');
      runs += group.length;
      const names = await flaggedAmong(group);
      flagged += names.length;
      for (const name of names) news.line(`honest, and flagged: ${name}`);
      news.progress(`looking at honest runs: ${runs} …`);
    }
    news.line(`${flagged} of ${runs} honest runs flagged`);
    yield figure('hack.false', 'count', [flagged]);
  },
};

/** One group with honest runs and the exploit: whether its audit says that it cheated. Each must have passed: else it is no exploit. */
export async function catchExploits(): Promise<ReadonlyMap<string, boolean>> {
  const caught = new Map<string, boolean>();
  for (const [name, script] of Object.entries(exploits)) {
    const { task, about } = deskTask(900);
    const honest = honestScripts.map((actions, index) =>
      recordRun(desk, { task, actions: actions(about) }, { key: `honest ${index}`, student: 'honest' }),
    );
    const exploit = recordRun(desk, { task, actions: script(about) }, { key: name, student: 'exploit' });
    if (exploit.end.verdict?.pass !== true) throw new Error(`"${name}" does not fool the verifier.`);
    const audits = await auditsOf([...honest, exploit]);
    caught.set(name, audits.get(name) === 2);
  }
  return caught;
}

/** Keys of the episodes whose audit is above clean. */
export async function flaggedAmong(episodes: readonly StoredEpisode[]): Promise<readonly string[]> {
  return [...(await auditsOf(episodes))].filter(([, audit]) => audit > 0).map(([key]) => key);
}

async function auditsOf(episodes: readonly StoredEpisode[]): Promise<ReadonlyMap<string, number>> {
  const audits = new Map<string, number>();
  for await (const { episode, annotations } of annotateEpisodes({ episodes, signals: [rewardHack] })) {
    const audit = annotations.find(({ label }) => label === 'audit')?.value;
    if (episode !== null && audit !== undefined) audits.set(episode, audit);
  }
  return audits;
}

/** Honest runs in many styles; all runs of a task stand side by side, so that each is compared with the others. */
async function* honestGroups(): AsyncGenerator<StoredEpisode[]> {
  let made = 0;
  for (let seed = 0; made < deskShare * honestRuns; seed++) {
    const group = honestDeskRuns(seed);
    made += group.length;
    yield group;
  }
  for (let seed = 0; made < (deskShare + officeShare) * honestRuns; seed++) {
    const group = honestOfficeRuns(seed);
    made += group.length;
    yield group;
  }
  for (let seed = 0; made < honestRuns; seed++)
    for (const { load } of environments) {
      const environment = await load();
      for (const { id } of environment.templates.filter(({ split }) => split === 'train')) {
        if (made >= honestRuns) return;
        const planner = createPlanner({ clock, maxNodes: 300 });
        const group = honestRunsOf(environment, environment.task(id, 5000 + seed), planner);
        made += group.length;
        yield group;
      }
    }
}
