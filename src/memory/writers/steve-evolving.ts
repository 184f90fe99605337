import type { NewItem } from '../item.ts';
import { isIdle, provenanceOf, type Experience, type MemoryMethod } from './writer.ts';
import { skillsOf } from './web-x-skill.ts';

/** Tasks in which a step must have failed, and none in which it was on the way to a pass. */
const fewestTasks = 2;

/** Success becomes a skill, failure an executable guardrail (Steve-Evolving). */
export const steveEvolving: MemoryMethod = {
  name: 'steve-evolving',
  about:
    'Skills from passes, and steps that are not taken again: refused or idle in two tasks, never on a passed way (Steve-Evolving).',
  write: episodes => [
    ...skillsOf('steve-evolving', episodes, fewestTasks),
    ...guardrailsOf('steve-evolving', episodes),
  ],
};

/** Steps that were refused or changed nothing in two tasks or more, and never did anything. */
export function guardrailsOf(writer: string, episodes: readonly Experience[]): NewItem[] {
  const steps = episodes.flatMap(record => record.steps.map(step => ({ ...step, record })));
  const groups = Map.groupBy(steps, ({ heading, line, record }) =>
    JSON.stringify([record.head.task.environment, heading, line]),
  );
  return [...groups.values()].flatMap((group): NewItem[] => {
    const [first] = group;
    const bad = group.filter(({ node }) => isIdle(node));
    const provenance = provenanceOf(
      writer,
      bad.map(({ record }) => record),
    );
    if (first === undefined || bad.length < group.length || provenance.tasks.length < fewestTasks) return [];
    return [guardrailOn(first, provenance)];
  });
}

export function guardrailOn(
  { heading, line }: { readonly heading: string; readonly line: string },
  provenance: NewItem['provenance'],
): NewItem {
  const text = `Do not: ${line}, on "${heading}".`;
  return { kind: 'guardrail', title: `Not on "${heading}"`, text, heading, line, provenance };
}
