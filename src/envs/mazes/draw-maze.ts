import type { Random } from '../../core/random.ts';

/** The way from the start to the goal: its steps, and how often it changes direction. */
export interface WaySize {
  readonly length: number;
  readonly turns: number;
}

export const directions = ['up', 'right', 'down', 'left'] as const;
export type Direction = (typeof directions)[number];

const moves: Readonly<Record<Direction, readonly [right: number, down: number]>> = {
  up: [0, -1],
  right: [1, 0],
  down: [0, 1],
  left: [-1, 0],
};

/** Cells of a grid, and between which of them one can walk. */
export type Maze = {
  readonly side: number;
  /** Numbers of cells, row by row. */
  readonly start: number;
  readonly goal: number;
  /** For each cell, the directions that are open. */
  readonly open: readonly (readonly Direction[])[];
};

/** The cell beyond, whatever wall there is; null outside of the grid. */
export function beyond(side: number, cell: number, direction: Direction): number | null {
  const [right, down] = moves[direction];
  const [x, y] = [(cell % side) + right, Math.floor(cell / side) + down];
  return x < 0 || y < 0 || x >= side || y >= side ? null : y * side + x;
}

/** A maze whose one way from start to goal has exactly this length and this many turns: its corridors form a tree. */
export function drawMaze(size: WaySize, random: Random): Maze {
  const side = sideFor(size);
  for (;;) {
    const way = drawWay(size, { side, random });
    if (way !== null) return grown(way, { side, random });
  }
}

function sideFor({ length, turns }: WaySize): number {
  // A way with few turns is long in one direction.
  return Math.max(4, Math.ceil(length / (turns + 1)) + 2, Math.ceil(Math.sqrt(2 * length)) + 2);
}

interface Drawing {
  readonly side: number;
  readonly random: Random;
}

/** Cells of a way that does not cross itself; null when it ran into itself or the edge. */
function drawWay({ length, turns }: WaySize, { side, random }: Drawing): readonly number[] | null {
  const turnsAt = new Set(
    random.sample(
      Array.from({ length: length - 1 }, (_, at) => at + 1),
      turns,
    ),
  );
  const cells = [random.between(0, side * side - 1)];
  let direction = random.pick(directions);
  for (let step = 0; step < length; step++) {
    if (turnsAt.has(step)) direction = random.pick(sideways(direction));
    const next = beyond(side, cells.at(-1) as number, direction);
    if (next === null || cells.includes(next)) return null;
    cells.push(next);
  }
  return cells;
}

function sideways(direction: Direction): readonly Direction[] {
  const isUpright = direction === 'up' || direction === 'down';
  return isUpright ? ['left', 'right'] : ['up', 'down'];
}

/** The way with dead ends grown from it, until the grid is full. */
function grown(way: readonly number[], { side, random }: Drawing): Maze {
  const open: Direction[][] = Array.from({ length: side * side }, () => []);
  const join = (cell: number, direction: Direction): number => {
    const next = beyond(side, cell, direction) as number;
    open[cell]?.push(direction);
    open[next]?.push(opposite(direction));
    return next;
  };
  for (const [at, cell] of way.slice(0, -1).entries())
    join(cell, directions.find(direction => beyond(side, cell, direction) === way[at + 1]) as Direction);
  const known = new Set(way);
  for (const frontier = [...way]; frontier.length > 0; ) {
    const at = random.between(0, frontier.length - 1);
    const cell = frontier[at] as number;
    const free = directions.filter(direction => {
      const next = beyond(side, cell, direction);
      return next !== null && !known.has(next);
    });
    if (free.length === 0) frontier.splice(at, 1);
    else {
      const next = join(cell, random.pick(free));
      known.add(next);
      frontier.push(next);
    }
  }
  return { side, start: way[0] as number, goal: way.at(-1) as number, open: open.map(own => own.toSorted()) };
}

function opposite(direction: Direction): Direction {
  return directions[(directions.indexOf(direction) + 2) % 4] as Direction;
}

/** The directions of the way from a cell to the goal: there is one. */
export function wayFrom({ side, goal, open }: Maze, start: number): readonly Direction[] {
  const cameBy = new Map<number, readonly [number, Direction] | null>([[start, null]]);
  const queue = [start];
  for (const cell of queue)
    for (const direction of open[cell] ?? []) {
      const next = beyond(side, cell, direction) as number;
      if (cameBy.has(next)) continue;
      cameBy.set(next, [cell, direction]);
      queue.push(next);
    }
  const way: Direction[] = [];
  for (let step = cameBy.get(goal) ?? null; step !== null; step = cameBy.get(step[0]) ?? null) way.unshift(step[1]);
  return way;
}

/** How often a way changes direction. */
export function turnsOf(way: readonly Direction[]): number {
  return way.filter((direction, at) => at > 0 && direction !== way[at - 1]).length;
}
