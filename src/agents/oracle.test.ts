import { afterAll, expect, it } from 'vitest';
import type { Action } from '../core/action.ts';
import type { Session } from '../core/contracts.ts';
import type { BranchStep, Segment } from '../core/episode/agents.ts';
import { createRandom } from '../core/random.ts';
import { fileTemplates } from '../envs/terminal/domains/files.ts';
import { createTerminalEnvironment } from '../envs/terminal/environment.ts';
import { createLayeredSandboxes } from '../envs/terminal/sandbox/layered-sandboxes.ts';
import { createOracleTeacher } from './oracle.ts';

const environment = createTerminalEnvironment({
  id: 'terminal-files',
  templates: fileTemplates,
  sandboxes: () => createLayeredSandboxes(),
});
afterAll(() => environment.close?.());

const run = (command: string): Action => ({ kind: 'call', tool: 'run', input: { command } });

/** A branch of these steps, with a session before each and after the last. */
async function branch(start: Session, actions: readonly Action[]) {
  const sessions = [start];
  const steps: BranchStep[] = [];
  for (const action of actions) {
    const session = await (sessions.at(-1) as Session).fork!();
    const before = await session.digest();
    const { applied } = await session.step(action);
    steps.push({ action, text: '', by: 'student', screen: '', applied, before });
    sessions.push(session);
  }
  const end = sessions.at(-1) as Session;
  const segment: Segment = {
    instruction: '',
    context: [],
    path: [],
    visited: [],
    steps,
    after: await end.observe(),
    end: await end.digest(),
    verdict: null,
    random: createRandom(1),
  };
  return { segment, states: { at: (index: number) => (sessions[index] as Session).fork!() } };
}

it('[TERM-8] the oracle rejects the first step that leads away, and corrects with the next step of the solution', async () => {
  const session = await environment.open(await environment.task('files/merge-notes', 2));
  const [first, second, finish] = (await session.solution!()) as [Action, Action, Action];
  const teacher = createOracleTeacher();
  const review = async (...actions: Action[]) => {
    const { segment, states } = await branch(session, actions);
    return teacher.review(segment, states);
  };
  expect(await review(run('ls'), run('cat order.txt'))).toEqual({ accept: true });
  expect(await review(first, second)).toEqual({ accept: true });
  expect(await review(run('ls'), run('rm -r notes'), first)).toMatchObject({ accept: false, at: 1 });
  expect(await review(first, run('rm book.txt'))).toMatchObject({
    accept: false,
    at: 1,
    reason: expect.stringContaining('farther'),
  });
  expect(await review(first, finish)).toMatchObject({ accept: false, at: 1, reason: 'the task is not done' });
  const half = await session.fork!();
  await half.step(first);
  const correct = async (at: Session) =>
    (await teacher.correct({ view: {} as never, reason: '', rejected: null }, at)).action;
  expect([await correct(await session.fork!()), await correct(half)]).toEqual([first, second]);
  const ruined = await session.fork!();
  await ruined.step(run('rm -r notes'));
  expect(await correct(ruined)).toBeNull();
});
