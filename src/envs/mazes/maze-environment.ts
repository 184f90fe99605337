import { z } from 'zod';
import type { StateEnvironment, StateSession, TemplateInfo } from '../../core/contracts.ts';
import { invalidTask } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { createRandom } from '../../core/random.ts';
import { describeIssues } from '../../core/records.ts';
import { drawForSeed } from '../../worlds/app/task-split.ts';
import { createRuleEnvironment } from '../../worlds/rules/rule-environment.ts';
import { directions, drawMaze, turnsOf, wayFrom, type Maze, type WaySize } from './draw-maze.ts';
import { mazeRules, mazeTools, type MazeState } from './maze-rules.ts';

interface MazeTemplate extends TemplateInfo, WaySize {}

function template(size: WaySize, split: 'train' | 'test'): MazeTemplate {
  const { length, turns } = size;
  const about = `Walk to the goal: the way has ${length} steps and ${turns} turns.`;
  return { id: `length-${length}-turns-${turns}`, ...size, split, kind: 'feasible', about };
}

/** Buckets of a curriculum; the longest ways are held out. */
const buckets: readonly MazeTemplate[] = [
  template({ length: 3, turns: 1 }, 'train'),
  template({ length: 5, turns: 2 }, 'train'),
  template({ length: 8, turns: 3 }, 'train'),
  template({ length: 8, turns: 6 }, 'train'),
  template({ length: 12, turns: 5 }, 'test'),
  template({ length: 16, turns: 8 }, 'test'),
];

const cell = z.int().nonnegative();
const parametersSchema = z.strictObject({
  length: z.int().positive(),
  turns: z.int().nonnegative(),
  maze: z.strictObject({
    side: z.int().min(2).max(60),
    start: cell,
    goal: cell,
    open: z.array(z.array(z.enum(directions))),
  }),
});

/** Mazes of all buckets, or of one length and number of turns. */
export function createMazeEnvironment(size: WaySize | null): StateEnvironment {
  const templates = size === null ? buckets : [template(size, 'train')];
  return createRuleEnvironment<MazeState>({
    id: size === null ? 'maze' : `maze-${size.length}-${size.turns}`,
    title: 'Mazes',
    templates: templates.map(({ id, split, kind, about }) => ({ id, split, kind, about })),
    tools: mazeTools,
    hasScreen: true,
    draw(name, seed) {
      const { length, turns } = templates.find(({ id }) => id === name) as MazeTemplate;
      const random = createRandom(`maze ${name} ${seed}`);
      const maze = drawForSeed({
        seed,
        what: `mazes of ${length} steps and ${turns} turns`,
        draw: () => drawMaze({ length, turns }, random),
        contentOf: drawn => JSON.stringify(drawn),
      }) as Maze;
      return {
        instruction: 'You are at Y. Walk to G: # is a wall. Then finish.',
        parameters: { length, turns, maze: maze as unknown as JsonObject },
        steps: 4 * length + 10,
      };
    },
    rules({ id, parameters }) {
      const parsed = parametersSchema.safeParse(parameters);
      if (!parsed.success) throw invalidTask(`Task ${id} is no maze.`, `${describeIssues(parsed.error)}.`);
      const { maze, length, turns } = parsed.data;
      const way = wayFrom(maze, maze.start);
      if (way.length !== length || turnsOf(way) !== turns)
        throw invalidTask(
          `The way of task ${id} has ${way.length} steps and ${turnsOf(way)} turns.`,
          `Expected ${length} and ${turns}.`,
        );
      return mazeRules(maze);
    },
  });
}

/** Walkers that do not look. */
export const mazeBaselines = [
  { name: 'walk straight on', most: 0.2, play: (session: StateSession) => walkBlindly(session, 'straight') },
  { name: 'walk by chance', most: 0.3, play: (session: StateSession) => walkBlindly(session, 'chance') },
];

function walkBlindly(session: StateSession, how: 'straight' | 'chance'): void {
  const random = createRandom(`walk ${session.task.id}`);
  let direction = random.pick(directions);
  for (let step = 0; step < session.task.budget.steps - 1; step++) {
    const outcome = session.step({ kind: 'call', tool: 'go', input: { direction } });
    if (how === 'chance' || !outcome.applied) direction = random.pick(directions);
    if (session.guide().unmet === 0 && how === 'straight') break;
  }
  session.step({ kind: 'finish' });
}
