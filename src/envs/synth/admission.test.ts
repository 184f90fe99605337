import { expect, it } from 'vitest';
import { createManualClock } from '../../core/clock.ts';
import { admitTemplates } from '../../forge/admission/admission.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { createSynthApp } from './app/synth-app.ts';
import { synthSpec } from './generate/synth-spec.ts';

it('[SYN-7] templates of a made-up app climb the admission ladder', () => {
  const app = createSynthApp(synthSpec(17));
  const planner = createPlanner({ clock: createManualClock(), maxNodes: 800 });
  const fallen = [...admitTemplates(app, { planner, seeds: 3, tries: 60 })].filter(({ admitted }) => !admitted);
  expect(fallen).toEqual([]);
});
