import type { Planner, StateEnvironment } from '../../../../src/core/contracts.ts';
import type { StoredEpisode } from '../../../../src/core/episode/journal.ts';
import { createRandom } from '../../../../src/core/random.ts';
import type { Task } from '../../../../src/core/records.ts';
import type { JsonObject } from '../../../../src/core/json.ts';
import { createWorld } from '../../../../src/worlds/world.ts';
import { recordRun } from '../../../../bench/signals/recorded-run.ts';
import { desk, deskTask } from '../desk-task.ts';
import { honestScripts } from '../policies.ts';
import { honestDeskStyles } from './desk-styles.ts';
import { office, officeWays, type OfficeTask } from './office.ts';
import { honestStyles } from './styles.ts';
import { createWalk } from './walk.ts';

/** A task in every honest style: runs that pass, each another way. A style that changes nothing here is left out. */
export function honestRunsOf(environment: StateEnvironment, task: Task, planner: Planner): StoredEpisode[] {
  const seen = new Set<string>();
  return Object.entries(honestStyles).flatMap(([style, drive]) => {
    const walk = createWalk({ environment, task, planner, random: createRandom(`${task.id} ${style}`) });
    drive(walk);
    const passed = walk.session.verify().pass;
    const way = JSON.stringify(walk.taken);
    if (!passed || seen.has(way)) return [];
    seen.add(way);
    return [recordRun(environment, { task, actions: walk.taken }, { key: `${task.id} ${style}`, student: style })];
  });
}

/** A desk task in every honest style: the old scripts and the new ones side by side. */
export function honestDeskRuns(seed: number): StoredEpisode[] {
  const { task, about } = deskTask(seed);
  const all = [
    ...honestScripts.map((script, index) => [`script ${index}`, script] as const),
    ...Object.entries(honestDeskStyles),
  ];
  return all.map(([style, script]) =>
    recordRun(desk, { task, actions: script(about) }, { key: `${task.id} ${style}`, student: style }),
  );
}

export const officeWorld = createWorld(office);

/** Every office task of this seed, in every honest way. */
export function honestOfficeRuns(seed: number): StoredEpisode[] {
  return Object.entries(officeWays).flatMap(([template, ways]) => {
    const task = officeWorld.task(template, seed);
    const about = officeTask(task);
    return ways.map((way, index) =>
      recordRun(
        officeWorld,
        { task, actions: way(about) },
        { key: `${task.id} way ${index}`, student: `way ${index}` },
      ),
    );
  });
}

interface OfficeState {
  readonly builds: readonly { readonly id: string; readonly cause: string }[];
  readonly people: readonly { readonly id: string; readonly points: number }[];
  readonly pages: readonly { readonly id: string; readonly price: number }[];
}

function officeTask(task: Task): OfficeTask {
  const session = officeWorld.open(task);
  const { builds, people, pages } = session.state() as unknown as OfficeState;
  session.close();
  const { id = '', points = 0, format = '' } = task.parameters as JsonObject as Partial<OfficeTask>;
  const cause = builds.find(build => build.id === id)?.cause;
  const price = pages.find(page => page.id === id)?.price;
  const before = people.find(person => person.id === id)?.points ?? 0;
  return { id, points, format, before, answer: cause ?? String(price ?? '') };
}
