import type { EpisodeSource } from '../core/episode/journal.ts';
import { foldEpisode, type EpisodeRecord } from '../core/episode/record.ts';
import { pastStepOf } from '../core/episode/view.ts';
import type { Decision, OrdinaryPolicy } from '../core/episode/agents.ts';
import { invalidOption } from '../core/errors.ts';
import { createRandom } from '../core/random.ts';
import type { Split } from '../core/records.ts';
import { candidatesOf } from '../dataset/rows/candidate.ts';
import type { Weighing, Weighings } from '../dataset/tables/weighed.ts';
import { openTrialStudent } from './forging/student-trials.ts';

/** Asks a policy for the chances of its actions in every state on the way to a verified end. It takes no step. */
export async function weighEpisodes(
  name: string,
  source: EpisodeSource,
  splits: readonly Split[] = ['train'],
): Promise<Weighings> {
  const policy = (await openTrialStudent(name))();
  const found = new Map<string, Weighing>();
  let asked = 0;
  for (const stored of source.episodes({ phase: 'collect' })) {
    if (!splits.includes(stored.head.task.split)) continue;
    const record = foldEpisode(stored);
    for (const node of new Set(candidatesOf(record).flatMap(({ path }) => path.map(({ id }) => id)))) {
      asked++;
      const weighing = weighingOf(await ask(policy, record, node));
      if (weighing !== null) found.set(idOf(record, node), weighing);
    }
  }
  if (asked > 0 && found.size === 0)
    throw invalidOption(
      `"${name}" says of no action how likely it is.`,
      'Expected a student that weighs its actions: a file that espalier train wrote, or small.',
    );
  return { by: policy.name, of: (record, node) => found.get(idOf(record, node)) ?? null };
}

async function ask(policy: OrdinaryPolicy, record: EpisodeRecord, node: number): Promise<Decision> {
  const { tree, head } = record;
  const path = tree.path(tree.node(node).parent);
  return policy.act({
    instruction: head.task.instruction,
    observation: { text: record.screen(node) },
    history: record.situation(node).history,
    path: path.map(step =>
      pastStepOf(step, { screen: record.screen(step.id), text: record.text(step.id), image: undefined }),
    ),
    tools: [],
    random: createRandom(idOf(record, node)),
  });
}

function weighingOf({ action, prior, alternatives }: Decision): Weighing | null {
  if (action === null || prior === undefined || alternatives === undefined) return null;
  const all = [{ action, prior }, ...alternatives];
  return all.toSorted((a, b) => b.prior - a.prior).map(one => ({ action: one.action, chance: one.prior }));
}

function idOf({ head }: EpisodeRecord, node: number): string {
  return JSON.stringify([head.run, head.key, node]);
}
