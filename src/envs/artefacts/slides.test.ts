import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../core/clock.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { checkLaws } from '../../worlds/laws.ts';
import { slidesMatch, fieldsIn, writeSlides, type Brief } from './slides.ts';
import { createSlidesEnvironment, slideBaselines } from './slides-environment.ts';

const environment = createSlidesEnvironment();
const planner = createPlanner({ clock: createManualClock() });
const brief: Brief = {
  title: 'Harbour Plan',
  audience: 'the board',
  presenter: 'Ada Moen',
  sections: [{ heading: 'Costs', points: ['Costs fell by 4 %'] }],
};

describe('slides', () => {
  it('[ART-1] say their brief: the fields are recovered, whatever stands around them', () => {
    const deck = writeSlides(brief);
    expect(fieldsIn(deck)).toEqual([
      'title: Harbour Plan',
      'audience: the board',
      'presenter: Ada Moen',
      'slide 1: Costs',
      'point of slide 1: Costs fell by 4 %',
    ]);
    expect(slidesMatch(`\n${deck.replace('- ', '* ')}\n\n`, brief)).toBe(1);
    // One of five fields is another: four of five on both sides.
    expect(slidesMatch(deck.replace('Ada Moen', 'Luca Holm'), brief)).toBeCloseTo(0.8, 9);
    // A field too many: precision 5/6, recall 1.
    expect(slidesMatch(`${deck}\n- One more`, brief)).toBeCloseTo(10 / 11, 9);
    expect(slidesMatch('', brief)).toBe(0);
  });

  it('[ART-2] pass when every field is there and nothing else, and keep the laws', async () => {
    for (const { id } of environment.templates) {
      const task = environment.task(id, 2);
      const plan = planner.plan(environment.open(task));
      const actions = plan.outcome === 'solved' ? plan.actions : [];
      const session = environment.open(task);
      for (const action of actions) session.step(action);
      expect(session.verify()).toMatchObject({ pass: true, progress: 1 });
      const [write] = actions as [{ kind: 'call'; tool: string; input: { text: string } }];
      const more = environment.open(task);
      more.step({ ...write, input: { text: `${write.input.text}\n- And this` } });
      more.step({ kind: 'finish' });
      expect(
        more
          .verify()
          .checks.filter(({ pass }) => !pass)
          .map(({ id: own }) => own),
      ).toEqual(['nothing-else']);
    }
    const tasks = [environment.task('deck', 1)];
    for (const result of await checkLaws(environment, { tasks })) expect(result).toMatchObject({ pass: true });
  });

  it('[ART-2] cannot be passed by copying the brief', () => {
    for (const { play } of slideBaselines) {
      const session = environment.open(environment.task('short-deck', 4));
      play(session);
      expect(session.verify().pass).toBe(false);
    }
  });
});
