import { defineProblem, byLevel } from '../problem.ts';
import { grid } from '../types/structures.ts';
import { choice } from '../types/words.ts';

export const ticTacToe = defineProblem({
  name: 'tic-tac-toe',
  subject: 'games',
  about: 'How a game of tic-tac-toe ends with perfect play.',
  input: grid({ cells: 'XO.', largest: 3 }),
  output: choice(['X', 'O', 'draw']),
  sample(random, level) {
    for (;;) {
      const cells = Array.from({ length: 9 }, () => '.');
      for (const [index, cell] of random.sample([0, 1, 2, 3, 4, 5, 6, 7, 8], moves[level]).entries())
        cells[cell] = index % 2 === 0 ? 'X' : 'O';
      const board = cells.join('');
      if (winnerOf(board) === null) return { rows: [board.slice(0, 3), board.slice(3, 6), board.slice(6)] };
    }
  },
  parameters: ({ rows }) => (isPosition(rows.join('')) ? {} : null),
  wordings: [
    x =>
      `In tic-tac-toe X has begun, and the board is ${x} A dot is free. The side with fewer marks moves next, X if both have as many. Who wins if both play perfectly: X, O, or is it a draw?`,
    x =>
      `Look at this game of tic-tac-toe (X began, dots are free): ${x} With the best moves of both sides from here, does X win, O win, or is it a draw?`,
  ],
  // Minimax.
  solve({ rows }) {
    const value = (board: string): number => {
      const winner = winnerOf(board);
      if (winner !== null || !board.includes('.')) return winner === 'X' ? 1 : winner === 'O' ? -1 : 0;
      const mark = nextMark(board);
      const values = [...board].flatMap((cell, index) =>
        cell === '.' ? [value(board.slice(0, index) + mark + board.slice(index + 1))] : [],
      );
      return mark === 'X' ? Math.max(...values) : Math.min(...values);
    };
    return outcomes[value(rows.join('')) + 1] ?? 'draw';
  },
  // Whether X can force a win, then whether O can.
  bruteForce({ rows }) {
    const forces = (board: string, side: string): boolean => {
      const winner = winnerOf(board);
      if (winner !== null) return winner === side;
      const nexts = [...board].flatMap((cell, index) =>
        cell === '.' ? [board.slice(0, index) + nextMark(board) + board.slice(index + 1)] : [],
      );
      if (nexts.length === 0) return false;
      return nextMark(board) === side
        ? nexts.some(next => forces(next, side))
        : nexts.every(next => forces(next, side));
    };
    const board = rows.join('');
    return forces(board, 'X') ? 'X' : forces(board, 'O') ? 'O' : 'draw';
  },
});

const moves = byLevel(6, 5, 4);
const outcomes = ['O', 'draw', 'X'] as const;
const lines = ['012', '345', '678', '036', '147', '258', '048', '246'];

function winnerOf(board: string): string | null {
  for (const line of lines) {
    const marks = [...line].map(cell => board[Number(cell)]).join('');
    if (marks === 'XXX' || marks === 'OOO') return marks[0] as string;
  }
  return null;
}

function nextMark(board: string): string {
  return board.split('X').length > board.split('O').length ? 'O' : 'X';
}

function isPosition(board: string): boolean {
  const lead = board.split('X').length - board.split('O').length;
  return board.length === 9 && (lead === 0 || lead === 1) && winnerOf(board) === null;
}
