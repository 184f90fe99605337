import { actionSchema, type Action } from '../../../core/action.ts';
import { after, atOnce, type Awaitable, type Snapshot, type StateSession } from '../../../core/contracts.ts';
import type { Digest } from '../../../core/digest.ts';
import { EspalierError } from '../../../core/errors.ts';
import type { Ending, StepOutcome, Task, Verdict } from '../../../core/records.ts';
import { createScreen, type UiNode } from '../../../core/ui.ts';
import type { BackgroundRunner } from '../sandbox/background-runner.ts';
import type { AnyRunner, ProgramRunner } from '../sandbox/run-program.ts';
import type { Files } from './answer.ts';
import { callTool } from './tools.ts';

/** A task with what judges it, shared by all forks of a session. */
export interface OpenCode {
  readonly task: Task;
  readonly digest: Digest;
  /** The answer that passes. */
  readonly reference: string;
  /** Blocks this thread while a program runs: for planners. */
  readonly blocking: Judging<ProgramRunner, Verdict>;
  /** For episodes. */
  readonly background: Judging<BackgroundRunner, Promise<Verdict>>;
}

interface Judging<R, V> {
  runner(): R;
  verdict(files: Files, ending: Ending | null): V;
}

/** Everything that differs from one moment of a session to another. Immutable. */
interface Moment {
  readonly files: Files;
  readonly ending: Ending | null;
}

interface CodeSnapshot extends Snapshot {
  readonly open: OpenCode;
  readonly moment: Moment;
}

const longestAnswer = 64_000;

/** A session of code: the agent writes files, runs them in a sandbox, and finishes with its program. */
export function createCodeSession(open: OpenCode, start: Moment = { files: {}, ending: null }): StateSession {
  const { task, digest } = open;
  let moment = start;
  let isClosed = false;
  const now = (): Moment => {
    if (isClosed) throw sessionError('closed', `The session of task ${task.id} is closed.`, 'Open the task again.');
    return moment;
  };
  const step = (action: Action, runner: Runner): Awaitable<StepOutcome> =>
    after(taken(now(), action, runner), ({ next, outcome }) => {
      moment = next;
      return outcome;
    });
  const screen = (): UiNode => drawn(now().files);
  return {
    task,
    screen,
    observe: () => ({ text: createScreen(screen()).text }),
    candidates: () => [],
    ended: () => (now().ending === null ? null : 'terminated'),
    step: action => atOnce(step(action, open.blocking.runner)),
    digest: () => digest({ files: now().files, ...(moment.ending === null ? {} : { ending: { ...moment.ending } }) }),
    verify: () => open.blocking.verdict(now().files, moment.ending),
    background: {
      step: async action => step(action, open.background.runner),
      verify: async () => open.background.verdict(now().files, moment.ending),
    },
    snapshot: (): CodeSnapshot => ({ owner: task.id, open, moment: now() }),
    restore(snapshot) {
      now();
      const given = snapshot as CodeSnapshot | null | undefined;
      if (given?.open !== open)
        throw sessionError(
          'foreign-snapshot',
          `A snapshot from elsewhere was given to a session of task ${task.id}.`,
          'Restore a snapshot in the session that took it, or in a fork of it.',
        );
      moment = given.moment;
    },
    fork: () => createCodeSession(open, now()),
    state: () => ({ files: now().files }),
    guide: () => ({
      unmet: now().ending === null ? 0 : 1,
      unmetChecks: 0,
      clean: true,
      finish: { kind: 'finish', answer: open.reference },
    }),
    close() {
      isClosed = true;
    },
  };
}

interface Taken {
  readonly next: Moment;
  readonly outcome: StepOutcome;
}

type Runner = () => AnyRunner;

function taken(moment: Moment, action: Action, runner: Runner): Awaitable<Taken> {
  const refused = (code: string, message: string): Taken => ({
    next: moment,
    outcome: { applied: false, problem: { code, message } },
  });
  if (moment.ending !== null) return refused('ended', 'The episode has ended: open the task again or roll back.');
  if (!actionSchema.safeParse(action).success)
    return refused('invalid-action', 'Expected a tool call, or finish with a program.');
  if (action.kind === 'finish') {
    const { answer = null, infeasible = false } = action;
    if (answer !== null && answer.length > longestAnswer)
      return refused(
        'answer-too-long',
        `Expected at most ${longestAnswer} characters, but there are ${answer.length}.`,
      );
    return { next: { ...moment, ending: { answer, infeasible } }, outcome: { applied: true, end: 'terminated' } };
  }
  if (action.kind !== 'call')
    return refused('unknown-element', `There is nothing to ${action.kind}: call a tool, or finish with a program.`);
  return after(callTool(action, moment.files, runner), called => {
    if ('code' in called) return refused(called.code, called.message);
    return { next: { ...moment, files: called.files }, outcome: { applied: true, result: called.result } };
  });
}

function drawn(files: Files): UiNode {
  const entries = Object.entries(files).map(
    ([name, text]): UiNode => ({ role: 'listitem', name: `${name}, ${text.length} characters` }),
  );
  const list: UiNode[] = entries.length === 0 ? [] : [{ role: 'list', name: 'Files', children: entries }];
  const text = 'Finish with the program in a fenced block (```python), or with the name of its file.';
  return { role: 'page', name: 'Workspace', children: [{ role: 'text', name: text }, ...list] };
}

function sessionError(code: 'closed' | 'foreign-snapshot', message: string, expected: string): EspalierError {
  return new EspalierError({ boundary: 'environment', code, message, expected });
}
