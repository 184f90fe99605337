import { describe, expect, it } from 'vitest';
import type { StateEnvironment } from '../../core/contracts.ts';
import { offerActions } from '../../runs/environments/offered-actions.ts';
import { createLadderPlanner } from '../../runs/environments/ladder-planner.ts';
import { findSource } from '../../runs/environments/open-environment.ts';

describe('tools:<seed>', () => {
  it.each([
    ['screen', ['click', 'fill', 'finish']],
    ['tools', ['call', 'finish']],
  ] as const)('[TOOLS-8] is planned where only the %s is offered', async (actions, kinds) => {
    const source = (await findSource('tools:7')) as { environment: StateEnvironment };
    const offered = offerActions(source.environment, actions) as StateEnvironment;
    for (const template of ['short', 'medium']) {
      const session = offered.open(offered.task(template, 1));
      const plan = createLadderPlanner().plan(session);
      const steps = plan.outcome === 'solved' ? plan.actions : [];
      expect([...new Set(steps.map(({ kind }) => kind))].toSorted()).toEqual(kinds);
      for (const action of steps) expect(session.step(action)).toMatchObject({ applied: true });
      expect(session.verify().pass).toBe(true);
    }
  });

  it('takes a seed and nothing else', async () => {
    await expect(findSource('tools:x')).rejects.toThrow('no option');
    await expect(findSource('tools:seed=1,documents=4')).rejects.toThrow('no option');
  });
});
