import { describe, expect, it } from 'vitest';
import { openBuiltIn } from '../../catalog.ts';
import { describeAction } from '../../core/action.ts';
import { createManualClock } from '../../core/clock.ts';
import type { StateEnvironment } from '../../core/contracts.ts';
import type { Policy } from '../../core/episode/agents.ts';
import { describeStep } from '../../core/episode/view.ts';
import { createRandom } from '../../core/random.ts';
import { isLong } from '../../../test/long-form.ts';
import { createPlanner } from '../planner/planner.ts';
import { createPlannerPolicy } from '../planner/planner-teacher.ts';
import { findChoices } from './reading/choices.ts';
import { readStateFeatures } from './reading/situation.ts';
import {
  untrainedWeights,
  createOdds,
  createStudent,
  readStudent,
  trainStudent,
  writeStudent,
  type TrainingExample,
} from './student.ts';

const apps = ['mail', 'shop', 'tracker'] as const;
const planner = createPlannerPolicy(createPlanner({ clock: createManualClock(), maxNodes: 3000 }));

interface Walk {
  readonly examples: readonly TrainingExample[];
  /** Why steps were refused. */
  readonly problems: readonly string[];
  readonly pass: boolean;
}

/** Lets a policy act until it finishes or is out of steps. */
async function walk(
  policy: Policy,
  world: StateEnvironment,
  [template, seed]: readonly [string, number],
): Promise<Walk> {
  const task = world.task(template, seed);
  const { instruction, budget } = task;
  const session = world.open(task);
  const random = createRandom(`${template}/${seed}`);
  const examples: TrainingExample[] = [];
  const history: string[] = [];
  const problems: string[] = [];
  for (let step = 0; step < budget.steps; step++) {
    const observation = session.observe();
    const view = { instruction, observation, history: [...history], path: [], tools: [], random };
    const { action } = await (policy.privileged === true ? policy.act(view, session.fork()) : policy.act(view));
    if (action === null) break;
    examples.push({ situation: { instruction, history: view.history, screen: observation.text }, action });
    const { end, problem } = session.step(action);
    history.push(describeStep(action, observation.text, problem?.message));
    if (problem !== undefined) problems.push(problem.code);
    if (end) break;
  }
  return { examples, problems, pass: session.verify().pass };
}

async function demonstrations(app: string, templates: readonly string[], seeds: number): Promise<TrainingExample[]> {
  const world = await openBuiltIn(app);
  const examples: TrainingExample[] = [];
  for (const template of templates) {
    for (let seed = 1; seed <= seeds; seed++) examples.push(...(await walk(planner, world, [template, seed])).examples);
  }
  return examples;
}

/** The examples of demonstrations, with the steps that were left at each. */
function countedDown(examples: readonly TrainingExample[]): TrainingExample[] {
  let left = 0;
  const counted = examples.toReversed().map(example => {
    left = example.action.kind === 'finish' ? 1 : left + 1;
    return { ...example, stepsLeft: left };
  });
  return counted.toReversed();
}

async function decisions(policy: Policy, examples: readonly TrainingExample[]): Promise<string[]> {
  if (policy.privileged === true) throw new Error('a student is not privileged');
  const made: string[] = [];
  for (const [index, { situation }] of examples.entries()) {
    const { instruction, history, screen } = situation;
    const random = createRandom(index);
    const { action } = await policy.act({
      instruction,
      history,
      observation: { text: screen },
      path: [],
      tools: [],
      random,
    });
    made.push(action === null ? 'none' : describeAction(action));
  }
  return made;
}

describe('choices', () => {
  it.each(apps)(
    '[LRN-2] include every step of a plan, for all templates to learn from: %s (long form: four seeds)',
    async app => {
      const world = await openBuiltIn(app);
      const train = world.templates.filter(({ split }) => split === 'train').map(({ id }) => id);
      const seeds = isLong ? 4 : 1;
      const examples = await demonstrations(app, train, seeds);
      expect(examples.length).toBeGreaterThan(seeds * train.length);
      const missed = examples.filter(({ situation, action }) => {
        const wanted = describeAction(action);
        return !findChoices(readStateFeatures(situation)).some(choice => describeAction(choice.action) === wanted);
      });
      expect(missed).toEqual([]);
    },
  );

  it('[LRN-2] are what the screen offers: no disabled element, no value that is there already', () => {
    const screen = [
      'page "Desk"',
      '  region "Loans"',
      '    [e1] textbox "Reader": Yuki Sato',
      '    [e2] combobox "Sort": Title {Title | Author}',
      '    [e3] button "Lend"',
      '    button "Close the desk" (disabled)',
      '',
    ].join('\n');
    const instruction = 'Today lend "The Glass Engine" to Yuki Sato.';
    const choices = findChoices(readStateFeatures({ instruction, history: [], screen }));
    expect(choices.map(({ action }) => describeAction(action))).toEqual([
      'fill e1 "The Glass Engine"',
      'select e2 "Author"',
      'click e3',
      'finish',
      'finish infeasible',
    ]);
  });
});

describe('student', () => {
  it.each(apps)('[LRN-3] acts within what is offered on any screen, having learned nothing: %s', async app => {
    const world = await openBuiltIn(app);
    const blank = createStudent({ weights: untrainedWeights(), temperature: 1 });
    for (const { id } of world.templates) {
      const { examples, problems } = await walk(blank, world, [id, 7]);
      expect(examples.length).toBeGreaterThan(0);
      expect(problems).not.toContain('unknown-element');
      expect(problems).not.toContain('unknown-command');
    }
  });

  it('[LRN-3] finishes where there is nothing else to do', async () => {
    const examples: TrainingExample[] = [
      { situation: { instruction: '', history: [], screen: '' }, action: { kind: 'finish' } },
      {
        situation: { instruction: 'Do it.', history: ['finish'], screen: 'page "Empty"\n' },
        action: { kind: 'finish' },
      },
    ];
    expect(await decisions(createStudent({ weights: untrainedWeights() }), examples)).toEqual(['finish', 'finish']);
  });

  it('[LRN-4] learns from examples alone, the same from the same examples and seed', async () => {
    const examples = await demonstrations('mail', ['star-message', 'two-settings'], 4);
    const once = trainStudent(examples, 'seed');
    expect(writeStudent(trainStudent(examples, 'seed').weights)).toBe(writeStudent(once.weights));
    expect(writeStudent(trainStudent(examples, 'other').weights)).not.toBe(writeStudent(once.weights));
    expect(once).toMatchObject({ examples: examples.length, unmatched: 0, fit: 1 });
  });

  it('[LRN-4] counts examples that cannot be followed, and learns nothing from them', async () => {
    const [example] = (await demonstrations('mail', ['star-message'], 1)) as [TrainingExample];
    const odd: TrainingExample = { ...example, action: { kind: 'click', ref: 'e9999' } };
    const training = trainStudent([odd], 1);
    expect(training).toMatchObject({ examples: 1, unmatched: 1, fit: 0 });
    expect(training.weights).toEqual(untrainedWeights());
  });

  it('[LRN-9] says how sure it is, what else it weighed, and how many steps seem to be left', async () => {
    const shown = await demonstrations('mail', ['star-message', 'two-settings'], 4);
    const examples = countedDown(shown);
    const { weights } = trainStudent(examples, 1);
    const student = createStudent({ weights });
    const values: [number, number][] = [];
    for (const { situation, stepsLeft } of examples) {
      const { instruction, history, screen } = situation;
      const view = {
        instruction,
        history,
        observation: { text: screen },
        path: [],
        tools: [],
        random: createRandom(1),
      };
      const { action, prior, confidence, alternatives, value } = await student.act(view);
      expect(confidence).toBe(prior);
      const chances = [prior ?? 0, ...(alternatives ?? []).map(one => one.prior)];
      expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeLessThanOrEqual(1 + 1e-9);
      expect(chances).toEqual(chances.toSorted((left, right) => right - left));
      expect(alternatives?.map(one => one.action)).not.toContainEqual(action);
      values.push([-(value ?? 0), stepsLeft ?? 0]);
    }
    // The estimate tells the beginning of an episode from its end.
    const mean = (left: (steps: number) => boolean): number => {
      const chosen = values.filter(([, steps]) => left(steps)).map(([estimate]) => estimate);
      return chosen.reduce((sum, estimate) => sum + estimate, 0) / chosen.length;
    };
    expect(mean(steps => steps === 1)).toBeLessThan(mean(steps => steps === 2));
    expect(mean(steps => steps === 2)).toBeLessThan(mean(steps => steps >= 4));
  });

  it('[LRN-11] decides as a student that meets each situation for the first time', async () => {
    const examples = (await demonstrations('mail', ['star-message', 'two-settings'], 2)).slice(0, 16);
    const { weights } = trainStudent(examples, 1);
    // Situations that differ in one part alone: the instruction, the history or the screen.
    const mixed = examples.flatMap(({ situation, action }) => [
      { situation, action },
      { situation: { ...situation, history: [...situation.history, ...situation.history] }, action },
      { situation: { ...situation, instruction: examples[0]?.situation.instruction ?? '' }, action },
      { situation: { ...situation, screen: examples[0]?.situation.screen ?? '' }, action },
    ]);
    const twice = [...mixed, ...mixed.toReversed(), ...mixed];
    const kept = await decisions(createStudent({ weights, temperature: 1 }), twice);
    const fresh: string[] = [];
    for (const [index, { situation }] of twice.entries()) {
      const { instruction, history, screen } = situation;
      const view = { instruction, history, observation: { text: screen }, path: [], tools: [] };
      const student = createStudent({ weights, temperature: 1 });
      const { action } = await student.act({ ...view, random: createRandom(index) });
      fresh.push(action === null ? 'none' : describeAction(action));
    }
    expect(kept).toEqual(fresh);
  });

  it('[LRN-5] passes new instances of what it was shown', async () => {
    const templates = ['star-message', 'send-message'];
    const world = await openBuiltIn('mail');
    const student = createStudent({
      weights: trainStudent(await demonstrations('mail', templates, isLong ? 8 : 5), 1).weights,
    });
    const blank = createStudent({ weights: untrainedWeights() });
    for (const template of templates) {
      for (let seed = 501; seed <= (isLong ? 506 : 503); seed++) {
        expect(await walk(student, world, [template, seed])).toMatchObject({ pass: true });
        expect(await walk(blank, world, [template, seed])).toMatchObject({ pass: false });
      }
    }
  });

  it('[SRV-10] says how likely each action is, and takes the one that it takes without saying', async () => {
    const examples = await demonstrations('mail', ['star-message', 'oldest-sender'], 2);
    const { weights } = trainStudent(examples, 1);
    const weigh = createOdds(weights);
    for (const temperature of [0, 0.5, 1, 20]) {
      const taken = examples.map(({ situation }, index) => {
        const odds = weigh({ situation, temperature, random: createRandom(index), allows: () => true });
        const texts = odds?.choices.map(({ action }) => describeAction(action)) ?? [];
        expect(new Set(texts).size).toBe(texts.length);
        expect(odds?.choices.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 9);
        expect(odds?.choices).toContain(odds?.taken);
        return describeAction(odds?.taken.action ?? { kind: 'finish' });
      });
      expect(taken).toEqual(await decisions(createStudent({ weights, temperature }), examples));
    }
  });

  it('[SRV-10] weighs what may be taken only: at twice the temperature, half the difference', async () => {
    const [{ situation }] = (await demonstrations('mail', ['star-message'], 1)) as [TrainingExample];
    const { weights } = trainStudent(await demonstrations('mail', ['star-message'], 2), 1);
    const weigh = createOdds(weights);
    const asked = { situation, random: createRandom(1) };
    const allows = ({ kind }: TrainingExample['action']) => kind === 'finish';
    const gap = (temperature: number) => {
      const [first, second] = weigh({ ...asked, temperature, allows })?.choices.map(({ logprob }) => logprob) ?? [];
      expect(Math.exp(first as number) + Math.exp(second as number)).toBeCloseTo(1, 12);
      return (first as number) - (second as number);
    };
    expect(gap(1)).toBeGreaterThan(0);
    expect(gap(2)).toBeCloseTo(gap(1) / 2, 12);
    expect(gap(0)).toBe(gap(1));
    expect(weigh({ ...asked, temperature: 1, allows: () => false })).toBeNull();
  });

  it('[LRN-6] decides the same after it was saved and read back', async () => {
    const examples = await demonstrations('tracker', ['comment-on-issue', 'change-settings'], 3);
    const { weights } = trainStudent(examples, 1);
    const back = readStudent(writeStudent(weights));
    expect(back).toEqual(weights);
    for (const temperature of [0, 1]) {
      const before = await decisions(createStudent({ weights, temperature }), examples);
      expect(await decisions(createStudent({ weights: back, temperature }), examples)).toEqual(before);
    }
  });

  it('[LRN-6] refuses a file of other features, and one that is damaged', () => {
    const blank = untrainedWeights();
    blank.policy.weights.fill(0.5, 3, 9);
    const file = JSON.parse(writeStudent(blank)) as { policy: { weights: object } };
    const reading = (change: object) => () => readStudent(JSON.stringify({ ...file, ...change }));
    const weighing = (change: object) =>
      reading({ policy: { ...file.policy, weights: { ...file.policy.weights, ...change } } });
    expect(reading({})).not.toThrow();
    expect(reading({ version: 1 })).toThrow('The student is a file of version 1; this Espalier reads version 2.');
    expect(reading({ features: 99 })).toThrow('The student was trained with version 99 of the features');
    expect(reading({ kind: 'student' })).toThrow('The student is not valid.');
    expect(weighing({ places: btoa('abcd') })).toThrow('The student is damaged');
    expect(weighing({ values: btoa('abc') })).toThrow('The student is damaged');
    expect(weighing({ values: btoa('\0\0\xc0\x7f'.repeat(6)) })).toThrow('The student is damaged');
    expect(weighing({ places: btoa('\xff\xff\xff\xff'.repeat(6)) })).toThrow('The student is damaged');
    expect(() => readStudent(JSON.stringify(file).slice(0, 40))).toThrow('The student is not JSON');
  });
});
