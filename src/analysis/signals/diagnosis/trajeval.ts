import { targetOf } from '../quality/intents.ts';
import type { GroupAnnotation, GroupMember, GroupPart, Signal } from '../signal.ts';

/** What an episode touched, by stage: states that it opened, records that it looked at, descriptions that changed something. */
interface Profile {
  readonly search: readonly string[];
  readonly read: readonly string[];
  readonly edit: readonly string[];
  readonly passed: boolean;
}

const stages = ['search', 'read', 'edit'] as const;

/** TRAJEVAL: precision and recall of what an episode touched against the shortest passing episode of its task. */
export const trajeval: Signal = {
  name: 'trajeval',
  about:
    'TRAJEVAL: precision and recall of states opened, records read and edits made, against a passing run of the task.',
  labels: Object.fromEntries([
    ...stages.flatMap(stage => [
      [`${stage}-precision`, 'episode' as const],
      [`${stage}-recall`, 'episode' as const],
    ]),
    ['no-reference', 'group' as const],
  ]),
  annotate: () => [],
  group: {
    profile: (_episode, { main, description, passed }): Profile => ({
      search: [...new Set(main.map(({ after }) => after))],
      read: [...new Set(main.map(step => targetOf(description(step))).filter(target => target !== null))],
      edit: [...new Set(main.filter(step => step.after !== step.before).map(description))],
      passed: passed === true,
    }),
    compare: members => compare(members as readonly GroupMember<Profile>[]),
  } satisfies GroupPart,
};

function* compare(members: readonly GroupMember<Profile>[]): Iterable<GroupAnnotation> {
  const passing = members.filter(({ profile }) => profile.passed);
  const [reference] = passing.toSorted((one, other) => one.profile.edit.length - other.profile.edit.length);
  if (reference === undefined) {
    yield { episode: null, node: null, label: 'no-reference', note: 'no episode of the task passed' };
    return;
  }
  for (const { episode, profile } of members)
    for (const stage of stages) {
      const { precision, recall } = precisionAndRecall(profile[stage], reference.profile[stage]);
      const said = { episode, node: null } as const;
      if (precision !== null) yield { ...said, label: `${stage}-precision`, value: precision };
      if (recall !== null) yield { ...said, label: `${stage}-recall`, value: recall };
    }
}

/** Null where there is nothing to divide by. */
export function precisionAndRecall(
  touched: readonly string[],
  reference: readonly string[],
): { readonly precision: number | null; readonly recall: number | null } {
  const wanted = new Set(reference);
  const hits = touched.filter(one => wanted.has(one)).length;
  return {
    precision: touched.length === 0 ? null : hits / touched.length,
    recall: reference.length === 0 ? null : hits / reference.length,
  };
}
