import { z } from 'zod';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { SignKind } from './diagnosis/signs.ts';
import { localise } from './localise.ts';

/** Why episodes failed, by cause. */
export const failureCauseSchema = z.strictObject({
  /** `unseen-value`, or `discarded: deadline`. */
  cause: z.string(),
  count: z.int().positive(),
  /** Episodes that did not pass. */
  of: z.int().positive(),
  example: z.strictObject({ episode: z.string(), reason: z.string() }),
  /** What to do about it, in a sentence. */
  advice: z.string(),
});
export type FailureCause = z.infer<typeof failureCauseSchema>;

type AgentCause = SignKind | 'infrastructure' | 'irrecoverable' | 'detour' | 'premature-end' | 'unknown';

const adviceFor: Readonly<Record<AgentCause, string>> = {
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

/** What to do where an episode was given up or broke before it was verified, by its reason. */
const adviceForReason: Readonly<Record<string, string>> = {
  abandoned: 'Nobody drove the episode any more. Look why the client went away, and run it again.',
  deadline: 'Not the agent alone: give the episode more time, or look what was slow.',
  'no verdict': 'The session ended before it was verified. Ask for the verdict before the client hangs up.',
  'out of interventions': 'The teacher corrected as often as it may. Raise its budget, or collect easier tasks first.',
  'out of reviews': 'The teacher reviewed as often as it may. Raise its budget, or review longer branches.',
  'no correction':
    'The teacher knew no way on from there. Look at the state: the task may be lost, or the teacher too weak.',
  'same target three times': 'The student came back to a step that was rejected. Train on the corrections so far.',
  'left unfinished': 'A person left the task.',
};
const otherReason =
  'The episode was given up before it was verified, so it says little of the agent. Look at the example.';

function adviceOf(cause: string): string {
  const [kind = '', reason = ''] = cause.split(': ', 2);
  if (kind === 'discarded') return adviceForReason[reason] ?? otherReason;
  if (kind === 'infrastructure') return adviceForReason[reason] ?? adviceFor.infrastructure;
  return adviceFor[cause as AgentCause];
}

/** Why an episode did not pass: a word that reports group by, and a sentence. */
export interface Failure {
  readonly cause: string;
  readonly reason: string;
}

/** Null for an episode that passed. What was given up or broke was never verified: its reason is its cause. */
export function failureOf(episode: EpisodeRecord): Failure | null {
  const { outcome, reason, boundary, message } = episode.end;
  if (outcome === 'passed') return null;
  if (outcome === 'discarded')
    return { cause: `discarded: ${reason ?? 'no reason given'}`, reason: givenUpText(episode) };
  if (outcome === 'errored')
    return {
      cause: reason === null ? 'infrastructure' : `infrastructure: ${reason}`,
      reason: `The ${boundary ?? 'run'} broke: ${(message ?? 'it did not say why').replace(/\.+$/, '')}.`,
    };
  const wrong = localise(episode);
  return {
    cause: wrong?.cause ?? 'unknown',
    reason: wrong?.reason ?? 'Its last state passes, but it was not counted.',
  };
}

function givenUpText({ end: { reason, leaf } }: EpisodeRecord): string {
  const place = leaf === 0 ? 'before the first step' : `after step ${leaf}`;
  return `Given up ${place}: ${reason ?? 'no reason given'}.`;
}

/** Why episodes did not pass: the most frequent cause first, with an example and what to do about it. */
export function countCauses(episodes: Iterable<EpisodeRecord>): readonly FailureCause[] {
  const found = new Map<string, { count: number; example: FailureCause['example'] }>();
  let of = 0;
  for (const episode of episodes) {
    const wrong = failureOf(episode);
    if (wrong === null) continue;
    of++;
    const known = found.get(wrong.cause);
    if (known === undefined)
      found.set(wrong.cause, { count: 1, example: { episode: episode.head.key, reason: wrong.reason } });
    else known.count++;
  }
  return [...found]
    .map(([cause, { count, example }]) => ({ cause, count, of, example, advice: adviceOf(cause) }))
    .toSorted((one, other) => other.count - one.count || (one.cause < other.cause ? -1 : 1));
}
