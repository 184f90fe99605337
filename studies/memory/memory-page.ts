import { armTable, joinParts } from '../strategies/arms-page.ts';
import type { ArmResult } from '../strategies/run-arms.ts';

export interface MemoryTable {
  readonly student: string;
  readonly level: 'new-instances' | 'held-out';
  readonly most: number;
  readonly results: readonly ArmResult[];
}

const words = { 'new-instances': 'new tasks', 'held-out': 'held-out templates' } as const;

/** The tables as docs/strategies.md has them. */
export function memoryPage(parts: readonly MemoryTable[]): string[] {
  const tables = joinParts(parts, ({ student, level, most }) => `${student}, ${level} ${most}`);
  const students = Map.groupBy(tables, ({ student }) => student);
  return [...students].flatMap(([student, own]) => [
    `### The student \`${student}\` with a memory`,
    '',
    ...armTable(
      own.toReversed().map(({ level, most, results }) => ({ head: `${words[level]}, ${most} steps`, results })),
    ),
    '',
  ]);
}
