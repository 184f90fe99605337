import { describeAction, isBrowserAction, type Action } from '../../core/action.ts';
import type { ServedQuestion } from '../../core/chat/served.ts';
import type { StateEnvironment, StateSession } from '../../core/contracts.ts';
import type { BranchStates, BranchStep, Segment } from '../../core/episode/agents.ts';
import { describeStep, type View } from '../../core/episode/view.ts';
import { EspalierError } from '../../core/errors.ts';
import type { StepOutcome } from '../../core/records.ts';
import { RefusedError } from './served-policy.ts';

/** The situation in which a question is asked, with the states that a privileged agent may read. */
export interface QuestionContext {
  /** What an agent sees there. */
  readonly view: Omit<View, 'random'>;
  /** What a reviewer of the steps from there on sees. */
  readonly segment: Omit<Segment, 'random'>;
  /** From there on. */
  readonly states: BranchStates;
}

/** Opens the task and replays the steps, including those of the branch. */
export function contextOf(world: StateEnvironment, question: ServedQuestion): QuestionContext {
  const { task, path } = question;
  const start = opened(world, question);
  const walked = walk(start, [...path, ...(question.question === 'review' ? question.branch : [])]);
  const [before, branch] = [walked.steps.slice(0, path.length), walked.steps.slice(path.length)];
  const states = walked.states.slice(path.length) as [StateSession, ...StateSession[]];
  const last = states.at(-1) ?? start;
  const history = before.map(({ text }) => text);
  const { instruction } = task;
  return {
    view: { instruction, observation: states[0].observe(), history, path: before, tools: world.tools },
    segment: {
      instruction,
      context: history,
      path: before,
      visited: [...before.map(step => step.before), states[0].digest()],
      steps: branch,
      after: last.observe(),
      end: last.digest(),
      verdict: walked.end === 'terminated' ? last.verify() : null,
    },
    states: { at: index => (states[index] ?? last).fork() },
  };
}

function opened(world: StateEnvironment, { task }: ServedQuestion): StateSession {
  try {
    return world.open(task);
  } catch (cause) {
    if (cause instanceof EspalierError && cause.boundary === 'input') throw new RefusedError(cause.message);
    throw cause;
  }
}

interface Walk {
  readonly steps: readonly BranchStep[];
  /** One more than there are steps. */
  readonly states: readonly StateSession[];
  readonly end: StepOutcome['end'] | null;
}

/** Steps that were refused are refused again. The actor of each step is unknown here, and the planner does not need it. */
function walk(start: StateSession, actions: readonly Action[]): Walk {
  const session = start.fork();
  const states = [start];
  const steps: BranchStep[] = [];
  let end: Walk['end'] = null;
  for (const action of actions) {
    if (isBrowserAction(action)) throw noBrowser(action);
    if (end !== null) throw afterTheEnd(action);
    const before = session.digest();
    const screen = session.observe().text;
    const outcome = session.step(action);
    const text = describeStep(action, screen, outcome.problem?.message);
    steps.push({ action, text, by: 'student', screen, applied: outcome.applied, before });
    states.push(session.fork());
    end = outcome.end ?? null;
  }
  return { steps, states, end };
}

function noBrowser(action: Action): RefusedError {
  return new RefusedError(
    `The step "${describeAction(action)}" needs a browser, and the planner takes the steps again in a world without one. ` +
      'Expected steps by element: run the app without a browser.',
  );
}

function afterTheEnd(action: Action): RefusedError {
  return new RefusedError(
    `The step "${describeAction(action)}" comes after the end of the episode. Expected steps that could be taken.`,
  );
}
