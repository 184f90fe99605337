import { describe, expect, it } from 'vitest';
import { scriptedEpisode } from '../../test/fixtures/episodes.ts';
import { foldEpisode, type EpisodeRecord } from '../core/episode/record.ts';
import { createRandom } from '../core/random.ts';
import { evaluate } from './evaluate.ts';
import { controlOf, heldOutKinds } from './held-out-kinds.ts';

const starred = await Promise.all([1, 2, 3].map(seed => scriptedEpisode({ seed })));
const labelled = await Promise.all([1, 2].map(seed => scriptedEpisode({ seed, template: 'label-by-sender' })));

/** The episode as one of a held-out template. */
function heldOut(episode: (typeof starred)[number], template: string): (typeof starred)[number] {
  const { head } = episode;
  const task = { ...head.task, template, split: 'test' as const, id: `mail/${template}/${head.task.seed}` };
  return { ...episode, head: { ...head, key: `${head.key} ${template}`, task } };
}

const controlsOf = (record: EpisodeRecord): string[] =>
  record.tree.path(record.end.leaf).map(({ id }) => controlOf(record, id));

describe('kinds of held-out templates', () => {
  it('[EST-17] name the controls of a path apart from the data of its task', () => {
    const paths = starred.map(episode => controlsOf(foldEpisode(episode)));
    expect(new Set(paths.map(path => JSON.stringify(path))).size).toBe(1);
    expect(paths[0]).toContain('click switch "Star"');
    expect(paths[0]?.at(-1)).toBe('finish');
  });

  it('[EST-17] are a new composition where training templates act on every control, else an unseen skill', () => {
    const again = starred.map(episode => heldOut(episode, 'star-again'));
    const kinds = heldOutKinds([...starred, ...again, ...labelled].map(foldEpisode));
    expect(Object.fromEntries(kinds)).toEqual({
      'mail/star-again': 'new-composition',
      'mail/label-by-sender': 'unseen-skill',
    });
    // What only held-out templates act on is not known from them.
    expect(heldOutKinds(again.map(foldEpisode)).get('mail/star-again')).toBe('unseen-skill');
  });

  it('[EST-17] and unseen apps are levels of their own, never mixed', () => {
    const evaluation = [...starred, ...starred.map(episode => heldOut(episode, 'star-again')), ...labelled].map(
      ({ head, ...rest }) => ({ ...rest, head: { ...head, phase: 'evaluate' as const } }),
    );
    const kinds = heldOutKinds(evaluation.map(foldEpisode));
    const random = createRandom('levels');
    const counts = (trainedApps: ReadonlySet<string>): (number | undefined)[] => {
      const result = evaluate(evaluation, { random, kinds, trainedApps });
      const levels = [
        result?.newInstances,
        result?.heldOut,
        result?.newComposition,
        result?.unseenSkill,
        result?.unseenApps,
      ];
      return levels.map(level => level?.overall.n);
    };
    expect(counts(new Set(['mail']))).toEqual([3, 5, 3, 2, undefined]);
    expect(counts(new Set(['shop']))).toEqual([undefined, undefined, undefined, undefined, 8]);
  });
});
