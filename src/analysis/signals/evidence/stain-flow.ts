import type { EpisodeRecord } from '../../../core/episode/record.ts';
import { scalars } from '../../../core/json.ts';
import type { TreeNode } from '../../../core/tree.ts';
import type { Annotation, Signal } from '../signal.ts';
import type { Trace } from '../trace.ts';

/** How far a run has come with an entity of the task. */
const entityStates = ['unseen', 'observed', 'referenced', 'bound', 'committed'] as const;
type EntityState = (typeof entityStates)[number];

/** What is left of a concentration after each step without new evidence. */
const decay = 0.8;
/** Where an entity stands on a screen, in a step and in what it entered: how much each tells. */
const weights = { screen: 1, description: 2, entered: 3 } as const;
const total = weights.screen + weights.description + weights.entered;
/** Steps in which an entity has at least this concentration are evidence for it. */
const evidenceFrom = 0.15;

/**
 * StainFlow: entities of the task (names, ids, amounts) followed through screens and steps. Phases change where the state of an
 * entity changes; such steps are key nodes, and the reward of a step is the share of entities that it commits. Formulas are ours.
 */
export const stainFlow: Signal = {
  name: 'stain-flow',
  about:
    'StainFlow: entities of the task followed through the run: phases, key steps, evidence windows, process reward.',
  labels: {
    key: 'step',
    reward: 'step',
    window: 'step',
    phases: 'episode',
    committed: 'episode',
    'no-entities': 'episode',
  },
  *annotate(episode, trace) {
    const entities = entitiesOf(episode);
    if (entities.length === 0) {
      yield { node: null, label: 'no-entities', note: 'the task names no value to follow' };
      return;
    }
    yield* follow(trace, entities);
  },
};

/** Values of the task that its instruction names. */
export function entitiesOf({ head: { task } }: Pick<EpisodeRecord, 'head'>): readonly string[] {
  const instruction = task.instruction.toLowerCase();
  const named = scalars(task.parameters).map(value => String(value).toLowerCase());
  const quoted = [...instruction.matchAll(/"([^"]{2,})"/g)].map(match => match[1] as string);
  const all = [...named, ...quoted].filter(value => value.length > 2 && instruction.includes(value));
  return [...new Set(all)].toSorted();
}

function* follow(trace: Trace, entities: readonly string[]): Iterable<Annotation> {
  const states = new Map<string, EntityState>(entities.map(entity => [entity, 'unseen']));
  const concentrations = new Map<string, number>(entities.map(entity => [entity, 0]));
  let phases = 1;
  for (const step of trace.main) {
    const changed: string[] = [];
    const seen = {
      screen: trace.screen(step),
      description: trace.description(step).toLowerCase(),
      entered: enteredBy(step),
    };
    let committed = 0;
    for (const entity of entities) {
      const stains = stainsOf(entity, seen);
      concentrations.set(entity, Math.max(stains, decay * (concentrations.get(entity) as number)));
      const before = states.get(entity) as EntityState;
      const after = advance(before, { entity, seen, step });
      if (after === before) continue;
      states.set(entity, after);
      changed.push(`${entity} ${after}`);
      committed += Number(after === 'committed');
    }
    if (changed.length > 0) {
      phases++;
      yield { node: step.id, label: 'key', value: changed.length, note: changed.join(', ') };
    }
    yield { node: step.id, label: 'reward', value: committed / entities.length };
    const window = entities.filter(entity => (concentrations.get(entity) as number) >= evidenceFrom);
    if (window.length > 0) yield { node: step.id, label: 'window', value: window.length, note: window.join(', ') };
  }
  yield { node: null, label: 'phases', value: phases };
  const done = [...states.values()].filter(state => state === 'committed').length;
  yield { node: null, label: 'committed', value: done / entities.length };
}

interface Seen {
  readonly screen: string;
  readonly description: string;
  readonly entered: string;
}

/** Concentration of an entity in one step: the weights of the places that contain it, over all weights. */
export function stainsOf(entity: string, seen: Seen): number {
  let sum = 0;
  for (const place of ['screen', 'description', 'entered'] as const)
    if (seen[place].includes(entity)) sum += weights[place];
  return sum / total;
}

/** Observed on a screen, referenced by a step, bound by entering it or acting on it, committed when that changed the state. */
function advance(
  state: EntityState,
  { entity, seen, step }: { entity: string; seen: Seen; step: TreeNode },
): EntityState {
  const isDescribed = seen.description.includes(entity);
  const changes = step.before !== step.after && step.outcome.applied;
  let reached: EntityState = state;
  if (seen.screen.includes(entity)) reached = later(reached, 'observed');
  if (isDescribed) reached = later(reached, changes ? 'bound' : 'referenced');
  if (
    isDescribed &&
    changes &&
    (seen.entered.includes(entity) ||
      /^click (button|checkbox|switch|menuitem)/.test(seen.description) ||
      step.action.kind === 'call')
  )
    reached = 'committed';
  return reached;
}

function later(one: EntityState, other: EntityState): EntityState {
  return entityStates.indexOf(other) > entityStates.indexOf(one) ? other : one;
}

function enteredBy({ action }: TreeNode): string {
  if (action.kind === 'fill' || action.kind === 'type') return action.text.toLowerCase();
  if (action.kind === 'select') return action.option.toLowerCase();
  if (action.kind === 'call') return JSON.stringify(action.input).toLowerCase();
  return action.kind === 'finish' ? (action.answer ?? '').toLowerCase() : '';
}
