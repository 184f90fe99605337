import { ownChecks } from '../../core/check-ids.ts';
import type { ToolInfo } from '../../core/contracts.ts';
import type { JsonObject } from '../../core/json.ts';
import type { CheckResult, Ending, Verdict } from '../../core/records.ts';
import type { UiNode } from '../../core/ui.ts';
import { createMemory } from '../../kernel/memory.ts';
import { refusal, type Rules } from '../../kernel/rules/rule-session.ts';
import type { ProgramRunner } from '../code/sandbox/run-program.ts';
import { rowsText, tablesText, type Data } from './database.ts';
import { evaluateQuery } from './evaluate.ts';
import { hiddenData, sameRows } from './hidden-data.ts';
import { queryText } from './query.ts';
import { visibleData, type Repair } from './repair.ts';
import { runQuery } from './run-query.ts';

export type SqlState = {
  /** The query that was run last, and what it gave. */
  readonly last: { readonly query: string; readonly result: string } | null;
};

const longestQuery = 4000;
const shownRows = 20;
const rememberedVerdicts = 64;

export const sqlTools: readonly ToolInfo[] = [
  {
    name: 'run_query',
    description: 'Runs a query on the rows that you see. Changes are rolled back.',
    input: {
      type: 'object',
      properties: { query: { type: 'string', minLength: 1, maxLength: longestQuery } },
      required: ['query'],
      additionalProperties: false,
    },
  },
];

export interface SqlRulesOptions {
  readonly repair: Repair;
  runner(): ProgramRunner;
}

/** The rules of one repair: queries are tried on visible rows, and the answer is judged on hidden ones. */
export function sqlRules({ repair, runner }: SqlRulesOptions): Omit<Rules<SqlState>, 'task' | 'digest'> {
  const fillOf = (data: Data): string => `${tablesText(repair.schema)}\n${rowsText(repair.schema, data)}`;
  const answer = queryText(repair.schema, repair.query);
  const remember = createMemory<CheckResult[]>(rememberedVerdicts);
  // Plans and replays run one query many times.
  const rememberRun = createMemory<string>(rememberedVerdicts);
  let hidden: readonly Data[] | null = null;
  const judged = (query: string): CheckResult[] => {
    const sets = (hidden ??= hiddenData(repair));
    const runs = runQuery(runner(), query, sets.map(fillOf));
    return checksOf(
      runs,
      sets.map(data => evaluateQuery(repair.query, data)),
    );
  };
  return {
    initial: { last: null },
    call(state, tool, input) {
      if (tool !== 'run_query') return { state, outcome: refusal('unknown-command', `There is no tool "${tool}".`) };
      const query = queryIn(input);
      if (query === null) {
        const message = `Expected a query of 1 to ${longestQuery} characters.`;
        return { state, outcome: refusal('not-allowed', message) };
      }
      const result = rememberRun(query, () => shown(runQuery(runner(), query, [fillOf(visibleData(repair))])));
      return { state: { last: { query, result } }, outcome: { applied: true, result } };
    },
    screen,
    candidates: () => [],
    verdict: (_state, ending) => verdictOf(ending, query => remember(query, () => judged(query))),
    guide: () => ({ unmet: 0, unmetChecks: 0, clean: true, finish: { kind: 'finish', answer } }),
  };
}

type Runs = ReturnType<typeof runQuery>;

function queryIn({ query, ...more }: JsonObject): string | null {
  if (typeof query !== 'string' || Object.keys(more).length > 0) return null;
  return query.trim() === '' || query.length > longestQuery ? null : query;
}

function shown(runs: Runs): string {
  if (typeof runs === 'string') return runs;
  const [run] = runs;
  if (run === undefined) return 'The query gave nothing.';
  if (run.error !== null) return `The query failed: ${run.error}`;
  const lines = run.rows.slice(0, shownRows).map(row => row.map(value => String(value ?? 'NULL')).join(' | '));
  const more = run.rows.length > shownRows ? [`… ${run.rows.length - shownRows} more`] : [];
  return lines.length === 0 ? 'No rows.' : [...lines, ...more].join('\n');
}

function checksOf(runs: Runs, right: readonly ReturnType<typeof evaluateQuery>[]): CheckResult[] {
  const each = typeof runs === 'string' ? [] : runs;
  const isComplete = each.length === right.length;
  return [
    { id: 'query-runs', name: 'the query runs', pass: isComplete && each.every(({ error }) => error === null) },
    {
      id: 'changes-nothing',
      name: 'the query changes nothing, and the database is restored',
      pass: isComplete && each.every(({ changed, restored }) => !changed && restored),
    },
    {
      ...ownChecks.answer,
      pass: isComplete && each.every(({ rows }, at) => sameRows(rows, right[at] ?? [])),
    },
  ];
}

function verdictOf(ending: Ending | null, judged: (query: string) => CheckResult[]): Verdict {
  const answer = ending?.answer ?? null;
  const checks = answer === null ? checksOf('', [[]]) : [...judged(statementIn(answer))];
  if (ending?.infeasible === true) checks.push({ ...ownChecks.notGivenUp, pass: false });
  const passed = checks.filter(({ pass }) => pass).length;
  return {
    pass: passed === checks.length,
    checks,
    progress: passed / checks.length,
    clean: true,
    evidence: { trespasses: [], answer },
  };
}

/** The query in an answer: a fenced block, or the whole. */
function statementIn(answer: string): string {
  const [, block] = /```[a-z]*[^\n]*\n([\s\S]*?)```/.exec(answer) ?? [];
  return (block ?? answer).trim();
}

function screen({ last }: SqlState): UiNode {
  if (last === null) return { role: 'page', name: 'No query was run yet' };
  const item = (name: string): UiNode => ({ role: 'listitem', name });
  return {
    role: 'page',
    name: 'The last query',
    children: [
      { role: 'list', name: 'Query', children: last.query.split('\n').map(item) },
      { role: 'list', name: 'Result', children: last.result.split('\n').map(item) },
    ],
  };
}
