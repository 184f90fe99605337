import type { EspalierError } from '../../core/errors.ts';
import type { Budget, Reservation, Spent } from '../../models/endpoints/ledger.ts';

export type { Reservation, Spent };

/** The budget of a run that many machines work on, as one of them sees it. */
export interface SharedBudget extends Budget {
  /** An endpoint is gone, or the budget is: this machine asks nobody any more. */
  onStop(why: EspalierError): void;
}
