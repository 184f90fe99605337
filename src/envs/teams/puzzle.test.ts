import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../core/clock.ts';
import type { StateSession } from '../../core/contracts.ts';
import { createRandom } from '../../core/random.ts';
import { sealTask } from '../../core/records.ts';
import { admitWorld } from '../../forge/admission/world-ladder.ts';
import { checkLaws } from '../../worlds/laws.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { clueText, drawClues, drawSolution, holds, solutionsOf, type Clue } from './puzzle.ts';
import { createPuzzleEnvironment, puzzleBaselines, puzzleFault } from './puzzle-environment.ts';

const environment = createPuzzleEnvironment();
const planner = createPlanner({ clock: createManualClock() });
const small = { houses: 3, attributes: 2 };
const red = { attribute: 'colour', value: 'red' } as const;
const blue = { attribute: 'colour', value: 'blue' } as const;
const cat = { attribute: 'pet', value: 'cat' } as const;
const dog = { attribute: 'pet', value: 'dog' } as const;

const byHand: Clue[] = [
  { kind: 'left', one: red, other: cat },
  { kind: 'same', one: blue, other: dog },
  { kind: 'at', one: dog, house: 3 },
  { kind: 'not-at', one: red, house: 2 },
];

function handMade(): StateSession {
  const task = environment.task('easy', 1);
  const clues = { Ann: byHand.slice(0, 2), Bob: byHand.slice(2) };
  return environment.open(sealTask({ ...task, parameters: { ...small, clues } }));
}

function call(session: StateSession, tool: string, input: Record<string, string | number> = {}) {
  return session.step({ kind: 'call', tool, input });
}

describe('puzzles', () => {
  it('[TEAM-1] have the solution that is found by hand', () => {
    // Dog and blue are in 3; red is in 1 then, as it is not in 2; the cat is in 2, so the horse is in 1.
    const [only, ...more] = solutionsOf(small, byHand, 10);
    expect(more).toEqual([]);
    expect(Object.fromEntries(only ?? [])).toEqual({
      'colour/red': 1,
      'colour/blue': 3,
      'colour/green': 2,
      'pet/cat': 2,
      'pet/dog': 3,
      'pet/horse': 1,
    });
    expect(solutionsOf(small, [], 100)).toHaveLength(36);
    expect(byHand.map(clueText)[0]).toBe('the colour red is in the house right before the pet cat');
    expect(
      holds({ kind: 'beside', one: red, other: dog }, trait => only?.get(`${trait.attribute}/${trait.value}`)),
    ).toBe(false);
  });

  it('[TEAM-1] need every clue, so neither player can do without the other', () => {
    for (let seed = 1; seed <= 5; seed++) {
      const size = { houses: 4, attributes: 3 };
      const random = createRandom(seed);
      const clues = drawClues(size, drawSolution(size, random), random);
      expect(solutionsOf(size, clues, 2)).toHaveLength(1);
      for (const clue of clues)
        expect(
          solutionsOf(
            size,
            clues.filter(other => other !== clue),
            2,
          ).length,
        ).toBe(2);
      expect(puzzleFault(environment.task('medium', seed))).toBeNull();
    }
    const clues = { Ann: byHand, Bob: byHand.slice(0, 1) };
    expect(puzzleFault({ parameters: { ...small, clues } })).toContain('Ann needs nobody');
  });

  it('[WORLD-1] climb the ladder', () => {
    // Hard ones take a second each to draw: `espalier check team:einstein` tries them.
    const templates = ['easy', 'medium'];
    const options = { planner, templates, seeds: 12, baselines: puzzleBaselines, fault: puzzleFault };
    for (const admission of admitWorld(environment, options)) expect(admission).toMatchObject({ admitted: true });
  });

  it('[TEAM-1] with no solution or several are refused', () => {
    const task = environment.task('easy', 1);
    const clues = { Ann: byHand.slice(0, 1), Bob: byHand.slice(1, 2) };
    expect(() => environment.open(sealTask({ ...task, parameters: { ...small, clues } }))).toThrow('2 solutions');
    expect(() => environment.open(sealTask({ ...task, parameters: {} }))).toThrow('is no puzzle');
  });
});

describe('a team', () => {
  it('obeys the laws of environments', async () => {
    const tasks = ['easy', 'medium'].map(id => environment.task(id, 2));
    for (const result of await checkLaws(environment, { tasks })) expect(result).toMatchObject({ pass: true });
  });

  it('[TEAM-2] sees only its own clues and what it was told', () => {
    const session = handMade();
    const [first, , third] = byHand.map(clueText) as [string, string, string];
    expect(session.observe().text).toContain(first);
    expect(session.observe().text).not.toContain(third);
    expect(call(session, 'say', { text: 'What do you know?' })).toMatchObject({ applied: true, role: 'Ann' });
    expect(session.observe().text).toContain('You are Bob');
    expect(session.observe().text).toContain('Ann: What do you know?');
    expect(session.observe().text).not.toContain(first);
    expect(call(session, 'tell', { clue: 1 })).toMatchObject({ applied: true, role: 'Bob' });
    expect(session.observe().text).toContain(third);
  });

  it('[TEAM-3] is refused placements in a taken house and of placed values', () => {
    const session = handMade();
    const place = (attribute: string, value: string, house: number) =>
      call(session, 'place', { house, attribute, value });
    expect(place('pet', 'dog', 2)).toMatchObject({ applied: true, role: 'Ann' });
    expect(place('pet', 'dog', 3).problem?.message).toContain('placed already');
    expect(place('pet', 'cat', 2).problem?.message).toContain('House 2 has the pet dog already');
    expect(call(session, 'remove', { attribute: 'pet', value: 'dog' }).applied).toBe(true);
    // Ann's clues say that the dog and the blue house go together; Bob's that the dog is in house 3.
    expect(place('pet', 'dog', 1).applied).toBe(true);
    expect(place('colour', 'blue', 2).applied).toBe(true);
    for (const [tool, input] of [
      ['place', { house: 4, attribute: 'pet', value: 'dog' }],
      ['place', { house: 1, attribute: '__proto__', value: 'dog' }],
      ['tell', { clue: 9 }],
      ['say', { text: ' ' }],
      ['say', { text: 'x'.repeat(301) }],
      ['constructor', {}],
    ] as const)
      expect(call(session, tool, input).applied).toBe(false);
  });

  it('[TEAM-5] tells nothing of the clues in refusals, results and offered placements', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const [one, other] = [1, 2].map(number => environment.open(environment.task('easy', 100 * seed + number)));
      if (one === undefined || other === undefined) throw new Error('no sessions');
      const random = createRandom(`same moves ${seed}`);
      const boardMoves = (session: StateSession) =>
        session.candidates().filter(({ action }) => action.kind === 'call' && action.tool !== 'tell');
      for (let step = 0; step < 30; step++) {
        expect(boardMoves(one)).toEqual(boardMoves(other));
        const wild = { house: random.between(1, 3), attribute: 'pet', value: random.pick(['cat', 'dog', 'horse']) };
        const action = random.chance(0.5)
          ? random.pick(boardMoves(one)).action
          : ({ kind: 'call', tool: 'place', input: wild } as const);
        expect(one.step(action)).toEqual(other.step(action));
      }
    }
  });

  it('[TEAM-3] passes when every value is in its house, also after a mistake', () => {
    const session = handMade();
    call(session, 'place', { house: 2, attribute: 'pet', value: 'dog' });
    const plan = planner.plan(session);
    const actions = plan.outcome === 'solved' ? plan.actions : [];
    for (const action of actions) expect(session.step(action)).toMatchObject({ applied: true });
    expect(session.verify()).toMatchObject({ pass: true, progress: 1 });
    const early = handMade();
    early.step({ kind: 'finish' });
    expect(early.verify()).toMatchObject({ pass: false, progress: expect.closeTo(1 / 3) as number });
  });
});
