import { z } from 'zod';
import type { StateEnvironment, StateSession, TemplateInfo } from '../../core/contracts.ts';
import { invalidTask } from '../../core/errors.ts';
import { createRandom } from '../../core/random.ts';
import { describeIssues } from '../../core/records.ts';
import { createRuleEnvironment } from '../../worlds/rules/rule-environment.ts';
import { drawForSeed } from '../../worlds/app/task-split.ts';
import {
  clueSchema,
  clueText,
  drawClues,
  drawSolution,
  namesOf,
  solutionsOf,
  valuesOf,
  type PuzzleSize,
  type Solution,
} from './puzzle.ts';
import { players, puzzleRules, puzzleTools } from './puzzle-rules.ts';

interface PuzzleTemplate extends TemplateInfo, PuzzleSize {}

function template(id: string, size: PuzzleSize, split: 'train' | 'test'): PuzzleTemplate {
  const about = `${size.houses} houses that differ in ${size.attributes} attributes; each player has half of the clues.`;
  return { id, ...size, split, kind: 'feasible', about };
}

const puzzleTemplates: readonly PuzzleTemplate[] = [
  template('easy', { houses: 3, attributes: 3 }, 'train'),
  template('medium', { houses: 4, attributes: 3 }, 'train'),
  template('hard', { houses: 4, attributes: 4 }, 'test'),
];

const cluesSchema = z.array(clueSchema).min(1).max(40);
const parametersSchema = z.strictObject({
  houses: z.int().min(2).max(4),
  attributes: z.int().min(2).max(4),
  clues: z.strictObject({ Ann: cluesSchema, Bob: cluesSchema }),
});

const spareSteps = 10;

/** Einstein puzzles for two agents: each has half of the clues, and neither half gives the solution. */
export function createPuzzleEnvironment(): StateEnvironment {
  return createRuleEnvironment({
    id: 'team-einstein',
    title: 'Einstein puzzles for two',
    templates: puzzleTemplates.map(({ id, split, kind, about }) => ({ id, split, kind, about })),
    tools: puzzleTools,
    roles: players,
    draw(name, seed) {
      const { houses, attributes } = puzzleTemplates.find(({ id }) => id === name) as PuzzleTemplate;
      const size = { houses, attributes };
      const random = createRandom(`einstein ${name} ${seed}`);
      const solution = drawForSeed({
        seed,
        what: `puzzles of ${name} size`,
        draw: () => drawSolution(size, random),
        // Puzzles with another solution have other clues.
        contentOf: drawn => JSON.stringify([...drawn]),
      }) as Solution;
      const clues = drawClues(size, solution, random);
      const parameters = {
        ...size,
        clues: { Ann: clues.filter((_, at) => at % 2 === 0), Bob: clues.filter((_, at) => at % 2 === 1) },
      };
      const rows = namesOf(size).map(attribute => `${attribute} (${valuesOf(size, attribute).join(', ')})`);
      const instruction = `${houses} houses stand in a row. Each has another ${rows.join(', another ')}. ${players.join(' and ')} have different clues and take turns. Exchange what you know, place every value in its house, then finish.`;
      return { instruction, parameters, steps: spareSteps + 2 * (clues.length + houses * attributes) };
    },
    rules({ id, parameters }) {
      const parsed = parametersSchema.safeParse(parameters);
      if (!parsed.success) throw invalidTask(`Task ${id} is no puzzle.`, `${describeIssues(parsed.error)}.`);
      const { clues, ...size } = parsed.data;
      const solutions = solutionsOf(size, [...clues.Ann, ...clues.Bob], 2);
      if (solutions.length !== 1)
        throw invalidTask(`The puzzle of task ${id} has ${solutions.length} solutions.`, 'Expected one.');
      return puzzleRules({ size, clues, solution: solutions[0] as Solution });
    },
  });
}

/** What is wrong with the clues of a task: half of them must not do. */
export function puzzleFault({ parameters }: { readonly parameters: unknown }): string | null {
  const { clues, ...size } = parametersSchema.parse(parameters);
  for (const player of players)
    if (solutionsOf(size, clues[player], 2).length === 1)
      return `${player} needs nobody: ${clues[player].map(clueText).join('; ')}`;
  return null;
}

/** Players who place what is allowed and never talk. */
export const puzzleBaselines = [
  { name: 'place the first that is allowed', play: (session: StateSession) => placeSilently(session, 'first') },
  { name: 'place by chance', play: (session: StateSession) => placeSilently(session, 'chance') },
];

function placeSilently(session: StateSession, how: 'first' | 'chance'): void {
  const random = createRandom(`silent ${session.task.id}`);
  for (let step = 0; step < session.task.budget.steps; step++) {
    const places = session.candidates().filter(({ action }) => action.kind === 'call' && action.tool === 'place');
    if (places.length === 0) break;
    session.step((how === 'first' ? places[0] : random.pick(places))?.action ?? { kind: 'finish' });
  }
  session.step({ kind: 'finish' });
}
