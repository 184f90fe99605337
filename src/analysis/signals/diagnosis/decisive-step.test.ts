import { describe, expect, it } from 'vitest';
import { mailWorld, scriptedEpisode } from '../../../../test/fixtures/episodes.ts';
import { createPlanner } from '../../../agents/planner/planner.ts';
import type { Action } from '../../../core/action.ts';
import { createManualClock } from '../../../core/clock.ts';
import type { EpisodeEvent } from '../../../core/episode/events.ts';
import { foldEpisode, type EpisodeRecord } from '../../../core/episode/record.ts';
import { describeStep } from '../../../core/episode/view.ts';
import { createTrail } from '../../../worlds/trail.ts';
import { createForkWorld } from '../fork-world.ts';
import { decisiveStep } from './decisive-step.ts';

const planner = createPlanner({ clock: createManualClock(), maxNodes: 400 });

/** An episode of these actions, one after the other. */
async function episodeOf(template: string, actions: readonly Action[]): Promise<EpisodeRecord> {
  const stored = await scriptedEpisode({ template, outcome: 'failed' });
  const trail = await createTrail(mailWorld, stored.head.task);
  const events: EpisodeEvent[] = [{ kind: 'open', root: trail.tree.root }];
  for (const action of actions) {
    const screen = trail.session().observe().text;
    const node = await trail.step(action, { role: 'student', name: 'made' });
    events.push({ kind: 'step', node, screen, text: describeStep(action, screen, node.outcome.problem?.message) });
  }
  const verdict = trail.session().verify();
  return foldEpisode({ ...stored, events, end: { ...stored.end, leaf: actions.length, verdict } });
}

function decisiveIn(record: EpisodeRecord): number | undefined {
  return decisiveStep(record, createForkWorld({ record, environment: mailWorld, planner }))?.index;
}

describe('the decisive step', () => {
  it('[SIG-56] is no refused call that only reads', async () => {
    const wrong = await episodeOf('star-message', [
      { kind: 'call', tool: 'get_message', input: {} },
      { kind: 'call', tool: 'star_message', input: { id: 'none', starred: true } },
      { kind: 'finish' },
    ]);
    expect(decisiveIn(wrong)).toBe(1);
    const missing = await episodeOf('star-message', [
      { kind: 'call', tool: 'list_rules', input: {} },
      { kind: 'finish' },
    ]);
    expect(decisiveIn(missing)).toBe(1);
  });

  it('[SIG-54] is the finish, where only its answer is wrong', async () => {
    const task = mailWorld.task('contact-phone', 1);
    const plan = planner.plan(mailWorld.open(task));
    const looks = plan.outcome === 'solved' ? plan.actions.filter(({ kind }) => kind !== 'finish') : [];
    const home = /\[(e\d+)\] link "Inbox/.exec(mailWorld.open(task).observe().text)?.[1] ?? 'e1';
    const actions: readonly Action[] = [
      ...looks,
      { kind: 'click', ref: home },
      { kind: 'finish', answer: 'Blue heron' },
    ];
    const record = await episodeOf('contact-phone', actions);
    expect(decisiveIn(record)).toBe(actions.length - 1);
  });
});
