import { describe, expect, it } from 'vitest';
import { openBuiltIn } from '../../catalog.ts';
import type { StateEnvironment } from '../../core/contracts.ts';
import { scalars } from '../../core/json.ts';
import type { Task } from '../../core/records.ts';
import { mailMessageTemplates } from './held-out-2/mail-messages.ts';
import { mailOrganisingTemplates } from './held-out-2/mail-organising.ts';
import { shopAccountTemplates } from './held-out-2/shop-account.ts';
import { shopCartTemplates } from './held-out-2/shop-cart.ts';
import { trackerIssueTemplates } from './held-out-2/tracker-issues.ts';
import { trackerPlanningTemplates } from './held-out-2/tracker-planning.ts';
import { mailThirdSet } from './held-out-3/mail.ts';
import { shopThirdSet } from './held-out-3/shop.ts';
import { trackerThirdSet } from './held-out-3/tracker.ts';

type Written = readonly { id: string }[];

const sets: readonly (readonly [set: { name: string; split: 'test-2' | 'test-3' }, app: string, written: Written])[] = [
  [{ name: 'second', split: 'test-2' }, 'mail', [...mailMessageTemplates, ...mailOrganisingTemplates]],
  [{ name: 'second', split: 'test-2' }, 'shop', [...shopCartTemplates, ...shopAccountTemplates]],
  [{ name: 'second', split: 'test-2' }, 'tracker', [...trackerIssueTemplates, ...trackerPlanningTemplates]],
  [{ name: 'third', split: 'test-3' }, 'mail', mailThirdSet],
  [{ name: 'third', split: 'test-3' }, 'shop', shopThirdSet],
  [{ name: 'third', split: 'test-3' }, 'tracker', trackerThirdSet],
];
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

describe.each(sets)('the held-out set %o of %s', async ({ split }, id, written) => {
  const world = await openBuiltIn(id);
  const own = world.templates.filter(template => template.split === split);

  it('[SPLIT-1] has what was written for it and nothing else, of every kind', () => {
    expect(own.map(template => template.id)).toEqual(written.map(template => template.id));
    expect(own.length).toBeGreaterThanOrEqual(6);
    expect(new Set(world.templates.map(template => template.id)).size).toBe(world.templates.length);
    expect(new Set(own.map(({ kind }) => kind))).toEqual(new Set(['feasible', 'already-done', 'infeasible']));
    expect(own.filter(template => isQuestion(world, template.id)).length).toBeGreaterThan(0);
  });

  it.each(own.map(template => template.id))('[SPLIT-1] %s has three wordings or more', template => {
    const wordings = new Set(seeds.map(seed => wordingOf(world.task(template, seed))));
    expect(wordings.size).toBeGreaterThanOrEqual(3);
  });
});
