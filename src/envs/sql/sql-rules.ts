import { ownChecks } from '../../core/check-ids.ts';
import { after, atOnce, type Awaitable, type ToolInfo } from '../../core/contracts.ts';
import type { JsonObject } from '../../core/json.ts';
import type { CheckResult, Ending, Verdict } from '../../core/records.ts';
import type { UiNode } from '../../core/ui.ts';
import { createAwaitableMemory } from '../../worlds/app/memory.ts';
import { lastTryScreen } from '../../worlds/rules/last-try-screen.ts';
import { refusal, type Move, type Rules } from '../../worlds/rules/rule-session.ts';
import type { AnyRunner } from '../code/sandbox/run-program.ts';
import type { Runners } from '../code/sandbox/runners.ts';
import { rowsText, tablesText, type Data } from './database.ts';
import { evaluateQuery } from './evaluate.ts';
import { hiddenData, sameRows } from './hidden-data.ts';
import { queryText } from './query.ts';
import { visibleData, type Repair } from './repair.ts';
import { runQuery, type QueryRuns } from './run-query.ts';
import { answerVerdict } from '../../worlds/verdict/answer-verdict.ts';
import { fencedBlock } from '../../worlds/verdict/fenced-block.ts';

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
  readonly runners: Runners;
}

/** The rules of one repair: queries are tried on visible rows, and the answer is judged on hidden ones. */
export function sqlRules({ repair, runners }: SqlRulesOptions): Omit<Rules<SqlState>, 'task' | 'digest'> {
  const answer = queryText(repair.schema, repair.query);
  const { tried, verdict } = createQueryJudge(repair);
  return {
    initial: { last: null },
    call: (state, tool, input) => atOnce(called({ state, tool, input }, query => tried(runners.blocking(), query))),
    screen,
    candidates: () => [],
    verdict: (_state, ending) => atOnce(verdict(runners.blocking, ending)),
    guide: () => ({ unmet: 0, unmetChecks: 0, clean: true, finish: { kind: 'finish', answer } }),
    background: {
      call: async (state, tool, input) => called({ state, tool, input }, query => tried(runners.background(), query)),
      verdict: async (_state, ending) => verdict(runners.background, ending),
    },
  };
}

interface QueryJudge {
  /** The result on the visible rows, as text. */
  tried(runner: AnyRunner, query: string): Awaitable<string>;
  /** Asks for a runner only where there is a query to run. */
  verdict(runner: () => AnyRunner, ending: Ending | null): Awaitable<Verdict>;
}

/** Plans and replays run one query many times: results are remembered. */
function createQueryJudge(repair: Repair): QueryJudge {
  const fillOf = (data: Data): string => `${tablesText(repair.schema)}\n${rowsText(repair.schema, data)}`;
  const rememberChecks = createAwaitableMemory<CheckResult[]>(rememberedVerdicts);
  const rememberRun = createAwaitableMemory<string>(rememberedVerdicts);
  let hidden: readonly Data[] | null = null;
  const judged = (runner: AnyRunner, query: string): Awaitable<CheckResult[]> => {
    const sets = (hidden ??= hiddenData(repair));
    const right = sets.map(data => evaluateQuery(repair.query, data));
    return after(runQuery(runner, query, sets.map(fillOf)), runs => checksOf(runs, right));
  };
  return {
    tried: (runner, query) =>
      rememberRun(query, () => after(runQuery(runner, query, [fillOf(visibleData(repair))]), shown)),
    verdict(runner, ending) {
      const answer = ending?.answer ?? null;
      if (answer === null) return answerVerdict(ending, checksOf('', [[]]));
      const query = statementIn(answer);
      return after(
        rememberChecks(query, () => judged(runner(), query)),
        checks => answerVerdict(ending, checks),
      );
    },
  };
}

interface Call {
  readonly state: SqlState;
  readonly tool: string;
  readonly input: JsonObject;
}

function called({ state, tool, input }: Call, run: (query: string) => Awaitable<string>): Awaitable<Move<SqlState>> {
  if (tool !== 'run_query') return { state, outcome: refusal('unknown-command', `There is no tool "${tool}".`) };
  const query = queryIn(input);
  if (query === null) {
    const message = `Expected a query of 1 to ${longestQuery} characters.`;
    return { state, outcome: refusal('not-allowed', message) };
  }
  return after(run(query), result => ({ state: { last: { query, result } }, outcome: { applied: true, result } }));
}

function queryIn({ query, ...more }: JsonObject): string | null {
  if (typeof query !== 'string' || Object.keys(more).length > 0) return null;
  return query.trim() === '' || query.length > longestQuery ? null : query;
}

function shown(runs: QueryRuns): string {
  if (typeof runs === 'string') return runs;
  const [run] = runs;
  if (run === undefined) return 'The query gave nothing.';
  if (run.error !== null) return `The query failed: ${run.error}`;
  const lines = run.rows.slice(0, shownRows).map(row => row.map(value => String(value ?? 'NULL')).join(' | '));
  const more = run.rows.length > shownRows ? [`… ${run.rows.length - shownRows} more`] : [];
  return lines.length === 0 ? 'No rows.' : [...lines, ...more].join('\n');
}

function checksOf(runs: QueryRuns, right: readonly ReturnType<typeof evaluateQuery>[]): CheckResult[] {
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

/** The query in an answer: a fenced block, or the whole. */
function statementIn(answer: string): string {
  return (fencedBlock(answer)?.text ?? answer).trim();
}

function screen({ last }: SqlState): UiNode {
  if (last === null) return { role: 'page', name: 'No query was run yet' };
  return lastTryScreen({ what: 'query', text: last.query, result: last.result });
}
