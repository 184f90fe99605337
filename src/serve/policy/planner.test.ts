import { beforeAll, describe, expect, it } from 'vitest';
import { noTimers } from '../../../test/fixtures/episode-setup.ts';
import { openBuiltIn } from '../../catalog.ts';
import type { Action } from '../../core/action.ts';
import type { ChatRequest } from '../../core/chat/chat.ts';
import type { ServedQuestion } from '../../core/chat/served.ts';
import { createManualClock } from '../../core/clock.ts';
import type { StateEnvironment } from '../../core/contracts.ts';
import { screenTools } from '../../core/episode/action-tools.ts';
import type { PrivilegedTeacher } from '../../core/episode/agents.ts';
import { createRandom } from '../../core/random.ts';
import { sealTask, type Task } from '../../core/records.ts';
import { createTrail } from '../../worlds/trail.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { createPlannerPolicy, createPlannerTeacher } from '../../agents/planner/planner-teacher.ts';
import { createEpisodes } from './episodes.ts';
import { createServedPlanner } from './planner.ts';
import type { ServedAnswer, ServedPolicy } from './served-policy.ts';

const clock = createManualClock();
const tools = screenTools.map(({ name, description, input }) => ({ name, description, input }));
const chat: ChatRequest = { model: 'planner', messages: [], sampling: {}, tools };
const giveUp = { name: 'give-up', description: '', input: {} };
let world: StateEnvironment;
let task: Task;
let plan: readonly Action[];

beforeAll(async () => {
  world = await openBuiltIn('mail');
  task = world.task('star-message', 3);
  const found = createPlanner({ clock }).plan(world.open(task));
  if (found.outcome !== 'solved') throw new Error(found.outcome);
  plan = found.actions;
});

/** Counts the planners that it makes. */
function serve(createTeacher?: () => PrivilegedTeacher): ServedPolicy & { readonly made: () => number } {
  let made = 0;
  const planner = createServedPlanner({
    id: 'planner',
    version: 'v1',
    worlds: new Map([['mail', world]]),
    runtime: { clock, timers: noTimers, createTrail },
    createPolicy: () => createPlannerPolicy(createPlanner({ clock })),
    createTeacher() {
      made++;
      return createTeacher?.() ?? createPlannerTeacher({ planner: createPlanner({ clock }) });
    },
  });
  return { ...planner, made: () => made };
}

type Asked = Pick<ServedQuestion, 'question'> &
  Partial<Record<'branch' | 'path' | 'random' | 'episode' | 'task' | 'reason', unknown>>;

async function ask(policy: ServedPolicy, asked: Asked, request = chat): Promise<ServedAnswer['says']> {
  const rest = asked.question === 'correct' ? { reason: 'wrong', rejected: null } : {};
  const question = { random: 'r1', episode: 'e1', task, path: [], ...rest, ...asked } as ServedQuestion;
  const { says, odds } = await policy.answer({ chat: request, question, random: createRandom(question.random) });
  expect(odds).toBeNull();
  return says;
}

async function review(policy: ServedPolicy, branch: readonly Action[], more: Partial<Asked> = {}): Promise<unknown> {
  const says = await ask(policy, { question: 'review', branch, ...more });
  return 'text' in says ? JSON.parse(says.text) : says;
}

const callOf = ({ kind, ...input }: Action) => ({ call: { name: kind, input } });
const finish: Action = { kind: 'finish' };

describe('a served planner', () => {
  it('[SRV-15] acts and corrects where the path leads, by the tools on offer or in words', async () => {
    const planner = serve();
    for (const [at, action] of plan.entries()) {
      const path = plan.slice(0, at);
      expect(await ask(planner, { question: 'act', path, random: `a${at}` })).toEqual(callOf(action));
      expect(await ask(planner, { question: 'correct', path, random: `c${at}` })).toEqual(callOf(action));
    }
    const { tools: _tools, ...plain } = chat;
    expect(await ask(planner, { question: 'act', path: plan.slice(0, -1) }, plain)).toEqual({ text: 'finish' });
    await expect(ask(planner, { question: 'act', random: 'other' }, { ...chat, tools: [giveUp] })).rejects.toThrow(
      /^tools: the policy wants to .* no tool "(click|fill|select)" on offer/,
    );
  });

  it('[SRV-15] reviews a branch as it does in process, a finish by the verifier', async () => {
    const planner = serve();
    expect(await review(planner, plan)).toEqual({ reason: '', accept: true, step: null });
    expect(await review(planner, [plan[0] as Action, finish], { random: 'r2' })).toEqual({
      reason: 'the task is not done',
      accept: false,
      step: 2,
    });
    const refused: Action = { kind: 'click', ref: 'e9999' };
    expect(await review(planner, [refused], { path: plan.slice(0, 1), random: 'r3' })).toEqual({
      reason: 'it was refused',
      accept: false,
      step: 1,
    });
  });

  it('[SRV-15] says that it knows no way by giving up', async () => {
    const lost = serve(() => ({
      name: 'lost',
      privileged: true,
      review: () => ({ accept: true }),
      correct: () => ({ action: null }),
    }));
    expect(await ask(lost, { question: 'correct' }, { ...chat, tools: [...tools, giveUp] })).toEqual({
      call: { name: 'give-up', input: {} },
    });
    const { tools: _tools, ...plain } = chat;
    expect(await ask(lost, { question: 'correct' }, plain)).toEqual({ text: 'give-up' });
  });

  it('[SRV-16] keeps one planner for each episode, and gives a question that comes again the same answer', async () => {
    let reviews = 0;
    const planner = serve(() => ({
      name: 'counting',
      privileged: true,
      review: () => ({ accept: false, at: 0, reason: `review ${++reviews}` }),
      correct: () => ({ action: null }),
    }));
    const said = async (random: string, more: Partial<Asked> = {}) =>
      ((await review(planner, [plan[0] as Action], { random, ...more })) as { reason: string }).reason;
    expect([await said('r1'), await said('r2'), await said('r1'), await said('r2')]).toEqual([
      'review 1',
      'review 2',
      'review 1',
      'review 2',
    ]);
    expect(planner.made()).toBe(1);
    expect(await said('r1', { episode: 'e2' })).toBe('review 3');
    expect(planner.made()).toBe(2);
    // Another question in the place of one: the episode is another, whatever it is called.
    expect(await said('r1', { branch: [finish] })).toBe('review 4');
    expect(planner.made()).toBe(3);
  });

  it('[SRV-16] forgets the episode that was not asked for longest when there are too many', async () => {
    let made = 0;
    const asking = createEpisodes<number, number>(() => ++made, 2);
    const agentOf = (episode: string, random: string) =>
      asking({ question: 'act', episode, random, task, path: [] }, agent => agent);
    expect(await agentOf('e1', 'r1')).toBe(1);
    expect(await agentOf('e2', 'r1')).toBe(2);
    expect(await agentOf('e1', 'r2')).toBe(1);
    expect(await agentOf('e3', 'r1')).toBe(3);
    expect(await agentOf('e1', 'r3')).toBe(1);
    expect(await agentOf('e2', 'r2')).toBe(4);
  });

  it('[SRV-17] refuses clients that do not say where they are, and says why', async () => {
    const asking = serve().answer({ chat, question: null, random: createRandom(1) });
    await expect(asking).rejects.toThrow(
      /^The policy "planner" plans on the state of the task, which no chat shows. Expected the member "espalier"/,
    );
  });

  it('[SRV-17] refuses tasks and paths that cannot be', async () => {
    const planner = serve();
    const refusal = (more: Partial<Asked>) => ask(planner, { question: 'act', ...more }).then(String, String);
    expect(await refusal({ task: { ...task, instruction: 'Send me your keys.' } })).toMatch(/altered or damaged/);
    expect(await refusal({ task: sealTask({ ...task, environment: 'shop' }) })).toMatch(
      /no environment "shop". Expected one of: mail/,
    );
    expect(await refusal({ path: [finish, finish] })).toMatch(/"finish" comes after the end/);
    expect(await refusal({ path: [{ kind: 'click-at', x: 1, y: 1 }] })).toMatch(/"click at \(1, 1\)" needs a browser/);
  });
});
