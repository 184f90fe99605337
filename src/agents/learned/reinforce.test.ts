import { describe, expect, it } from 'vitest';
import { openBuiltIn } from '../../catalog.ts';
import { describeStep, type Situation } from '../../core/episode/view.ts';
import { createRandom } from '../../core/random.ts';
import { reinforceStudent, type Experience, type ReinforceOptions } from './reinforce.ts';
import { blankKnowledge, createOdds, createStudent, writeStudent } from './student.ts';

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
  const student = createStudent({ knowledge: blankKnowledge(), temperature: 1 });
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
    const weigh = createOdds(blankKnowledge());
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
    const knowledge = blankKnowledge();
    const experiences = (await sample(6)).map((step, place) => ({ ...step, advantage: place % 2 === 0 ? 1 : -1 }));
    const made = () =>
      reinforceStudent(knowledge, experiences, { ...options, random: createRandom(1), reference: knowledge });
    const { knowledge: better, drift, unmatched } = made();
    expect({ drift: drift < 1e-9, unmatched }).toEqual({ drift: true, unmatched: 0 });
    expect(writeStudent(made().knowledge)).toBe(writeStudent(better));
    expect(writeStudent(knowledge)).toBe(writeStudent(blankKnowledge()));
    const loss = ({ knowledge: known }: { knowledge: typeof better }): number =>
      reinforceStudent(known, experiences, { ...options, epochs: 1, rate: 0, reference: known }).loss as number;
    expect(loss({ knowledge: better })).toBeLessThan(loss({ knowledge }));
  });

  it('[RL-2] counts steps whose action is not on their screen, and learns nothing from them', async () => {
    const [first] = await sample(1);
    if (first === undefined) throw new Error('the student took no step');
    const lost: Experience = { ...first, advantage: 1, action: { kind: 'click', ref: 'e9999' } };
    const knowledge = blankKnowledge();
    const found = reinforceStudent(knowledge, [lost], { ...options, reference: knowledge });
    expect(found).toMatchObject({ unmatched: 1, loss: null, kl: null, clipped: null });
    expect(writeStudent(found.knowledge)).toBe(writeStudent(knowledge));
  });
});
