import type { HeldOut } from './held-out.ts';
import { overlap, skillOf, type TaskSketch } from './likeness.ts';

/** A task with the goal of a held-out template may share this much of its words, values aside. */
const alikeAbove = 0.5;

/** What a task gives away of the held-out templates, whatever its words; null when it gives away nothing. */
export function leakOf(sketch: TaskSketch, { sketches, skills, commands }: HeldOut): string | null {
  const command = sketch.commands.find(name => commands.has(name));
  if (command !== undefined) return `it uses ${command}, which only held-out templates ask for`;
  const skill = skillOf(sketch);
  const isSame = (other: TaskSketch): boolean =>
    (skill !== null && skills.has(skill) && skillOf(other) === skill) ||
    (other.shape === sketch.shape && overlap(other.words, sketch.words) > alikeAbove);
  const twin = sketches.find(isSame);
  return twin === undefined ? null : `it asks for the same as the held-out template ${twin.task.template}`;
}
