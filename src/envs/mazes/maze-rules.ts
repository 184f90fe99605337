import { ownChecks } from '../../core/check-ids.ts';
import type { Candidate, ToolInfo } from '../../core/contracts.ts';
import type { CheckResult, Ending, Verdict } from '../../core/records.ts';
import type { UiNode } from '../../core/ui.ts';
import { screenCandidates } from '../../worlds/screen.ts';
import { refusal, type Move, type Rules } from '../../worlds/rules/rule-session.ts';
import { beyond, directions, wayFrom, type Direction, type Maze } from './draw-maze.ts';

export type MazeState = { readonly cell: number };

export const mazeTools: readonly ToolInfo[] = [
  {
    name: 'go',
    description: 'Walks to the next cell, where no wall is between.',
    input: {
      type: 'object',
      properties: { direction: { type: 'string', enum: [...directions] } },
      required: ['direction'],
      additionalProperties: false,
    },
  },
];

/** The rules of one maze: a step is taken where no wall is, and the maze is solved at its goal. */
export function mazeRules(maze: Maze): Omit<Rules<MazeState>, 'task' | 'digest'> {
  const screen = (state: MazeState): UiNode => drawn(maze, state);
  const go = (state: MazeState, direction: unknown): Move<MazeState> => {
    const known = directions.find(one => one === direction);
    if (known === undefined)
      return { state, outcome: refusal('invalid-input', `Expected a direction: ${directions.join(', ')}.`) };
    if (!(maze.open[state.cell] ?? []).includes(known))
      return { state, outcome: refusal('not-allowed', `There is a wall: you cannot go ${known}.`) };
    return { state: { cell: beyond(maze.side, state.cell, known) as number }, outcome: { applied: true } };
  };
  return {
    initial: { cell: maze.start },
    call: (state, tool, { direction }) =>
      tool === 'go'
        ? go(state, direction)
        : { state, outcome: refusal('unknown-command', `There is no tool "${tool}".`) },
    press: (state, { input }) => go(state, input['direction']),
    screen,
    candidates: (state): readonly Candidate[] => screenCandidates(screen(state), []),
    verdict: (state, ending) => verdictOf(maze, state, ending),
    guide(state) {
      const [next, ...rest] = wayFrom(maze, state.cell);
      const unmet = next === undefined ? 0 : rest.length + 1;
      const finish = { kind: 'finish' } as const;
      const guide = { unmet, unmetChecks: Number(unmet > 0), clean: true, finish };
      if (next === undefined) return guide;
      return {
        ...guide,
        next: { kind: 'call', tool: 'go', input: { direction: next } },
        nextOnScreen: { kind: 'click', ref: `e${directions.indexOf(next) + 1}` },
      };
    },
  };
}

function verdictOf({ goal }: Maze, { cell }: MazeState, ending: Ending | null): Verdict {
  const checks: CheckResult[] = [
    { id: 'at-goal', name: 'the walker is at the goal', pass: cell === goal },
    { ...ownChecks.agentFinished, pass: ending !== null },
  ];
  if (ending?.infeasible === true) checks.push({ ...ownChecks.notGivenUp, pass: false });
  const held = checks.filter(({ pass }) => pass).length;
  const evidence = { sideEffects: [], answer: ending?.answer ?? null };
  return { pass: held === checks.length, checks, progress: held / checks.length, clean: true, evidence };
}

function drawn(maze: Maze, state: MazeState): UiNode {
  const button = (direction: Direction): UiNode => ({
    role: 'button',
    name: `Go ${direction}`,
    press: { command: 'go', input: { direction } },
  });
  return {
    role: 'page',
    name: 'Maze',
    children: [...directions.map(button), ...linesOf(maze, state).map((name): UiNode => ({ role: 'text', name }))],
  };
}

/** The grid as text: `#` is a wall, `Y` you, `G` the goal. */
function linesOf({ side, goal, open }: Maze, { cell }: MazeState): readonly string[] {
  const isOpen = (at: number, direction: Direction): boolean => (open[at] ?? []).includes(direction);
  const lines = ['#'.repeat(2 * side + 1)];
  for (let y = 0; y < side; y++) {
    const cells = Array.from({ length: side }, (_, x) => y * side + x);
    const mark = (at: number): string => (at === cell ? 'Y' : at === goal ? 'G' : '.');
    lines.push(`#${cells.map(at => mark(at) + (isOpen(at, 'right') ? '.' : '#')).join('')}`);
    lines.push(`#${cells.map(at => `${isOpen(at, 'down') ? '.' : '#'}#`).join('')}`);
  }
  return lines;
}
