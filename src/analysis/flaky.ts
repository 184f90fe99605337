import { failedChecks } from '../core/check-ids.ts';
import type { EpisodeRecord } from '../core/episode/record.ts';
import type { Verdict } from '../core/records.ts';

/** A path that was walked, and what the verifier said at its end. */
export interface WalkedPath {
  readonly run: string;
  readonly episode: string;
  readonly task: string;
  readonly template: string;
  /** The task as it was: two with the same are the same task. */
  readonly seal: string;
  /** Every action, in order. */
  readonly actions: string;
  readonly lastAction: string;
  /** Digests of all states on the way. */
  readonly states: string;
  readonly end: string;
  readonly verdict: string;
}

/** Who disagrees with itself. */
export interface Flaky {
  /** The verifier says two things of one state; or the world answers the same actions in two ways. */
  readonly side: 'verifier' | 'world';
  readonly task: string;
  readonly template: string;
  /** What came out twice, and differed. */
  readonly what: string;
  /** Two that differ: recorded, and recorded again or replayed. */
  readonly expected: string;
  readonly got: string;
  readonly run: string;
  readonly episode: string;
}

/** Where an episode ended, if it was verified there. */
export function walkedPath(record: EpisodeRecord): WalkedPath | null {
  const { head, tree, end } = record;
  if (end.verdict === null) return null;
  const steps = tree.path(end.leaf);
  return {
    run: head.run,
    episode: head.key,
    task: head.task.id,
    template: `${head.task.environment}/${head.task.template}`,
    seal: head.task.seal,
    actions: JSON.stringify(steps.map(({ action }) => action)),
    lastAction: JSON.stringify(steps.at(-1)?.action ?? null),
    states: [tree.root, ...steps.map(({ after }) => after)].join(' '),
    end: steps.at(-1)?.after ?? tree.root,
    verdict: verdictText(end.verdict, head.task.parameters),
  };
}

/** `failed: is-lent, clean`. */
function verdictText(verdict: Verdict, parameters: EpisodeRecord['head']['task']['parameters']): string {
  const failed = failedChecks(verdict, parameters);
  return verdict.pass ? 'passed' : `failed: ${failed.toSorted().join(', ') || 'without a reason'}`;
}

/** Recorded episodes that contradict each other: the same task and actions, and another state or another verdict. */
export function contradictions(paths: readonly WalkedPath[]): readonly Flaky[] {
  const found: Flaky[] = [];
  for (const same of Map.groupBy(paths, ({ seal, actions }) => `${seal} ${actions}`).values()) {
    const [first, other] = [same[0] as WalkedPath, same.find(({ states }) => states !== same[0]?.states)];
    if (other !== undefined)
      found.push({ ...placeOf(other), side: 'world', what: 'states', ...differing(first.states, other.states) });
  }
  // The answer is a part of the last action: a state with another answer is another end.
  for (const same of Map.groupBy(paths, ({ seal, end, lastAction }) => `${seal} ${end} ${lastAction}`).values()) {
    const [first, other] = [same[0] as WalkedPath, same.find(({ verdict }) => verdict !== same[0]?.verdict)];
    if (other !== undefined)
      found.push({ ...placeOf(other), side: 'verifier', what: 'verdict', expected: first.verdict, got: other.verdict });
  }
  return found;
}

function placeOf({ run, episode, task, template }: WalkedPath): Pick<Flaky, 'run' | 'episode' | 'task' | 'template'> {
  return { run, episode, task, template };
}

/** The first state that differs. */
function differing(one: string, other: string): Pick<Flaky, 'expected' | 'got'> {
  const [left, right] = [one.split(' '), other.split(' ')];
  const at = left.findIndex((digest, index) => digest !== right[index]);
  return { expected: `step ${at}: ${left[at]}`, got: `step ${at}: ${right[at] ?? 'none'}` };
}
