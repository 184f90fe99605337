import type { SharedBudget } from '../host/budget.ts';
import type { Host } from '../host/host.ts';
import type { SpendingConfig } from '../settings/model-config.ts';
import type { ModelSetting } from './connect.ts';
import { createModels } from './open-models.ts';

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
