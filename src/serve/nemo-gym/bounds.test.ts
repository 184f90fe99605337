import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { callItem, createGymClient, messageItem, responseOf, rowOf } from '../../../test/fixtures/serve/gym-client.ts';
import { stoppedAfterEach, type StartOptions } from '../../../test/fixtures/serve/start-server.ts';
import type { Action } from '../../core/action.ts';
import { createWorld } from '../../worlds/world.ts';
import { mostCalls } from './rollout-verbs.ts';

const start = stoppedAfterEach();
const row = rowOf('library', 'lend-to-reader/3');
const looks = (count: number) => Array.from({ length: count }, (_, index) => callItem(`c${index}`, 'observe', {}));

async function opened(options: StartOptions = {}) {
  const { gymUrl } = await start(options);
  const client = createGymClient(gymUrl);
  await client.post('reset', row);
  const step = (...items: object[]) => client.post('step', { ...row, response: responseOf(...items) });
  return { client, step };
}

describe('a request that is too large', () => {
  it('[NG-20] is refused with 422 for its calls, and nothing of it is done', async () => {
    const { client, step } = await opened();
    const refused = await step(...looks(mostCalls), callItem('end', 'finish', {}));
    expect([refused.status, refused.json().detail]).toEqual([
      422,
      `The response has ${mostCalls + 1} calls. Send at most ${mostCalls} in one step.`,
    ]);
    const answered = looks(mostCalls).map((_, index) => ({
      type: 'function_call_output',
      call_id: `c${index}`,
      output: '',
    }));
    // Calls that have their outputs are of earlier steps.
    const after = await step(
      ...looks(mostCalls),
      ...answered,
      ...looks(1),
      callItem('last', 'list_books', { text: '' }),
    );
    expect([after.status, after.json().info.tool_outputs.map(({ call_id: id }: { call_id: string }) => id)]).toEqual([
      200,
      ['last'],
    ]);
    expect((await step(...looks(mostCalls))).json()).toMatchObject({ terminated: false });
    expect((await client.post('verify', { ...row, response: responseOf(messageItem('Done.')) })).status).toBe(200);
  });

  it('[NG-20] is refused for its items, in a step and in a verification', async () => {
    const { client } = await opened();
    const response = responseOf(...Array.from({ length: 2 ** 14 + 1 }, () => ({ type: 'reasoning' })));
    for (const path of ['step', 'verify']) {
      const { status, text } = await client.post(path, { ...row, response });
      expect([path, status, text]).toEqual([path, 422, expect.stringContaining('at most 16384 items')]);
    }
  });

  it('[NG-20] is refused with 413 for its bytes', async () => {
    const { client } = await opened();
    const filler = 'x'.repeat(2 ** 23);
    for (const path of ['step', 'aggregate_metrics'])
      expect([path, (await client.post(path, { ...row, verify_responses: [], filler })).status]).toEqual([path, 413]);
    const response = responseOf(messageItem('Done.'));
    expect((await client.post('verify', { ...row, response, filler })).status).toBe(200);
  });

  it('[NG-20] lets others run between the calls of a step', async () => {
    const world = createWorld(app);
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    const stepsAt: number[] = [];
    const watched = {
      ...world,
      open(task: ReturnType<typeof world.task>) {
        const session = world.open(task);
        return {
          ...session,
          step(action: Action) {
            stepsAt.push(turns);
            return session.step(action);
          },
        };
      },
    };
    const { step } = await opened({ environments: [watched] });
    const calls = Array.from({ length: 24 }, (_, index) => callItem(`c${index}`, 'list_books', { text: '' }));
    // The server is in this process, so that the turns of others are counted here.
    setImmediate(count);
    const { status } = await step(...calls);
    isOver = true;
    expect([status, stepsAt.length]).toEqual([200, 24]);
    expect((stepsAt.at(-1) as number) - (stepsAt[0] as number)).toBeGreaterThanOrEqual(2);
  });
});
