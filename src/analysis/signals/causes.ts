import { z } from 'zod';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { SignKind } from './diagnosis/signs.ts';
import { localise } from './localise.ts';

/** Why episodes failed, by cause. */
export const failureCauseSchema = z.strictObject({
  /** `unseen-value`. */
  cause: z.string(),
  count: z.int().positive(),
  /** Episodes that did not pass. */
  of: z.int().positive(),
  example: z.strictObject({ episode: z.string(), reason: z.string() }),
  /** What to do about it, in a sentence. */
  advice: z.string(),
});
export type FailureCause = z.infer<typeof failureCauseSchema>;

type Cause = SignKind | 'infrastructure' | 'irrecoverable' | 'detour' | 'premature-end' | 'unknown';

const adviceFor: Readonly<Record<Cause, string>> = {
  'invalid-action': 'Show the agent only actions that the screen offers, or train on the corrections of these steps.',
  'outside-role': 'List the tools and actions that the agent has in its prompt, and leave out those it has not.',
  'bad-parameter': 'Look at the refusal: say the expected format in the tool description or the label of the field.',
  'impossible-action': 'Collect with a teacher: the order of steps is what its corrections teach.',
  'unseen-value': 'The agent made a value up. Train on rows where values are copied from the task or the screen.',
  'off-target': 'The agent took another record than the task names. Collect more instances with similar records.',
  ambiguous: 'Several elements look the same. Give them names that tell them apart, or let the agent name the row.',
  'no-effect': 'Steps without effect: let a teacher reject them, or mask them with the signal grades.',
  'leads-back': 'The agent goes in circles. Collect with speculative rollback, or prefer shorter passing runs.',
  forgotten: 'The agent repeats what it did. Give it a longer history, or check that its history reaches the prompt.',
  repeat: 'The same action again and again: stop such episodes early and use the steps before as context only.',
  'ignored-refusal': 'The agent does not read refusals. Check that the text of the refusal is in its prompt.',
  'contradicts-thought': 'The action differs from the thought. Check the format in which actions are read.',
  'withheld-answer': 'The task asks for an answer. Say in the prompt that finish takes one.',
  'wrong-answer': 'The answer is wrong: collect with a teacher, and look whether the right screen was opened.',
  'gave-up': 'The agent gives up too early. Balance feasible and infeasible tasks in training.',
  'no-verification': 'The agent finishes without a look. Prefer passing runs that verify: --where "signal.lucky = 0".',
  'wrong-verification': 'The agent looked and did not see it. Its corrections at the end are the rows to train on.',
  'no-termination': 'The agent does not finish. Raise the step limit, or train on more endings.',
  infrastructure: 'Not the agent: repair what broke and run the episodes again.',
  irrecoverable: 'A step that cannot be undone. Ask a teacher before such steps: use K = 1 there.',
  detour: 'The agent leaves the way. Corrections from the state before that step teach the way back.',
  'premature-end': 'The agent finishes too early. Train on the steps that were left.',
  unknown: 'The record alone does not show why: espalier annotate --forks tries every state.',
};

/** Why episodes did not pass: the most frequent cause first, with an example and what to do about it. */
export function countCauses(episodes: Iterable<EpisodeRecord>): readonly FailureCause[] {
  const found = new Map<string, { count: number; example: FailureCause['example'] }>();
  let of = 0;
  for (const episode of episodes) {
    const wrong = localise(episode);
    if (wrong === null) continue;
    of++;
    const known = found.get(wrong.cause);
    if (known === undefined)
      found.set(wrong.cause, { count: 1, example: { episode: episode.head.key, reason: wrong.reason } });
    else known.count++;
  }
  return [...found]
    .map(([cause, { count, example }]) => ({ cause, count, of, example, advice: adviceFor[cause as Cause] }))
    .toSorted((one, other) => other.count - one.count || (one.cause < other.cause ? -1 : 1));
}
