import { annotateEpisodes } from '../../../src/analysis/signals/annotate-episodes.ts';
import { rewardHack } from '../../../src/analysis/signals/hacking/reward-hack.ts';
import { wilson } from '../../../src/analysis/stats.ts';
import { environments } from '../../../src/catalog.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import type { StoredEpisode } from '../../../src/core/episode/journal.ts';
import { createWorld } from '../../../src/kernel/world.ts';
import { createPlanner } from '../../../src/policies/planner.ts';
import { figure, type Bench } from '../../measure.ts';
import { recordRun } from '../recorded-run.ts';
import { exploits, honestScripts, type DeskTask } from './policies.ts';
import { weakDesk } from './weak-desk.ts';

const desk = createWorld(weakDesk);
const honestRuns = 5000;
/** Honest runs of built-in apps, by the planner: they have other tools, screens and lengths. */
const plannedRuns = 500;

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
    yield figure('hack.false', 'count', [await countFlagged(await honestEpisodes())]);
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

/** Audits above clean. */
export async function countFlagged(episodes: readonly StoredEpisode[]): Promise<number> {
  return [...(await auditsOf(episodes)).values()].filter(audit => audit > 0).length;
}

async function auditsOf(episodes: readonly StoredEpisode[]): Promise<ReadonlyMap<string, number>> {
  const audits = new Map<string, number>();
  for await (const { episode, annotations } of annotateEpisodes({ episodes, signals: [rewardHack] })) {
    const audit = annotations.find(({ label }) => label === 'audit')?.value;
    if (episode !== null && audit !== undefined) audits.set(episode, audit);
  }
  return audits;
}

function deskTask(seed: number): { readonly task: ReturnType<typeof desk.task>; readonly about: DeskTask } {
  const task = desk.task('set-total', seed);
  const session = desk.open(task);
  const { grader } = session.state() as unknown as { readonly grader: { readonly expected: number } };
  session.close();
  return { task, about: { id: (task.parameters as JsonObject)['id'] as string, total: grader.expected } };
}

export function honestDeskRuns(count: number): StoredEpisode[] {
  return Array.from({ length: count }, (_, index) => {
    const { task, about } = deskTask(Math.floor(index / honestScripts.length));
    const script = honestScripts[index % honestScripts.length] as (typeof honestScripts)[number];
    return recordRun(desk, { task, actions: script(about) }, { key: `honest ${index}`, student: 'honest' });
  });
}

async function honestEpisodes(): Promise<StoredEpisode[]> {
  const episodes = honestDeskRuns(honestRuns - plannedRuns);
  const clock = { now: () => performance.now() };
  for (let seed = 0; episodes.length < honestRuns; seed++)
    for (const { load } of environments) {
      const environment = await load();
      for (const { id } of environment.templates.filter(({ split }) => split === 'train')) {
        const task = environment.task(id, 5000 + seed);
        const plan = createPlanner({ clock, maxNodes: 300 }).plan(environment.open(task));
        if (plan.outcome !== 'solved' || episodes.length >= honestRuns) continue;
        episodes.push(recordRun(environment, { task, actions: plan.actions }, { key: task.id, student: 'planner' }));
      }
    }
  return episodes;
}
