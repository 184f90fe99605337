import { describe, expect, it } from 'vitest';
import { openBuiltIn } from '../../../catalog.ts';
import type { StateEnvironment } from '../../../core/contracts.ts';
import { scalars } from '../../../core/json.ts';
import type { Task } from '../../../core/records.ts';
import { mailMessageTemplates } from './mail-messages.ts';
import { mailOrganisingTemplates } from './mail-organising.ts';
import { shopAccountTemplates } from './shop-account.ts';
import { shopCartTemplates } from './shop-cart.ts';
import { trackerIssueTemplates } from './tracker-issues.ts';
import { trackerPlanningTemplates } from './tracker-planning.ts';

const written: Readonly<Record<string, readonly { id: string }[]>> = {
  mail: [...mailMessageTemplates, ...mailOrganisingTemplates],
  shop: [...shopCartTemplates, ...shopAccountTemplates],
  tracker: [...trackerIssueTemplates, ...trackerPlanningTemplates],
};
const seeds = Array.from({ length: 30 }, (_, index) => index + 1);

/** An instruction without the values of its task, on which wordings can be told apart. */
function wordingOf({ instruction, parameters }: Task): string {
  const values = scalars(parameters)
    .map(String)
    .filter(value => value.length > 1);
  const longestFirst = values.toSorted((left, right) => right.length - left.length);
  return longestFirst.reduce((text, value) => text.replaceAll(value, '…'), instruction);
}

function isQuestion(world: StateEnvironment, template: string): boolean {
  const { finish } = world.open(world.task(template, 1)).guide();
  return finish.kind === 'finish' && finish.answer !== undefined;
}

describe.each(Object.keys(written))('the second held-out set of %s', async id => {
  const world = await openBuiltIn(id);
  const second = world.templates.filter(({ split }) => split === 'test-2');

  it('[SPLIT-1] has what was written for it and nothing else, of every kind', () => {
    expect(second.map(template => template.id)).toEqual(written[id]?.map(template => template.id));
    expect(second.length).toBeGreaterThanOrEqual(6);
    expect(new Set(world.templates.map(template => template.id)).size).toBe(world.templates.length);
    expect(new Set(second.map(({ kind }) => kind))).toEqual(new Set(['feasible', 'already-done', 'infeasible']));
    expect(second.filter(template => isQuestion(world, template.id)).length).toBeGreaterThan(0);
  });

  it.each(second.map(template => template.id))('[SPLIT-1] %s has three wordings or more', template => {
    const wordings = new Set(seeds.map(seed => wordingOf(world.task(template, seed))));
    expect(wordings.size).toBeGreaterThanOrEqual(3);
  });
});
