import { utilityOf, type ContentOf, type MemoryItem } from '../item.ts';
import type { Advice, Here, Reader } from './here.ts';
import { similarityOf } from './similarity.ts';

type Skill = MemoryItem<ContentOf<'skill'>>;

/** Skills for other patterns that are looked at. */
const most = 3;
const tokens = 2000;

/** The next step of each skill for this pattern of task, to be taken; without one, those for tasks like this one only guide. */
export const readSkills: Reader = here => {
  const { memory, pattern } = here;
  const own = memory.index.forPattern('skill', pattern).flatMap(skill => nextOf(skill, here));
  if (own.length > 0 || memory.index.ofKind('skill').length === 0) return own;
  const situation = { environment: null, instruction: pattern, heading: '' };
  const others = memory.read(situation, { most, tokens, kinds: ['skill'] }) as Skill[];
  return others.flatMap(skill =>
    nextOf(skill, here).flatMap(advice => {
      const weight = advice.weight * similarityOf(skill.content.pattern, pattern) ** 2;
      return advice.how === 'take' ? [{ ...advice, how: 'prefer' as const, weight }] : [];
    }),
  );
};

/** A skill is carried out on the screens that it was made on; where one does not offer its step, it is broken. */
function nextOf(skill: Skill, { taken, heading, offered }: Here): Advice[] {
  const { steps } = skill.content;
  const next = steps[taken.length];
  if (next === undefined || taken.some((line, at) => line !== steps[at]?.line)) return [];
  const advice = { item: skill.id, line: next.line, weight: utilityOf(skill) };
  const fits = next.heading === heading && offered(next.line) !== null;
  // Whoever has not begun with it does not need it: another task may have the same words.
  if (!fits && taken.length === 0) return [];
  return [{ ...advice, how: fits ? 'take' : 'broken' }];
}
