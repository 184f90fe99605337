import { describe, expect, it } from 'vitest';
import type { Action } from '../../core/action.ts';
import { createManualClock } from '../../core/clock.ts';
import { createRandom } from '../../core/random.ts';
import type { Task } from '../../core/records.ts';
import { admitWorld } from '../../forge/admission/world-ladder.ts';
import { checkLaws } from '../../worlds/laws.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { isLong } from '../../../test/long-form.ts';
import { findCodeSandbox } from '../code/sandbox/find-sandbox.ts';
import { createProgramRunner } from '../code/sandbox/run-program.ts';
import { repairFault, sqlBaselines, visibleRowsText } from './baselines.ts';
import { drawData, drawSchema, rowsText, tablesText, type Data } from './database.ts';
import { evaluateQuery } from './evaluate.ts';
import { faults } from './faults.ts';
import { hiddenData, sameRows } from './hidden-data.ts';
import { drawQuery, queryText } from './query.ts';
import { drawRepair, trustedRows, visibleData } from './repair.ts';
import { runQuery, type QueryRun } from './run-query.ts';
import { createSqlEnvironment, readRepair } from './sql-environment.ts';

const environment = createSqlEnvironment();
const runner = createProgramRunner(findCodeSandbox());
const planner = createPlanner({ clock: createManualClock() });

function verdictOf(task: Task, answer: string) {
  const session = environment.open(task);
  session.step({ kind: 'finish', answer });
  return session.verify();
}

describe('queries', () => {
  it('[SQL-1] give the rows that a second evaluation gives, with and without mistakes', () => {
    for (let seed = 0; seed < (isLong ? 300 : 60); seed++) {
      const random = createRandom(`queries ${seed}`);
      const schema = drawSchema(random);
      const right = drawQuery(schema, random);
      const query = random.chance(0.5) ? (random.pick(faults).apply(right, random, schema) ?? right) : right;
      const data = drawData(schema, random);
      const text = queryText(schema, query);
      expect({ text, rows: trustedRows(schema, data, text) }).toEqual({ text, rows: evaluateQuery(query, data) });
    }
  });

  it('[SQL-1] are broken by every kind of mistake, and each shows', () => {
    const kinds = new Set<string>();
    for (let seed = 0; seed < (isLong ? 120 : 30); seed++) {
      const repair = drawRepair(createRandom(`kinds ${seed}`), 1 + (seed % 3), `kinds ${seed}`);
      if (repair === null) throw new Error('no repair');
      for (const kind of repair.faults) kinds.add(kind);
      const [right, broken] = [repair.query, repair.broken].map(query => evaluateQuery(query, visibleData(repair)));
      expect(right).not.toEqual(broken);
      expect(
        hiddenData(repair).some(
          data => !sameRows(evaluateQuery(repair.query, data), evaluateQuery(repair.broken, data)),
        ),
      ).toBe(true);
    }
    // A few repairs do not show every kind.
    expect(kinds.size).toBeGreaterThanOrEqual(isLong ? faults.length : faults.length / 2);
  });
});

describe('hidden data', () => {
  it('[SQL-5] tells the right query from every wrong one that differs on a fresh data set', () => {
    for (let seed = 0; seed < 12; seed++) {
      const repair = drawRepair(createRandom(`near ${seed}`), 1 + (seed % 3), `near ${seed}`);
      if (repair === null) throw new Error('no repair');
      const { query, broken, schema } = repair;
      const parts = Object.keys(query).filter(
        part => JSON.stringify(query[part as 'join']) !== JSON.stringify(broken[part as 'join']),
      );
      const partly = parts.map(part => ({ ...query, [part]: broken[part as 'join'] }));
      const random = createRandom(`near ${seed} mistakes`);
      const single = faults.flatMap(fault => Array.from({ length: 4 }, () => fault.apply(query, random, schema) ?? []));
      const hidden = hiddenData(repair);
      const differs = (wrong: typeof query, sets: readonly Data[]): boolean =>
        sets.some(data => !sameRows(evaluateQuery(wrong, data), evaluateQuery(query, data)));
      // Mistakes that show so seldom that a pool of 200 sets may miss them are left out.
      const fresh = Array.from({ length: 60 }, () => drawData(schema, random));
      const often = (wrong: typeof query): boolean => fresh.filter(data => differs(wrong, [data])).length > 3;
      for (const wrong of partly) expect({ seed, wrong, fails: differs(wrong, hidden) }).toMatchObject({ fails: true });
      for (const wrong of single.flat().filter(often))
        expect({ seed, wrong, fails: differs(wrong, hidden) }).toMatchObject({ fails: true });
    }
  });

  it('[SQL-31] tells the right query from one in another order, and from one that is cut off', () => {
    for (let seed = 0; seed < 12; seed++) {
      const repair = drawRepair(createRandom(`order ${seed}`), 1, `order ${seed}`);
      if (repair === null) throw new Error('no repair');
      const { query, schema } = repair;
      const text = queryText(schema, query);
      const wrongs = [
        text.replace(/ORDER BY .*/, 'ORDER BY 1'),
        text.replace(/(ORDER BY result \w+, \S+) ASC/, '$1 DESC'),
        ...(query.limit === null ? [`${text}\nLIMIT 3`] : []),
      ];
      const differs = (wrong: string, data: Data): boolean =>
        !sameRows(trustedRows(schema, data, wrong), evaluateQuery(query, data));
      const random = createRandom(`order ${seed} fresh`);
      const fresh = Array.from({ length: 60 }, () => drawData(schema, random));
      const hidden = hiddenData(repair);
      for (const wrong of wrongs.filter(one => fresh.filter(data => differs(one, data)).length > 3))
        expect({ seed, wrong, fails: hidden.some(data => differs(wrong, data)) }).toMatchObject({ fails: true });
    }
  });

  it('[SQL-1] plants no mistake that changes nothing', () => {
    for (let seed = 0; seed < 200; seed++) {
      const random = createRandom(`idle ${seed}`);
      const schema = drawSchema(random);
      const query = drawQuery(schema, random);
      if (query.aggregate.kind !== 'min' && query.aggregate.kind !== 'max') continue;
      const distinct = faults.find(({ kind }) => kind === 'wrong-distinct');
      expect(distinct?.apply(query, random, schema)).toBeNull();
    }
  });
});

describe('sql:repair', () => {
  const task = environment.task('two-faults', 3) as Task;
  const repair = readRepair(task);
  const right = queryText(repair.schema, repair.query);

  it('[SQL-2] passes a repaired query, also one in other words', () => {
    expect(verdictOf(task, right)).toMatchObject({ pass: true, progress: 1 });
    expect(verdictOf(task, `Here it is:\n\`\`\`sql\nSELECT * FROM (${right}) AS inside\n\`\`\``).pass).toBe(true);
  });

  it.each([
    ['the broken query', queryText(repair.schema, repair.broken)],
    ['the visible rows by heart', visibleRowsText(repair)],
    ['nothing', ''],
    ['no SQL', 'I cannot repair this.'],
    ['two statements', `DELETE FROM ${repair.schema.child.table}; ${right}`],
    ['a statement after the right one', `${right}; DROP TABLE ${repair.schema.child.table}`],
    ['a query without end', 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n'],
    ['a text of a gigabyte', 'SELECT hex(zeroblob(1000000000))'],
    ['another file', "ATTACH '/etc/passwd' AS p"],
  ])('[SQL-2] fails %s', (_what, answer) => {
    expect(verdictOf(task, answer).pass).toBe(false);
  });

  it('[SQL-30] does not take an infinite number for a value that is not known', () => {
    const [run] = runQuery(runner, 'SELECT NULL, 9e999, -9e999', ['']) as readonly QueryRun[];
    expect(run?.rows).toEqual([[null, 'Infinity', '-Infinity']]);
  });

  it('[CODE-30] reads an answer of many fences at once', () => {
    const begun = performance.now();
    const { initial, verify } = environment.verifier(task);
    expect(verify(initial, { answer: '`'.repeat(200_000), infeasible: false })).toMatchObject({ pass: false });
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  it('[SQL-2] says that one statement is expected; a comment and a semicolon after it do not count', () => {
    const session = environment.open(task);
    const query = `${right}; DROP TABLE ${repair.schema.child.table}`;
    const outcome = session.step({ kind: 'call', tool: 'run_query', input: { query } });
    expect(String(outcome.result)).toContain('Expected one statement');
    expect(verdictOf(task, `${right}; -- done\n/* repaired */`).pass).toBe(true);
  });

  it('[SQL-3] restores the database after each run, and fails a query that changes it', () => {
    const { schema } = repair;
    const fill = (data: Data): string => `${tablesText(schema)}\n${rowsText(schema, data)}`;
    const change = `DELETE FROM ${schema.child.table} RETURNING id`;
    const runs = runQuery(runner, change, [fill(visibleData(repair))]);
    expect(runs).toMatchObject([{ error: null, changed: true, restored: true }]);
    expect(runQuery(runner, 'COMMIT', [fill(visibleData(repair))])).toMatchObject([{ changed: false, restored: true }]);
    expect(verdictOf(task, change).checks).toContainEqual(
      expect.objectContaining({ id: 'changes-nothing', pass: false }),
    );
    const session = environment.open(task);
    const [first, second] = [right, right].map(query =>
      session.step({ kind: 'call', tool: 'run_query', input: { query } }),
    );
    session.step({ kind: 'call', tool: 'run_query', input: { query: change } });
    expect(session.step({ kind: 'call', tool: 'run_query', input: { query: right } })).toEqual(first);
    expect(second).toEqual(first);
    expect(String(first?.result)).toContain('|');
  });

  it('[SQL-4] runs the queries of episodes in the background, with the same results', async () => {
    const [blocking, waiting] = [environment.open(task), createSqlEnvironment().open(task)];
    const background = waiting.background as NonNullable<typeof waiting.background>;
    const steps: readonly Action[] = [
      { kind: 'call', tool: 'run_query', input: { query: right } },
      { kind: 'call', tool: 'run_query', input: { query: 'SELECT' } },
      { kind: 'call', tool: 'no_such_tool', input: {} },
      { kind: 'finish', answer: right },
      { kind: 'finish', answer: right },
    ];
    for (const step of steps) expect(await background.step(step)).toEqual(blocking.step(step));
    // Timers fire while the verdict is worked out: nothing is blocked.
    let ticks = 0;
    const timer = setInterval(() => void ticks++, 5);
    const verdict = await background.verify();
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(1);
    expect(verdict).toEqual(blocking.verify());
    expect(verdict.pass).toBe(true);
    expect(waiting.digest()).toBe(blocking.digest());
  });

  it('[SQL-2] obeys the laws of environments', async () => {
    for (const result of await checkLaws(environment, { tasks: [environment.task('one-fault', 2)] }))
      expect(result).toMatchObject({ pass: true });
  });

  // A ladder runs several queries for each of twelve tasks.
  it.runIf(isLong)('[WORLD-1] climbs the ladder (long form)', () => {
    const options = { planner, templates: ['one-fault'], seeds: 4, baselines: sqlBaselines, fault: repairFault };
    for (const admission of admitWorld(environment, options)) expect(admission).toMatchObject({ admitted: true });
  });
});
