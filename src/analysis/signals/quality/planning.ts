import type { TreeNode } from '../../../core/tree.ts';
import type { GroupAnnotation, GroupMember, GroupPart, Signal } from '../signal.ts';
import { isStall } from '../trace.ts';

interface Profile {
  /** Elements that the steps of the main path acted on. */
  readonly targets: readonly string[];
  readonly passed: boolean;
}

/**
 * AI-Planning: what a path says of the plan behind it, beside its verdict. The published text names element accuracy; the other
 * definitions are ours. Shares of the main path: steps that were applied and changed something, steps that do again what was
 * done in the same state, setbacks after which the next step changed something, checks that hold; and elements that a passing
 * episode of the task acted on, too.
 */
export const planning: Signal = {
  name: 'planning',
  about: 'AI-Planning: step success, repetition, recovery, partial success and element accuracy of an episode.',
  labels: {
    'step-success': 'episode',
    repetition: 'episode',
    recovery: 'episode',
    'partial-success': 'episode',
    'element-accuracy': 'episode',
    'no-reference': 'group',
  },
  *annotate({ end }, { main, description }) {
    if (main.length === 0) return;
    const whole = (label: string, value: number) => ({ node: null, label, value });
    const isGood = (step: TreeNode): boolean => step.outcome.applied && !isStall(step);
    yield whole('step-success', main.filter(isGood).length / main.length);
    const seen = new Set<string>();
    const repeated = main.filter(step => {
      const key = `${step.before} ${description(step)}`;
      return seen.size === seen.add(key).size;
    });
    yield whole('repetition', repeated.length / main.length);
    const setbacks = main.slice(0, -1).flatMap((step, at) => (isGood(step) ? [] : [main[at + 1] as TreeNode]));
    if (setbacks.length > 0) yield whole('recovery', setbacks.filter(isGood).length / setbacks.length);
    if (end.verdict !== null) yield whole('partial-success', end.verdict.progress);
  },
  group: {
    profile: (_episode, { main, description, passed }): Profile => ({
      targets: main.filter(({ action }) => action.kind !== 'finish').map(step => elementOf(description(step))),
      passed: passed === true,
    }),
    compare: members => compare(members as readonly GroupMember<Profile>[]),
  } satisfies GroupPart,
};

/** What a step acts on, without what it enters there. */
function elementOf(description: string): string {
  return description.replace(/ with ".*"$/, '').replace(/^select ".*" for /, 'select ');
}

function* compare(members: readonly GroupMember<Profile>[]): Iterable<GroupAnnotation> {
  const passing = members.filter(({ profile }) => profile.passed);
  if (passing.length === 0) {
    yield { episode: null, node: null, label: 'no-reference', note: 'no episode of the task passed' };
    return;
  }
  for (const { episode, profile } of members) {
    // An episode is compared with others where there are any, else with itself.
    const others = passing.filter(other => other.episode !== episode);
    const right = new Set((others.length > 0 ? others : passing).flatMap(other => other.profile.targets));
    const hits = profile.targets.filter(target => right.has(target)).length;
    if (profile.targets.length > 0)
      yield { episode, node: null, label: 'element-accuracy', value: hits / profile.targets.length };
  }
}
