import type { NewItem } from '../item.ts';
import { provenanceOf, slottedSteps, type MemoryWriter } from './writer.ts';

/** Tasks in which a step must have failed, and none in which it was on the way to a pass. */
const fewestTasks = 2;

/** Steps that were refused or changed nothing, in two tasks or more, and were never on the way to a pass (Steve-Evolving, Recon-Act). */
export const guardrails: MemoryWriter = {
  name: 'guardrails',
  about:
    'Steps that are not taken again on screens with this heading: refused or idle in two tasks, never on a passed way (Steve-Evolving, Recon-Act).',
  write(episodes) {
    const steps = episodes.flatMap(record => slottedSteps(record).map(step => ({ ...step, record })));
    const groups = Map.groupBy(steps, ({ heading, line, record }) =>
      JSON.stringify([record.head.task.environment, heading, line]),
    );
    return [...groups.values()].flatMap((group): NewItem[] => {
      const [first] = group;
      const bad = group.filter(
        ({ node }) => node.outcome.end === undefined && (!node.outcome.applied || node.before === node.after),
      );
      const led = group.some(
        ({ node, record }) => record.end.outcome === 'passed' && node.outcome.applied && node.before !== node.after,
      );
      const provenance = provenanceOf(
        'guardrails',
        bad.map(({ record }) => record),
      );
      if (first === undefined || led || bad.length < group.length || provenance.tasks.length < fewestTasks) return [];
      const { heading, line } = first;
      return [
        {
          kind: 'guardrail',
          title: `Not on "${heading}"`,
          text: `Do not: ${line}, on "${heading}".`,
          heading,
          line,
          provenance,
        },
      ];
    });
  },
};
