import type { SignKind } from '../diagnosis/signs.ts';
import type { MistakeKind } from './mistake.ts';

type AgentCause = SignKind | MistakeKind | 'infrastructure' | 'irrecoverable' | 'detour' | 'premature-end' | 'unknown';

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
  'not-reported-infeasible':
    'The agent does not notice that a task cannot be done. Collect more infeasible tasks; their share in training decides it.',
  'not-looked-up':
    'The agent ends before it opened the page that says it. Train on runs that open it first, and reject the early end.',
  'went-in-circles':
    'End such episodes early, and ask the teacher at the first step of the circle: speculative rollback does both.',
  'refused-and-not-mended':
    'The refusal says what was missing. Check that its text reaches the prompt, and train on corrections after refusals.',
  'wrong-value':
    'The agent copies the wrong part of the task, or into the wrong field. Collect more instances with other values of these fields.',
  'other-record': 'The agent takes another record than the task names. Collect more instances with similar records.',
  'record-never-seen':
    'The agent never explores the screen that has the record. Corrections at its first steps teach the way there.',
  'record-never-used':
    'The agent sees the record and passes it by. Corrections at that screen teach which element belongs to it.',
  'not-confirmed': 'The agent leaves a form without confirming it. Reject the end there: the correction is one click.',
  'out-of-steps': 'The agent needs more steps than it has. Raise --steps, or prefer shorter passing runs in training.',
  'entered-but-not-accepted':
    'Open the example: either a value went into another form or record than it should, or the check is wrong. The planner tells which: if it passes the template, the check is right.',
  'needed-step-missing':
    'The failed check names the step that is missing. Reject the end: the correction is that step.',
  'side-effect':
    'The agent changes what it should leave alone. Reject the step that does, or allow the path if the check is too strict.',
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

/** What to do about a cause, and the templates to begin with: only those for training. */
export function adviceOf(cause: string, trainable: readonly string[]): string {
  const [kind = '', reason = ''] = cause.split(': ', 2);
  if (kind === 'discarded') return adviceForReason[reason] ?? otherReason;
  if (kind === 'infrastructure') return adviceForReason[reason] ?? adviceFor.infrastructure;
  const advice = adviceFor[cause as AgentCause];
  return trainable.length === 0
    ? `${advice} These templates or worlds are held out: collect where the run trains, in templates that have such steps.`
    : `${advice} Begin with ${trainable.slice(0, 2).join(' and ')}.`;
}
