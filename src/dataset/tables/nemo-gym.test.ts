import { describe, expect, it } from 'vitest';
import { scriptedEpisode } from '../../../test/fixtures/episodes.ts';
import { createGymClient, messageItem, responseOf } from '../../../test/fixtures/serve/gym-client.ts';
import { startServer } from '../../../test/fixtures/serve/start-server.ts';
import { mailWorld } from '../../../test/fixtures/episodes.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import { createRequests } from '../requests/requests.ts';
import { nemoGym, nemoGymRows } from './nemo-gym.ts';

const requests = createRequests({ source: { attachment: () => null }, toolsOf: () => mailWorld.tools });
const record = foldEpisode(await scriptedEpisode({ slips: 0, branch: 'passing' }));
const [row] = [...nemoGymRows(record, requests)];

interface Params {
  readonly input: readonly { readonly role: string; readonly content: string }[];
  readonly tools: readonly { readonly type: string; readonly name: string; readonly strict: boolean }[];
}
const params = row?.['responses_create_params'] as unknown as Params;

describe('rows for NeMo Gym', () => {
  it('[NG-10] ask for the task as its first step was asked, with tools of the Responses API', () => {
    expect(Object.keys(row ?? {})).toEqual(nemoGym.columns.map(({ name }) => name));
    expect(params.input.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(params.input[1]?.content).toContain(record.head.task.instruction);
    expect(params.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['click', 'finish']));
    expect(params.tools.every(({ type, strict }) => type === 'function' && !strict)).toBe(true);
  });

  it('[NG-10] are left out for further trials', () => {
    expect([...nemoGymRows({ ...record, head: { ...record.head, trial: 1 } }, requests)]).toEqual([]);
  });

  it('[NG-10] open their task on the server, which has every tool of the row', async () => {
    const server = await startServer();
    try {
      const client = createGymClient(server.gymUrl);
      expect((await client.post('reset', row)).json().info.task).toBe(record.head.task.id);
      for (const { name } of params.tools.filter(tool => tool.name !== 'finish'))
        expect([name, (await client.post(name, { wrong: true })).status]).not.toEqual([name, 404]);
      const verified = await client.post('verify', { ...row, response: responseOf(messageItem('')) });
      expect(verified.json().reward).toBe(0);
    } finally {
      await server.stop();
    }
  });
});
