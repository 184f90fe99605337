import fc from 'fast-check';
import { expect, it } from 'vitest';
import { callItem, createGymClient, messageItem, responseOf, rowOf } from '../../../test/fixtures/serve/gym-client.ts';
import { startServer } from '../../../test/fixtures/serve/start-server.ts';

const paths = [
  'seed_session',
  'verify',
  'reset',
  'step',
  'close',
  'aggregate_metrics',
  'click',
  'observe',
  'list_books',
];
const row = rowOf('library', 'lend-to-reader/3');
const output = fc.array(
  fc.oneof(
    fc.string().map(messageItem),
    fc
      .tuple(fc.constantFrom('click', 'finish', 'list_books', 'x'), fc.oneof(fc.string(), fc.jsonValue()))
      .map(([name, input]) => callItem('c', name, input)),
    fc.dictionary(fc.constantFrom('type', 'content', 'arguments', 'name'), fc.jsonValue()),
  ),
  { maxLength: 3 },
);
const body = fc.oneof(
  fc.json(),
  fc.string(),
  output.map(items => ({ ...row, response: responseOf(...items) })),
  fc.constant(row),
  fc.record({ verifier_metadata: fc.jsonValue(), verify_responses: fc.jsonValue() }),
);

it('[NG-9] answers any request with a status of the protocol, and nothing breaks inside', async () => {
  const server = await startServer({ idle: 600 });
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.oneof(fc.constantFrom(...paths), fc.webSegment()), body), { minLength: 1, maxLength: 6 }),
        async requests => {
          const client = createGymClient(server.gymUrl);
          await client.post('seed_session', row);
          for (const [path, sent] of requests) {
            const { status, text } = await client.post(path, sent);
            expect([200, 400, 404, 409, 422]).toContain(status);
            const isRefusal = status >= 400 && text.startsWith('{');
            expect(isRefusal ? JSON.parse(text) : { detail: '' }).toHaveProperty('detail');
          }
          await client.post('close');
        },
      ),
      { numRuns: 15 },
    );
    expect(server.log.filter(({ event }) => event === 'fault')).toEqual([]);
    const other = createGymClient(server.gymUrl);
    expect((await other.post('seed_session', row)).status).toBe(200);
  } finally {
    await server.stop();
  }
}, 60_000);
