import type { ContentOf, MemoryItem } from '../item.ts';
import { utilityOf } from '../item.ts';
import type { Advice, Here, Reader } from './here.ts';

/** The next step of each skill for this pattern of task, as long as the way has not left it. */
export const readSkills: Reader = here =>
  here.memory.index.forPattern('skill', here.pattern).flatMap(skill => nextOf(skill, here));

/** A skill is carried out on the screens that it was made on; where one does not offer its step, it is broken. */
function nextOf(skill: MemoryItem<ContentOf<'skill'>>, { taken, heading, offered }: Here): Advice[] {
  const { steps } = skill.content;
  const next = steps[taken.length];
  if (next === undefined || taken.some((line, at) => line !== steps[at]?.line)) return [];
  const advice = { item: skill.id, line: next.line, weight: utilityOf(skill) };
  const fits = next.heading === heading && offered(next.line) !== null;
  // Whoever has not begun with it does not need it: another task may have the same words.
  if (!fits && taken.length === 0) return [];
  return [{ ...advice, how: fits ? 'take' : 'broken' }];
}
