import { z } from 'zod';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { hash32 } from '../../core/random.ts';
import type { App } from '../app/app.ts';
import { wrapSteps } from './steps-on-screen.ts';
import { varyApp } from './variation.ts';

/** What each level of noise does. */
const noiseLevels = [
  { lost: 0, labels: false, order: false },
  { lost: 0.1, labels: true, order: false },
  { lost: 0.2, labels: true, order: true },
  { lost: 0.35, labels: true, order: true },
] as const;

const member = 'noise';
const notice = 'The server did not answer. Try again.';

/**
 * The app with the noise of a level, from 0 to 3: some steps are lost and have to be taken again, labels have other words,
 * and lists another order. What strikes depends on the data and the number of the step alone, so that a rollback meets the
 * same noise. A share of the tasks has it, drawn by their data; the others are as in the app itself. Nobody writes to the data
 * but the commands that run.
 */
export function withNoiseLevel<S extends JsonObject>(app: App<S>, level: number, share = 1): App<S> {
  const rates = noiseLevels[level];
  if (rates === undefined) throw noSuchLevel(level);
  if (level === 0) return app;
  const { lost, labels, order } = rates;
  const varied = varyApp(app, { seed: level, labels, order });
  const lossy = wrapSteps(varied, {
    member,
    schema: z.strictObject({ seed: z.int(), steps: z.int() }) as unknown as z.ZodType<Json>,
    start: { seed: 0, steps: 0 },
    around({ draft, memory, remember, run }) {
      const { seed, steps } = memory as { seed: number; steps: number };
      remember({ seed, steps: steps + 1 });
      if (!isStruck(seed, share) || !isLost({ seed, steps, rate: lost })) return run();
      app.onRefusal?.(draft, notice);
      return { error: notice };
    },
  });
  return {
    ...lossy,
    view: state => (isStruck(noiseIn(state), share) ? lossy : app).view(state),
    init(random) {
      const state = lossy.init(random);
      const seed = random.fork('noise').between(0, 2 ** 30);
      return { ...state, ui: { ...(state['ui'] as unknown as JsonObject), [member]: { seed, steps: 0 } } };
    },
  };
}

/** Whether the task with this seed has noise. */
function isStruck(seed: number, share: number): boolean {
  return hash32(`${seed} of those with noise`) / 2 ** 32 < share;
}

function noiseIn(state: JsonObject): number {
  return (state['ui'] as unknown as Record<typeof member, { readonly seed: number }>)[member].seed;
}

/** Never two steps in a row, so that trying again always helps. */
function isLost({ seed, steps, rate }: { seed: number; steps: number; rate: number }): boolean {
  const strikes = (step: number): boolean => hash32(`${seed} ${step}`) / 2 ** 32 < rate;
  return strikes(steps) && !(steps > 0 && strikes(steps - 1));
}

/** Pass rate from which a student goes on to the next level. */
const enough = 0.6;

/** The level to train on next: one more when the student passes most of this one. */
export function nextNoiseLevel(level: number, passRate: number): number {
  return passRate >= enough ? Math.min(level + 1, noiseLevels.length - 1) : level;
}

function noSuchLevel(level: number): EspalierError {
  return invalidOption(
    `There is no noise level ${level}.`,
    `Expected a whole number from 0 (none) to ${noiseLevels.length - 1}.`,
  );
}
