import type { Planner } from '../../core/contracts.ts';
import { causeText } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Admission } from '../../worlds/admission.ts';
import type { App } from '../../worlds/app/app.ts';
import { varyApp } from '../../worlds/wrappers/variation.ts';
import { createWorld } from '../../worlds/world.ts';
import type { AdmissionContext, Rejection } from './admission-context.ts';
import { rungs } from './rungs.ts';

export interface AdmissionOptions {
  readonly planner: Planner;
  /** Instances tried of each template; at least three, so that a script has others to fail on. */
  readonly seeds?: number;
  /** Runs of each template to try when looking for wrong ones that pass; more find more. */
  readonly tries?: number;
  /** Only these templates; all when absent. */
  readonly templates?: readonly string[];
}

const defaultTries = 600;

/** Sends each template up the admission ladder; the first rung that does not hold rejects it. */
export function* admitTemplates<S extends JsonObject>(app: App<S>, options: AdmissionOptions): Generator<Admission> {
  const environment = createWorld(app);
  const others: AdmissionContext[] = [];
  for (const { id } of environment.templates) {
    if (options.templates !== undefined && !options.templates.includes(id)) continue;
    const context: AdmissionContext = {
      environment,
      varied: seed => createWorld(varyApp(app, { seed, labels: true, order: true })),
      template: id,
      planner: options.planner,
      seeds: Array.from({ length: Math.max(3, options.seeds ?? 6) }, (_, index) => index + 1),
      tries: options.tries ?? defaultTries,
      tasks: [],
      solved: [],
      others,
    };
    const admission = climbLadder(context);
    if (admission.admitted) others.push(context);
    yield admission;
  }
}

function climbLadder(context: AdmissionContext): Admission {
  const { template } = context;
  for (const { name, law, check: hold } of rungs) {
    const fell = attempt(() => hold(context));
    if (fell === null) continue;
    const { law: broken, detail } = typeof fell === 'string' ? { law, detail: fell } : fell;
    return { template, admitted: false, rung: name, law: broken, detail };
  }
  const detail = `${context.tasks.length} instances${stepsTaken(context)}`;
  return { template, admitted: true, rung: null, law: null, detail };
}

function stepsTaken({ solved }: AdmissionContext): string {
  if (solved.length === 0) return '';
  const lengths = solved.map(({ actions }) => actions.length);
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
  return shortest === longest
    ? `, ${longest} ${longest === 1 ? 'step' : 'steps'}`
    : `, ${shortest} to ${longest} steps`;
}

function attempt(work: () => string | Rejection | null): string | Rejection | null {
  try {
    return work();
  } catch (cause) {
    return causeText(cause);
  }
}
