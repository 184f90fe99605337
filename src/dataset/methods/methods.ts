import type { Exporter } from '../rows/exporter.ts';
import { contrasts } from './contrasts.ts';
import { expertFailures } from './expert-failures.ts';
import { planSteps } from './plan-steps.ts';
import { plantedErrors } from './planted-errors.ts';
import { purified } from './purified.ts';
import { rectifications } from './rectifications.ts';
import { reflections } from './reflections.ts';
import { repairs } from './repairs.ts';
import { searchTraces } from './search-traces.ts';
import { skillDistillation } from './skill-distillation.ts';
import { stepPreferences } from './step-preferences.ts';
import { trajectoryPairs } from './trajectory-pairs.ts';
import { undoSteps } from './undo-steps.ts';
import { worldModel } from './world-model.ts';
import { grounding } from './grounding.ts';

/** Tables of published data methods, each written when it is asked for by name. */
export const methodTables: readonly Exporter[] = [
  stepPreferences,
  expertFailures,
  worldModel,
  grounding,
  reflections,
  purified,
  rectifications,
  contrasts,
  undoSteps,
  trajectoryPairs,
  searchTraces,
  planSteps,
  plantedErrors,
  repairs,
  skillDistillation,
];
