import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { createManualClock } from '../../core/clock.ts';
import { createRandom } from '../../core/random.ts';
import { sealTask } from '../../core/records.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { checkLaws } from '../../worlds/laws.ts';
import { drawMaze, turnsOf, wayFrom } from './draw-maze.ts';
import { mazeFamily } from './family.ts';
import { createMazeEnvironment } from './maze-environment.ts';

const environment = createMazeEnvironment(null);
const planner = createPlanner({ clock: createManualClock() });

describe('mazes', () => {
  it('[MAZE-1] have a way of exactly the length and turns that were asked for, and only one', () => {
    const sizes = fc
      .integer({ min: 2, max: 20 })
      .chain(length =>
        fc.record({ length: fc.constant(length), turns: fc.integer({ min: 0, max: length - 1 }), seed: fc.nat(999) }),
      );
    fc.assert(
      fc.property(sizes, ({ length, turns, seed }) => {
        const maze = drawMaze({ length, turns }, createRandom(seed));
        const way = wayFrom(maze, maze.start);
        expect([way.length, turnsOf(way)]).toEqual([length, turns]);
        // A tree: one passage fewer than cells.
        expect(maze.open.flat()).toHaveLength(2 * (maze.side * maze.side - 1));
      }),
      { numRuns: 60 },
    );
  });

  it('[MAZE-2] are walked step by step; walls refuse, and the goal must be reached before the finish', () => {
    for (const { id } of environment.templates) {
      const task = environment.task(id, 3);
      const plan = planner.plan(environment.open(task));
      const actions = plan.outcome === 'solved' ? plan.actions : [];
      expect(actions).toHaveLength(Number(task.parameters['length']) + 1);
      const session = environment.open(task);
      for (const action of actions) expect(session.step(action).applied).toBe(true);
      expect(session.verify().pass).toBe(true);
      const early = environment.open(task);
      early.step({ kind: 'finish' });
      expect(early.verify().pass).toBe(false);
    }
    const session = environment.open(environment.task('length-3-turns-1', 1));
    const refused = ['up', 'right', 'down', 'left'].filter(
      direction => !session.fork().step({ kind: 'call', tool: 'go', input: { direction } }).applied,
    );
    expect(refused.length).toBeGreaterThan(0);
    expect(session.observe().text).toContain('button "Go up"');
  });

  it('[MAZE-2] keep the laws, and buttons do what the tool does', async () => {
    const tasks = [environment.task('length-5-turns-2', 1)];
    for (const result of await checkLaws(environment, { tasks })) expect(result).toMatchObject({ pass: true });
    const [byTool, byButton] = [
      environment.open(tasks[0] as (typeof tasks)[0]),
      environment.open(tasks[0] as (typeof tasks)[0]),
    ];
    const { next, nextOnScreen } = byTool.guide();
    byTool.step(next ?? { kind: 'finish' });
    byButton.step(nextOnScreen ?? { kind: 'finish' });
    expect(byButton.digest()).toBe(byTool.digest());
  });

  it('[MAZE-1] refuse a size that cannot be, and a maze that is not of its size', async () => {
    await expect(mazeFamily.open('maze:4,4', {} as never)).rejects.toThrow('There are no mazes "maze:4,4"');
    const opened = await mazeFamily.open('maze:9,0', {} as never);
    expect('environment' in opened && opened.environment.id).toBe('maze-9-0');
    const task = environment.task('length-3-turns-1', 1);
    const wrong = sealTask({ ...task, parameters: { ...task.parameters, length: 4 } });
    expect(() => environment.open(wrong)).toThrow('has 3 steps and 1 turns');
  });
});
