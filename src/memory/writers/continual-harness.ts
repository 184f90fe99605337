import { isIdle, provenanceOf, type MemoryMethod } from './writer.ts';

/**
 * What an agent knows is edited inside an episode (Continual Harness): this writes how often, which is the mean distance between
 * steps that led nowhere. What is edited comes from the agent's own steps, and ends with the episode.
 */
export const continualHarness: MemoryMethod = {
  name: 'continual-harness',
  about: 'Edits what the agent knows inside an episode, from its own steps so far (Continual Harness).',
  write(episodes) {
    const environments = Map.groupBy(episodes, ({ head }) => head.task.environment);
    return [...environments.values()].flatMap(group => {
      const stuck = group.filter(record => record.steps.some(({ node }) => isIdle(node)));
      if (stuck.length === 0) return [];
      const steps = stuck.flatMap(record => record.steps);
      const every = Math.max(1, Math.round(steps.length / steps.filter(({ node }) => isIdle(node)).length));
      const text = `Every ${every} steps: do not repeat what changed nothing.`;
      return [{ kind: 'harness', title: 'Harness', text, every, provenance: provenanceOf('continual-harness', stuck) }];
    });
  },
};
