import type { EspalierError } from '../../core/errors.ts';
import type { Budget, Reservation, Spent } from '../../models/endpoints/ledger.ts';
import type { Host } from '../host/host.ts';
import type { SpendingConfig } from '../settings/model-config.ts';
import type { ModelSetting } from './connect.ts';
import { createModels } from './open-models.ts';

export type { Budget, Reservation, Spent };

/** The budget of a run that many machines work on, as one of them sees it. */
export interface SharedBudget extends Budget {
  /** An endpoint is gone, or the budget is: this machine asks nobody any more. */
  onStop(why: EspalierError): void;
}

/** The models of a run whose budget is kept elsewhere. */
export function openSharedModels(
  { clock, timers, variable, onNotice }: Host,
  spending: SpendingConfig,
  budget: SharedBudget,
): ModelSetting {
  const models = createModels({
    spending,
    folder: null,
    budget,
    clock,
    timers,
    readKey: variable,
    onNotice,
    onStop: budget.onStop,
  });
  return { models, hurry: new AbortController().signal };
}
