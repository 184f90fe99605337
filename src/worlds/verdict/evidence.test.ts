import { describe, expect, it } from 'vitest';
import type { Action } from '../../core/action.ts';
import { mail } from '../../envs/apps/mail/mail.ts';
import { shop } from '../../envs/apps/shop/shop.ts';
import type { StateEnvironment } from '../../core/contracts.ts';
import { createWorld } from '../world.ts';

const seeds = Array.from({ length: 16 }, (_, index) => index + 1);
const giveUp: Action = { kind: 'finish', infeasible: true };

/** Instances of a template that pass when one call is made, whatever it tells, and the task is called infeasible. */
function passedBlindly(world: StateEnvironment, template: string, callFor: (instruction: string) => Action): number {
  return seeds.filter(seed => {
    const session = world.open(world.task(template, seed));
    expect(session.step(callFor(session.task.instruction)).applied).toBe(true);
    session.step(giveUp);
    return session.verify().pass;
  }).length;
}

describe('evidence of tool calls', () => {
  it('[VER-9] a result that tells of a part of the task is none', () => {
    const call: Action = { kind: 'call', tool: 'list_contacts', input: {} };
    expect(passedBlindly(createWorld(mail), 'missing-message', () => call)).toBe(0);
  });

  it('[VER-12] what the agent wrote itself is none', () => {
    const callFor = (instruction: string): Action => ({
      kind: 'call',
      tool: 'view_cart',
      input: { junk: instruction },
    });
    const world = createWorld(shop);
    for (const template of ['use-expired-coupon', 'buy-what-is-sold-out'])
      expect(passedBlindly(world, template, callFor)).toBe(0);
  });
});
