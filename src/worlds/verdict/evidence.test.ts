import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Action } from '../../core/action.ts';
import { mail } from '../../envs/apps/mail/mail.ts';
import { shop } from '../../envs/apps/shop/shop.ts';
import type { StateEnvironment } from '../../core/contracts.ts';
import { appKit, defineApp } from '../app/app.ts';
import { button, page, text } from '../app/elements.ts';
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

describe('evidence of screens', () => {
  const state = z.object({ seats: z.string(), ui: z.object({ isOpen: z.boolean() }) });
  const { gesture, template } = appKit(state);
  const open = gesture('open', {
    about: 'Open the plan of the hall.',
    input: z.object({}),
    run(draft) {
      draft.ui.isOpen = true;
    },
  });
  const hall = defineApp({
    id: 'hall',
    title: 'Hall',
    about: 'Seats of a hall.',
    state,
    init: () => ({ seats: 'e1', ui: { isOpen: false } }),
    commands: [open],
    view: ({ seats, ui }) =>
      page('Hall', [text('Row e10'), button('Plan', open.with({})), ui.isOpen && text(`Free: ${seats}`)]),
    templates: [
      template('free', {
        about: 'Say which seat is free.',
        split: 'train',
        sample: () => ({}),
        instruction: () => 'Which seat is free?',
        checks: () => [],
        allow: () => [],
        answer: (_, { seats }) => seats,
      }),
    ],
  });

  it('[VER-9] the number of an element and a part of a word are none', () => {
    const world = createWorld(hall);
    const passes = (steps: readonly Action[]): boolean => {
      const session = world.open(world.task('free', 1));
      for (const step of [...steps, { kind: 'finish', answer: 'e1' } as const]) session.step(step);
      return session.verify().pass;
    };
    expect([passes([]), passes([{ kind: 'click', ref: 'e1' }])]).toEqual([false, true]);
  });
});
