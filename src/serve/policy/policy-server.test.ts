import { once } from 'node:events';
import { request as ask } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { screenTools } from '../../core/episode/action-tools.ts';
import { fence } from '../../core/chat/fence.ts';
import { writePrompt } from '../../core/episode/view.ts';
import { createRandom } from '../../core/random.ts';
import { untrainedWeights, createOdds } from '../../agents/learned/student.ts';
import type { Listening } from '../http.ts';
import { createPolicyServer, type PolicyServerOptions } from './policy-server.ts';
import type { ServedPolicy } from './served-policy.ts';
import { createServedStudent } from './student.ts';

const screen = 'page "Desk"\n  [e1] button "Lend"\n  [e2] button "Return"\n  [e3] textbox "Reader"';
const instruction = 'Lend "Dune" to "Ada".';
const row = { role: 'user', content: writePrompt({ instruction, history: [], screen }) };
const tools = screenTools.map(({ name, description, input }) => ({
  type: 'function',
  function: { name, description, parameters: input },
}));
const student = createServedStudent({ id: 'student', version: 'v1', weigh: createOdds(untrainedWeights()) });

const open: Listening[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close(AbortSignal.abort());
});

async function serve(options: Partial<PolicyServerOptions> = {}): Promise<string> {
  const server = await createPolicyServer({ policies: [student], random: createRandom('server'), ...options });
  open.push(server);
  return server.url;
}

interface Answer {
  readonly status: number;
  readonly body: {
    readonly error?: { readonly message: string; readonly code: string | null };
    readonly choices?: readonly {
      readonly message: {
        readonly content: string | null;
        readonly tool_calls?: readonly { readonly function: object }[];
      };
      readonly logprobs: { readonly content: readonly { readonly token: string; readonly logprob: number }[] } | null;
    }[];
  };
}

async function complete(url: string, members: object): Promise<Answer> {
  const body = JSON.stringify({ model: 'student', messages: [row], ...members });
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const said = ({ body }: Answer) => body.choices?.[0]?.message;

describe('the endpoint', () => {
  it('[SRV-7] lists its policies as models, one by one too, and says that it is well', async () => {
    const url = await serve();
    const get = async (path: string): Promise<unknown> => (await fetch(url + path)).json();
    const model = { id: 'student', object: 'model', created: 0, owned_by: 'espalier', version: expect.any(String) };
    expect(await get('/v1/models')).toEqual({ object: 'list', data: [model] });
    expect(await get('/v1/models/student')).toEqual(model);
    expect(await get('/health')).toEqual({ status: 'ok' });
  });

  it('[SRV-8] answers with a call of a tool on offer, and in words where there is none', async () => {
    const url = await serve();
    const called = said(await complete(url, { tools, temperature: 0 }));
    expect(called?.tool_calls?.[0]?.function).toEqual({ name: 'click', arguments: '{"ref":"e1"}' });
    expect(said(await complete(url, { temperature: 0 }))?.content).toBe('click e1');
    expect(said(await complete(url, { tools, tool_choice: 'none', temperature: 0 }))?.content).toBe('click e1');
  });

  it('[SRV-8] chooses among the tools on offer only', async () => {
    const url = await serve();
    const fill = tools.filter(tool => tool.function.name === 'fill');
    const call = said(await complete(url, { tools: fill, temperature: 0 }))?.tool_calls?.[0]?.function;
    expect(call).toEqual({ name: 'fill', arguments: '{"ref":"e3","text":"Dune"}' });
    const named = { tools, tool_choice: { type: 'function', function: { name: 'finish' } }, temperature: 0 };
    expect(said(await complete(url, named))?.tool_calls?.[0]?.function).toEqual({ name: 'finish', arguments: '{}' });
    const weather = { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } };
    const none = await complete(url, { tools: [weather] });
    expect(none.status).toBe(400);
    expect(none.body.error?.message).toContain('is among the tools on offer (weather). Expected click, fill, select');
  });

  it('[SRV-9] draws by the seed of the request, and anew without one', async () => {
    const url = await serve();
    const draw = async (seed?: number) => said(await complete(url, { seed, temperature: 5 }))?.content;
    const drawn = await Promise.all(Array.from({ length: 30 }, (_, seed) => draw(seed)));
    expect(await Promise.all(Array.from({ length: 30 }, (_, seed) => draw(seed)))).toEqual(drawn);
    expect(new Set(drawn).size).toBeGreaterThan(3);
    expect(new Set(await Promise.all(Array.from({ length: 30 }, () => draw()))).size).toBeGreaterThan(3);
  });

  it('[SRV-10] says how likely the whole answer was, and what else it could have said', async () => {
    const url = await serve();
    const { body } = await complete(url, { temperature: 0, logprobs: true, top_logprobs: 20 });
    const [entry] = (body.choices?.[0]?.logprobs?.content ?? []) as [
      { token: string; bytes: number[]; logprob: number; top_logprobs: { token: string; logprob: number }[] },
    ];
    // One that has learned nothing likes everything alike: two buttons, two texts to fill in, two ways to end.
    expect(entry.token).toBe('click e1');
    expect(Buffer.from(entry.bytes).toString()).toBe('click e1');
    expect(entry.logprob).toBeCloseTo(-Math.log(6), 12);
    expect(entry.top_logprobs.map(({ token }) => token)).toEqual([
      'click e1',
      'click e2',
      'fill e3 "Dune"',
      'fill e3 "Ada"',
      'finish',
      'finish infeasible',
    ]);
    expect(entry.top_logprobs.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeCloseTo(1, 12);
    expect((await complete(url, { logprobs: false })).body.choices?.[0]?.logprobs).toBeNull();
    expect((await complete(url, { logprobs: true, top_logprobs: 21 })).status).toBe(400);
  });
});

describe('chats that a student reads', () => {
  it('[SRV-11] reads the row of an export and the chat of an episode alike', async () => {
    const history = ['click button "Desk"', 'fill textbox "Reader" with "<done>"'];
    const text = (value: string) => [{ type: 'text', text: value }];
    const call = (id: string) => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'click', arguments: '{"ref":"e1"}' } }],
    });
    const system = { role: 'system', content: 'The screen stands between\n<screen>\nand\n</screen>' };
    const episode = [
      system,
      {
        role: 'user',
        content: `${fence('task', instruction)}\n${fence('screen', 'page "Before"\n  [e9] button "No"')}`,
      },
      call('call00001'),
      { role: 'tool', tool_call_id: 'call00001', content: `${fence('done', history[0] ?? '')}\n(screen left out)` },
      call('call00002'),
      {
        role: 'tool',
        tool_call_id: 'call00002',
        content: text(`${fence('done', history[1] ?? '')}\n${fence('screen', screen)}`),
      },
      { role: 'assistant', content: 'Hm.' },
      { role: 'user', content: 'This could not be used: There is no step in it.' },
    ];
    const seen: unknown[] = [];
    const weigh: Parameters<typeof createServedStudent>[0]['weigh'] = inquiry => {
      seen.push(inquiry.situation);
      return createOdds(untrainedWeights())(inquiry);
    };
    const url = await serve({ policies: [createServedStudent({ id: 'student', version: 'v1', weigh })] });
    await complete(url, { messages: episode });
    await complete(url, {
      messages: [system, { role: 'user', content: writePrompt({ instruction, history, screen }) }],
    });
    const situation = { instruction, history, screen };
    expect(seen).toEqual([
      { ...situation, screens: ['page "Before"\n  [e9] button "No"', screen] },
      { ...situation, screens: [screen] },
    ]);
  });

  it('[SRV-11] refuses other chats, images and requests that it cannot do, and says what it expects', async () => {
    const url = await serve();
    const refused = async (members: object) => {
      const { status, body } = await complete(url, members);
      expect(status).toBe(400);
      return body.error?.message;
    };
    const hello = [{ role: 'user', content: 'Hello!' }];
    expect(await refused({ messages: hello })).toMatch(
      /finds none here. Expected one user message with the parts Task/,
    );
    expect(await refused({ messages: [] })).toMatch(/finds none here/);
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const pictured = [{ role: 'user', content: [{ type: 'text', text: row.content }, image] }];
    expect(await refused({ messages: pictured })).toMatch(/no images/);
    expect(await refused({ top_p: 0.5 })).toMatch(/^top_p/);
    expect(await refused({ temperature: 1e-9 })).toMatch(/^temperature/);
    const format = { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } };
    expect(await refused({ response_format: format })).toMatch(/^response_format/);
    expect(await refused({ espalier: { question: 'act' } })).toMatch(/^The member "espalier" cannot be read: random:/);
  });
});

describe('bad requests', () => {
  it('[SRV-12] have each their status and a sentence', async () => {
    const url = await serve({ largestBody: 4096 });
    const post = async (body: string, path = '/v1/chat/completions') => {
      const response = await fetch(url + path, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
      const { error } = (await response.json()) as { error: { message: string } };
      return [response.status, error.message];
    };
    expect(await post('{"model":')).toEqual([400, expect.stringMatching(/^The body is not JSON: /)]);
    expect(await post('[]')).toEqual([400, expect.stringMatching(/request/)]);
    expect(await post('{"model":"student"}')).toEqual([400, expect.stringMatching(/^messages: /)]);
    expect(await post('{"model":"gpt","messages":[]}')).toEqual([
      404,
      'There is no model "gpt" here. Expected one of: student.',
    ]);
    expect(await post('x'.repeat(5000))).toEqual([413, 'The body is larger than 4096 bytes. Send a smaller one.']);
    expect(await post('{}', '/v1/embeddings')).toEqual([404, expect.stringMatching(/^There is no \/v1\/embeddings/)]);
    const get = await fetch(`${url}/v1/chat/completions`);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('[SRV-12] tell the client nothing of what broke inside, and somebody else everything', async () => {
    const faults: unknown[] = [];
    const broken: ServedPolicy = {
      id: 'student',
      version: 'v1',
      answer() {
        throw new Error('the secret');
      },
    };
    const url = await serve({ policies: [broken], onFault: cause => faults.push(cause) });
    const { status, body } = await complete(url, {});
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(faults).toEqual([new Error('the secret')]);
  });
});

describe('clients that hang up', () => {
  it('[SRV-13] have their work left undone, and those behind them are answered', async () => {
    const { promise: begun, resolve: onBegun } = Promise.withResolvers<void>();
    const { promise: goOn, resolve: release } = Promise.withResolvers<void>();
    const answered: string[] = [];
    const slow: ServedPolicy = {
      id: 'student',
      version: 'v1',
      async answer({ chat }) {
        const text = chat.sampling.stop?.[0] ?? '';
        onBegun();
        await goOn;
        answered.push(text);
        return { says: { text }, odds: null };
      },
    };
    const url = await serve({ policies: [slow] });
    const first = complete(url, { stop: 'first' });
    await begun;
    const leaving = ask(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    leaving.on('error', () => undefined);
    leaving.end(JSON.stringify({ model: 'student', messages: [row], stop: 'left' }));
    await once(leaving, 'finish');
    const last = complete(url, { stop: 'last' });
    // Once another request was answered, the server has heard of both.
    await fetch(`${url}/health`);
    const { promise: left, resolve: onLeft } = Promise.withResolvers<void>();
    leaving.on('close', () => onLeft());
    leaving.destroy();
    await left;
    await fetch(`${url}/health`);
    release();
    expect(said(await first)?.content).toBe('first');
    expect(said(await last)?.content).toBe('last');
    expect(answered).toEqual(['first', 'last']);
  });
});
