import { resolve } from 'node:path';
import type { Environment } from '../../core/contracts.ts';
import { invalidModule } from '../../core/errors.ts';
import { mediateSession, type StepContract } from '../../core/step-contracts/step-contract.ts';
import { wrapStateEnvironment } from '../../core/wrap-environment.ts';
import { importModule } from '../../modules/load-module.ts';

const mediations: ReadonlySet<unknown> = new Set(['block', 'ask', 'log']);

/** The contracts that a module of the user's exports. */
export async function loadContracts(file: string): Promise<readonly StepContract[]> {
  const { contracts } = await importModule(resolve(file));
  if (Array.isArray(contracts) && contracts.length > 0 && contracts.every(isContract)) return contracts;
  throw invalidModule(
    `The module ${file} exports no \`contracts\` that can be held.`,
    "Expected a list of { id, about, mediation: 'block' | 'ask' | 'log', holds(step) }.",
  );
}

function isContract(value: unknown): value is StepContract {
  if (typeof value !== 'object' || value === null) return false;
  const { id, about, mediation, holds } = value as Partial<Record<keyof StepContract, unknown>>;
  return (
    [id, about].every(text => typeof text === 'string') && mediations.has(mediation) && typeof holds === 'function'
  );
}

/** The environment with these contracts in front of every step of its sessions. */
export function holdContracts(environment: Environment, contracts: readonly StepContract[]): Environment {
  if (contracts.length === 0) return environment;
  return wrapStateEnvironment(environment, { opened: session => mediateSession(session, contracts) });
}
