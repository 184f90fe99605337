import type { StateSession } from '../../core/contracts.ts';
import type { Task } from '../../core/records.ts';
import { literal } from './database.ts';
import { evaluateQuery } from './evaluate.ts';
import { hiddenData, sameRows } from './hidden-data.ts';
import { queryText } from './query.ts';
import { visibleData, type Repair } from './repair.ts';
import { readRepair } from './sql-environment.ts';

/** Agents that repair nothing. */
export const sqlBaselines = [
  { name: 'the broken query', play: (session: StateSession) => finish(session, brokenText) },
  { name: 'the visible rows by heart', play: (session: StateSession) => finish(session, visibleRowsText) },
];

function finish(session: StateSession, answerOf: (repair: Repair) => string): void {
  session.step({ kind: 'finish', answer: answerOf(readRepair(session.task)) });
}

function brokenText({ schema, broken }: Repair): string {
  return queryText(schema, broken);
}

/** A query that gives the right result for the visible rows, and no other. */
export function visibleRowsText(repair: Repair): string {
  const rows = evaluateQuery(repair.query, visibleData(repair));
  return `VALUES ${rows.map(row => `(${row.map(literal).join(', ')})`).join(', ')}`;
}

/** What is wrong with a task: its hidden data must tell the broken query from the right one. */
export function repairFault(task: Task): string | null {
  const repair = readRepair(task);
  const isTold = hiddenData(repair).some(
    data => !sameRows(evaluateQuery(repair.query, data), evaluateQuery(repair.broken, data)),
  );
  return isTold ? null : 'no hidden data tells the broken query from the right one';
}
