import type { EpisodeRecord } from '../../../core/episode/record.ts';
import type { Annotation, Signal } from '../signal.ts';
import type { Trace } from '../trace.ts';

/** How many of something are how severe: 0, then 1 to 2, 3 to 4, and 5 or more. */
export function severityOf(count: number): 0 | 1 | 2 | 3 {
  if (count === 0) return 0;
  if (count <= 2) return 1;
  return count <= 4 ? 2 : 3;
}

export interface Findings {
  /** Share of the steps at which somebody corrected the agent. */
  readonly misalignment: number;
  readonly stagnation: number;
  readonly disengagement: number;
  /** How surely somebody was satisfied, from 0 to 1. */
  readonly satisfaction: number;
  readonly failure: number;
  readonly loops: number;
  readonly exhaustion: number;
}

/** Quality from 0 to 100, by the published weights. */
export function qualityOf(found: Findings): number {
  const stagnation = found.stagnation > 2 ? 8 * severityOf(found.stagnation) : 0;
  const value =
    50 +
    20 * found.satisfaction -
    10 * severityOf(found.disengagement) -
    (found.misalignment > 0.3 ? 15 : 0) -
    stagnation -
    8 * found.failure -
    5 * found.loops -
    3 * found.exhaustion;
  return Math.min(100, Math.max(0, value));
}

export function bucketOf(quality: number): 'excellent' | 'good' | 'neutral' | 'poor' | 'severe' {
  if (quality >= 75) return 'excellent';
  if (quality >= 60) return 'good';
  if (quality >= 40) return 'neutral';
  return quality >= 25 ? 'poor' : 'severe';
}

/** 1 up to the usual number of turns, then less with each further one. */
export function efficiencyOf(turns: number, usual: number): number {
  return turns <= usual ? 1 : 1 / (1 + 0.3 * (turns - usual));
}

/** So many equal calls in a row are a retry, so many changes of one parameter a drift, so many turns to and fro an oscillation. */
const retryLength = 3;

/** The seven model-free categories of Signals, with severities and a quality. */
export const conversation: Signal = {
  name: 'conversation',
  about:
    'Signals: misalignment, stagnation, disengagement, satisfaction, failure, loops, exhaustion; a quality of 0 to 100.',
  labels: {
    misalignment: 'episode',
    stagnation: 'episode',
    disengagement: 'episode',
    satisfaction: 'episode',
    failure: 'episode',
    retry: 'step',
    'parameter-drift': 'step',
    oscillation: 'step',
    exhaustion: 'episode',
    quality: 'episode',
    efficiency: 'episode',
  },
  *annotate(episode, trace) {
    const loops = [...loopsIn(trace)];
    yield* loops;
    const found = findingsOf(episode, trace, loops.length);
    for (const name of [
      'misalignment',
      'stagnation',
      'disengagement',
      'satisfaction',
      'failure',
      'exhaustion',
    ] as const)
      yield { node: null, label: name, value: found[name] };
    const quality = qualityOf(found);
    yield { node: null, label: 'quality', value: quality, note: bucketOf(quality) };
    yield {
      node: null,
      label: 'efficiency',
      value: efficiencyOf(trace.main.length, episode.head.task.budget.steps / 2),
    };
  },
};

function findingsOf({ reviews, end, calls }: EpisodeRecord, { main }: Trace, loops: number): Findings {
  const refused = main.filter(({ outcome }) => !outcome.applied).length;
  const idle = main.filter(step => step.before === step.after && step.outcome.end === undefined).length;
  const last = main.at(-1)?.action;
  const gaveUp = last?.kind === 'finish' && last.infeasible === true && end.verdict?.pass === false;
  return {
    misalignment: main.length === 0 ? 0 : reviews.filter(({ accept }) => !accept).length / main.length,
    stagnation: idle,
    disengagement: Number(gaveUp) + Number(end.outcome === 'discarded'),
    satisfaction: end.verdict?.pass === true ? 1 : 0,
    failure: refused,
    loops,
    exhaustion: Number(end.outcome === 'errored') + calls.filter(call => 'problem' in call).length,
  };
}

function* loopsIn({ main, description }: Trace): Iterable<Annotation> {
  const descriptions = main.map(description);
  const tools = main.map(({ action }) =>
    action.kind === 'call' ? action.tool : action.kind === 'fill' ? action.ref : null,
  );
  for (const [index, { id }] of main.entries()) {
    const row = rowLength(descriptions, index);
    if (row === retryLength) yield { node: id, label: 'retry', value: row };
    if (
      tools[index] !== null &&
      rowLength(tools, index) === retryLength &&
      new Set(descriptions.slice(index - 2, index + 1)).size === 3
    )
      yield { node: id, label: 'parameter-drift', value: retryLength };
    const cycle = descriptions.slice(Math.max(0, index - 5), index + 1);
    if (cycle.length === 6 && new Set(cycle).size === 2 && cycle.every((one, at) => one === cycle[at % 2]))
      yield { node: id, label: 'oscillation', value: 3 };
  }
}

function rowLength(values: readonly (string | null)[], end: number): number {
  let length = 1;
  while (end - length >= 0 && values[end - length] === values[end]) length++;
  return length;
}
