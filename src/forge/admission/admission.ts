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

/** Rungs that start from a solution. */
const needSolutions: ReadonlySet<string> = new Set([
  'nearly-right states fail',
  'blind replay fails',
  'no wrong run passes',
]);

/** Sends each template up the admission ladder; the first rung that does not hold rejects it, and the others say what else does not. */
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
  const parts: Record<string, boolean | null> = {};
  let rejected: Admission | null = null;
  for (const { name, law, check: hold } of rungs) {
    // Without tasks nothing can be tried, and without a solution nothing that starts from one.
    const isTried = context.tasks.length > 0 || name === 'parses';
    const canBeTried = isTried && !(rejected !== null && needSolutions.has(name) && context.solved.length === 0);
    parts[name] = null;
    if (!canBeTried) continue;
    const reason = attempt(() => hold(context));
    parts[name] = reason === null;
    if (reason === null || rejected !== null) continue;
    const { law: broken, detail } = typeof reason === 'string' ? { law, detail: reason } : reason;
    rejected = { template, admitted: false, rung: name, law: broken, detail };
  }
  if (rejected !== null) return { ...rejected, parts };
  const detail = `${context.tasks.length} instances${stepsTaken(context)}`;
  return { template, admitted: true, rung: null, law: null, detail, parts };
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
