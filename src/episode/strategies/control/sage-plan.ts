import { z } from 'zod';
import { describeStep } from '../../../core/episode/view.ts';
import type { TreeNode } from '../../../core/tree.ts';
import type { Episode } from '../../verbs/episode.ts';
import type { Usable } from '../../verbs/questions.ts';
import { createAttempts, type Attempt } from '../attempts.ts';
import { counting, defineStrategy } from '../definition.ts';
import { best } from '../judging.ts';
import { propose } from '../proposals.ts';
import { withoutDetours } from '../selection/se-agent.ts';
import { goTo, type Strategy } from '../strategy.ts';

interface SagePlanOptions {
  readonly tries: number;
  readonly width: number;
  readonly samples: number;
}

/** A plan: lines of steps to take, in order. Those that were taken are crossed out. */
interface Plan {
  readonly lines: string[];
}

/** A first try makes a plan: its steps without detours. The next try follows it where the student weighs its next step. */
function createSagePlan({ tries, ...asking }: SagePlanOptions): Strategy {
  return {
    name: `sage-plan-${tries}`,
    asksTeacher: false,
    limits: { leaves: tries },
    async run(episode) {
      const attempts = createAttempts(episode);
      await attempts.run();
      for (let made = 1; made < tries && attempts.mayBegin(); made++) {
        const plan = planOf(episode, best(attempts.made));
        const hint = `a plan from an earlier try: ${plan.lines.join('; ')}`;
        await goTo(episode, 0);
        await attempts.run({ hint, choose: cursor => underPlan(cursor, plan, { ...asking, hint }) }, 'planned');
      }
      return attempts.conclude(best(attempts.made));
    },
  };
}

function planOf({ tree }: Episode, { leaf, summary }: Attempt): Plan {
  return { lines: planLines(tree.path(leaf), summary.lines) };
}

/** The steps of an attempt that led on, as lines; its finish is left to the next try. */
export function planLines(path: readonly TreeNode[], lines: readonly string[]): string[] {
  const kept = new Set(withoutDetours(path).map(({ id }) => id));
  return path.flatMap(({ id, action }, at) => (kept.has(id) && action.kind !== 'finish' ? [lines[at] as string] : []));
}

interface Asking {
  readonly width: number;
  readonly samples: number;
  readonly hint: string;
}

/** The next line of the plan where the student weighs it, even if another action is likelier; else what the student would do. */
async function underPlan(episode: Episode, plan: Plan, asking: Asking): Promise<Usable | null> {
  const { text } = await episode.look();
  const { proposals } = await propose(episode, asking);
  const [next] = plan.lines;
  const planned = proposals.find(({ action }) => describeStep(action, text) === next);
  if (planned === undefined) return proposals[0] ?? null;
  plan.lines.shift();
  return planned;
}

export const sagePlan = defineStrategy({
  name: 'sage-plan',
  about: 'A first try makes a plan, its steps without detours; the next try follows it where the student weighs them.',
  asksTeacher: false,
  evaluates: true,
  options: z.object({
    tries: counting.default(2).describe('tries, the first included'),
    width: counting.default(6).describe('actions that are considered in a state'),
    samples: counting.default(1).describe('questions in a state, to a student that names one action only'),
  }),
  create: createSagePlan,
});
