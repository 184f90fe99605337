import { join } from 'node:path';
import { after, type StateEnvironment } from '../../core/contracts.ts';
import { invalidTask } from '../../core/errors.ts';
import type { Task } from '../../core/records.ts';
import { wrapStateEnvironment } from '../../core/wrap-environment.ts';
import { isEvaluationSeed } from '../../worlds/app/task-split.ts';
import type { FamilyHost, Source } from '../../worlds/family.ts';
import { createWorld } from '../../worlds/world.ts';
import { readRelease, sourceFolder, type Release } from './release-file.ts';

/** The tasks of a release, in the environment that was frozen with them. Each must begin in the state that it was frozen in. */
export async function openRelease(folder: string, { find }: FamilyHost): Promise<Source> {
  const release = readRelease(folder);
  const source = await find(placedName(release.environment, folder));
  const world = 'app' in source ? createWorld(source.app) : (source.environment as StateEnvironment);
  const byTemplate = Map.groupBy(release.tasks, ({ template }) => template);
  const roots = new Map(release.proofs.map(({ task, root }) => [task, root]));
  const environment = wrapStateEnvironment(world, {
    templates: [...byTemplate].flatMap(([id, own]) =>
      world.templates.filter(template => template.id === id).map(template => ({ ...template, tasks: own.length })),
    ),
    task(template, seed) {
      const own = byTemplate.get(template) ?? [];
      if (!isEvaluationSeed(seed)) throw notForTraining(release);
      // Any seed gives one of them, so that enough instances give all.
      return own.find(task => task.seed === seed) ?? (own[seed % own.length] as Task);
    },
    opened: (session, task) =>
      after(session.digest(), digest => {
        if (digest !== roots.get(task.id)) throw otherStart(release, task);
        return session;
      }),
  });
  return { environment };
}

/** What lies in the folder of the release is found from there. */
function placedName(environment: string, folder: string): string {
  return environment.replace(`./${sourceFolder}/`, `${join(folder, sourceFolder)}/`);
}

function notForTraining({ name }: Release) {
  return invalidTask(
    `The tasks of the release ${name} are kept for evaluation.`,
    'Expected espalier eval, gate or leaderboard: what was collected on them would contaminate them.',
  );
}

function otherStart({ name, espalier, environment }: Release, { id }: Task) {
  return invalidTask(
    `The task ${id} of the release ${name} begins in another state than it was frozen in: ${environment} is another one now.`,
    `Expected Espalier ${espalier}, which froze it.`,
  );
}
