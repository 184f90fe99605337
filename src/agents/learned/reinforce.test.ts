import { describe, expect, it } from 'vitest';
import { openBuiltIn } from '../../catalog.ts';
import { describeStep, type Situation } from '../../core/episode/view.ts';
import { createRandom } from '../../core/random.ts';
import { reinforceStudent, type Experience, type ReinforceOptions } from './reinforce.ts';
import { untrainedWeights, createOdds, createStudent, writeStudent } from './student.ts';

const options: Omit<ReinforceOptions, 'reference'> = {
  random: createRandom(1),
  rate: 0.5,
  epochs: 2,
  batch: 4,
  longest: 1,
  temperature: 1,
  clipLow: 0.2,
  clipHigh: 0.2,
  kl: 0.01,
  entropy: 0,
};

/** Steps of an untrained student in one task, with the log probabilities that it says. */
async function sample(count: number): Promise<(Omit<Experience, 'advantage'> & { readonly entropy: number })[]> {
  const world = await openBuiltIn('mail');
  const task = world.task('star-message', 1);
  const session = world.open(task);
  const student = createStudent({ weights: untrainedWeights(), temperature: 1 });
  const history: string[] = [];
  const steps: Awaited<ReturnType<typeof sample>> = [];
  for (let step = 0; steps.length < count; step++) {
    const { text } = session.observe();
    const situation: Situation = { instruction: task.instruction, history: [...history], screen: text };
    const view = { ...situation, observation: { text }, path: [], tools: [], random: createRandom(step) };
    const { action, logprob, entropy } = await student.act(view);
    // The task goes on until there are enough steps.
    if (action === null || action.kind === 'finish') continue;
    steps.push({ situation, action, logprob: logprob as number, entropy: entropy as number });
    history.push(describeStep(action, text, session.step(action).problem?.message));
  }
  return steps;
}

describe('reinforcement of the student', () => {
  it('[RL-1] every step says how likely it was when it was sampled', async () => {
    const weigh = createOdds(untrainedWeights());
    const steps = await sample(6);
    expect(steps.length).toBeGreaterThan(2);
    for (const { situation, action, logprob, entropy } of steps) {
      const odds = weigh({ situation, temperature: 1, random: createRandom(1), allows: () => true });
      const own = odds?.choices.find(choice => JSON.stringify(choice.action) === JSON.stringify(action));
      expect(logprob).toBeCloseTo(own?.logprob as number, 10);
      expect(logprob).toBeLessThan(0);
      expect(entropy).toBeGreaterThan(0);
    }
  });

  it('[RL-2] makes what was worth more likelier, and the same student from the same experiences', async () => {
    const weights = untrainedWeights();
    const experiences = (await sample(6)).map((step, place) => ({ ...step, advantage: place % 2 === 0 ? 1 : -1 }));
    const made = () =>
      reinforceStudent(weights, experiences, { ...options, random: createRandom(1), reference: weights });
    const { weights: better, drift, unmatched } = made();
    expect({ drift: drift < 1e-9, unmatched }).toEqual({ drift: true, unmatched: 0 });
    expect(writeStudent(made().weights)).toBe(writeStudent(better));
    expect(writeStudent(weights)).toBe(writeStudent(untrainedWeights()));
    const loss = ({ weights: known }: { weights: typeof better }): number =>
      reinforceStudent(known, experiences, { ...options, epochs: 1, rate: 0, reference: known }).loss as number;
    expect(loss({ weights: better })).toBeLessThan(loss({ weights }));
  });

  it('[RL-2] counts steps whose action is not on their screen, and learns nothing from them', async () => {
    const [first] = await sample(1);
    if (first === undefined) throw new Error('the student took no step');
    const lost: Experience = { ...first, advantage: 1, action: { kind: 'click', ref: 'e9999' } };
    const weights = untrainedWeights();
    const found = reinforceStudent(weights, [lost], { ...options, reference: weights });
    expect(found).toMatchObject({ unmatched: 1, loss: null, kl: null, clipped: null });
    expect(writeStudent(found.weights)).toBe(writeStudent(weights));
  });
});
