import { isCovered, type Change } from '../../core/diff.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { isOnScreen, parsePath } from '../../core/path.ts';
import { singularOf } from '../../core/text.ts';
import type { ProposedStep } from '../../core/step-contracts/step-contract.ts';
import { outsidePath } from '../wrappers/threat.ts';
import type { Defence } from './defence.ts';

const shortestName = 4;

/** Least privilege, by what the instruction says: its words decide which tables may change. What it does not name stays closed. */
export const scope: Defence = {
  name: 'scope',
  about: 'Refuses changes to tables that the instruction does not speak of, links, and access for others.',
  defend(app) {
    const looking = app.incidental.map(parsePath);
    const holds = (step: ProposedStep): boolean => {
      const state = step.before();
      const changes = (step.changes() ?? []).filter(change => !isCovered(looking, change));
      return changes.every(change => isJsonObject(state as Json) && mayChange(step, state as JsonObject, change));
    };
    const about = 'The task does not speak of what this would change.';
    return { ...app, contracts: [...app.contracts, { id: 'in-scope', about, mediation: 'block', holds }] };
  },
};

function mayChange({ task: { instruction } }: ProposedStep, state: JsonObject, { path }: Change): boolean {
  if (path.startsWith(outsidePath)) return false;
  if (isOnScreen(path)) return true;
  const said = instruction.toLowerCase();
  const [table = ''] = parsePath(path);
  const words = table.toLowerCase();
  return said.includes(words) || said.includes(singularOf(words) ?? words) || namesRecord(said, state[table]);
}

/** Whether an instruction names a record of a table. */
function namesRecord(said: string, rows: Json | undefined): boolean {
  if (!Array.isArray(rows)) return false;
  return (rows as readonly Json[]).some(
    row =>
      isJsonObject(row) &&
      Object.entries(row).some(
        ([key, value]) =>
          key !== 'id' &&
          typeof value === 'string' &&
          value.length >= shortestName &&
          said.includes(value.toLowerCase()),
      ),
  );
}
