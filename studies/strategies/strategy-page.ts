import { armTable, joinParts } from './arms-page.ts';
import type { ArmResult } from './run-arms.ts';

/**
 * A table: one student, all arms. `steps` and `queries` compare evaluations under such a budget. `collected` has strategies that see
 * verdicts or ask a teacher, on training tasks; `allocation` the share of tasks whose trials differ, by schedules.
 */
export interface StrategyTable {
  readonly student: string;
  readonly budget: 'steps' | 'queries' | 'collected' | 'allocation';
  readonly most: number;
  readonly results: readonly ArmResult[];
}

const words = { steps: 'steps', queries: 'questions' } as const;

/** The tables as docs/strategies.md has them. */
export function strategyPage(parts: readonly StrategyTable[]): string[] {
  const tables = joinParts(parts, ({ student, budget, most }) => `${student}, ${budget} ${most}`);
  const students = Map.groupBy(tables, ({ student }) => student);
  return [...students].flatMap(([student, own]) => [
    `### The student \`${student}\``,
    '',
    ...(['queries', 'steps'] as const).flatMap(kind =>
      sectionOf(
        `Without a verdict, at equal ${words[kind]}:`,
        own.filter(({ budget }) => budget === kind).map(table => ({ ...table, head: `${table.most} ${words[kind]}` })),
      ),
    ),
    ...sectionOf(
      'With verdicts or a teacher, on training tasks: the share of episodes that passed.',
      own.filter(({ budget }) => budget === 'collected').map(table => ({ ...table, head: `${table.most} steps` })),
    ),
    ...sectionOf(
      'Allocation: the share of tasks whose trials differ, with four trials a task on average.',
      own.filter(({ budget }) => budget === 'allocation').map(table => ({ ...table, head: 'trials differ' })),
    ),
  ]);
}

function sectionOf(title: string, columns: Parameters<typeof armTable>[0]): string[] {
  return columns.length === 0 ? [] : [title, '', ...armTable(columns), ''];
}
