import type { StateEnvironment, TemplateInfo } from '../../core/contracts.ts';
import { invalidTask } from '../../core/errors.ts';
import { createRandom } from '../../core/random.ts';
import { describeIssues, type Task } from '../../core/records.ts';
import { createRuleEnvironment } from '../../worlds/rules/rule-environment.ts';
import { drawForSeed } from '../../worlds/app/task-split.ts';
import { createRunners } from '../code/sandbox/runners.ts';
import { rowsText, tablesText, type Schema } from './database.ts';
import { queryText, queryWish, type Condition, type Query } from './query.ts';
import { drawRepair, repairSchema, visibleData, type Repair } from './repair.ts';
import { sqlRules, sqlTools } from './sql-rules.ts';

interface SqlTemplate extends TemplateInfo {
  readonly faults: number;
}

function template(id: string, count: number, split: 'train' | 'test'): SqlTemplate {
  const about = `A query with ${count} ${count === 1 ? 'mistake' : 'mistakes'} to repair.`;
  return { id, faults: count, split, kind: 'feasible', about };
}

/** Queries with the most mistakes are held out. */
const sqlTemplates: readonly SqlTemplate[] = [
  template('one-fault', 1, 'train'),
  template('two-faults', 2, 'train'),
  template('three-faults', 3, 'test'),
];

const steps = 10;

/** Queries that were broken by known kinds of mistakes. A repair is verified on data that the agent does not see. */
export function createSqlEnvironment(): StateEnvironment {
  const runners = createRunners();
  return createRuleEnvironment({
    id: 'sql-repair',
    title: 'Repair of queries',
    templates: sqlTemplates.map(({ id, split, kind, about }) => ({ id, split, kind, about })),
    tools: sqlTools,
    draw(name, seed) {
      const { faults } = sqlTemplates.find(({ id }) => id === name) as SqlTemplate;
      const random = createRandom(`sql ${name} ${seed}`);
      const repair = drawForSeed({
        seed,
        what: `tasks of ${name}`,
        draw: () => drawRepair(random, faults, `sql ${name} ${seed}`),
        // The same wish with another mistake is asked for the same query.
        contentOf: ({ schema, query }) => contentOf(schema, query),
      });
      if (repair === null) throw invalidTask(`There is no query of ${name} for seed ${seed}.`, 'Choose another seed.');
      return { instruction: instructionOf(repair), parameters: repairSchema.parse(repair), steps };
    },
    rules: task => sqlRules({ repair: readRepair(task), runners }),
  });
}

/** The order of conditions does not count. */
function contentOf(schema: Schema, query: Query): string {
  const byText = (one: Condition, other: Condition): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
  return queryText(schema, { ...query, where: query.where.toSorted(byText) });
}

/** The repair of a task. Throws where its parameters are none. */
export function readRepair({ id, parameters }: Task): Repair {
  const parsed = repairSchema.safeParse(parameters);
  if (!parsed.success) throw invalidTask(`Task ${id} has no query.`, `${describeIssues(parsed.error)}.`);
  return parsed.data;
}

function instructionOf(repair: Repair): string {
  const { schema, query, broken } = repair;
  return [
    'This query for SQLite gives a wrong result. Repair it.',
    `What it should do: ${queryWish(schema, query)}`,
    `The query:\n${queryText(schema, broken)}`,
    `The tables:\n${tablesText(schema)}`,
    `Some of the rows:\n${rowsText(schema, visibleData(repair))}`,
    'Try queries with run_query, and finish with the repaired query. It is verified on other rows, and must change nothing.',
  ].join('\n\n');
}
