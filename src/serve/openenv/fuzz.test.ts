import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../../../test/long-form.ts';
import { startServer, type StartedServer, type TestClient } from '../../../test/fixtures/serve/start-server.ts';
import { MalformedRequest, readRequest } from './wire.ts';

const wanted = { task: 'lend-to-reader', seed: 3 };
const runs = isLong ? 3000 : 300;

let server: StartedServer;
let victim: TestClient;
beforeAll(async () => {
  server = await startServer({ sessions: 60, clientSessions: 20 });
  victim = await server.connect();
  await victim.ask('reset', wanted);
});
afterAll(() => server.stop());

const verbs =
  'reset step state mcp open attach observe digest snapshot restore rollback fork candidates verify plan'.split(' ');
const names =
  'seed task environment keep episode_id kind ref text type tool_name arguments node n snapshot session stop jsonrpc method params __proto__ constructor'.split(
    ' ',
  );
const words = fc.constantFrom(
  'click',
  'finish',
  'call_tool',
  'list_tools',
  'e1',
  'library',
  'mail',
  '2.0',
  'tools/call',
  's-x',
);
const value = fc.oneof(words, fc.integer({ min: -2, max: 70 }), fc.jsonValue({ maxDepth: 2 }));
const data = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
const message = fc
  .record(
    { type: fc.oneof(fc.constantFrom(...verbs), fc.string()), data, session: fc.oneof(words, value), id: value },
    { requiredKeys: [] },
  )
  .map(request => JSON.stringify(request));
const frame = fc.oneof(
  { weight: 6, arbitrary: message },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.tuple(message, fc.nat(80)).map(([text, end]) => text.slice(0, end)) },
);

const codes = new Set(
  'INVALID_JSON UNKNOWN_TYPE VALIDATION_ERROR EXECUTION_ERROR CAPACITY_REACHED FACTORY_ERROR SESSION_ERROR FORBIDDEN UNSUPPORTED DIVERGED'.split(
    ' ',
  ),
);

describe('any frame', () => {
  it('[SRV-31] is read as a request, or refused with a code', () => {
    const codeOf = (text: string): string | null => {
      try {
        readRequest(Buffer.from(text));
        return null;
      } catch (cause) {
        return cause instanceof MalformedRequest ? cause.error.code : String(cause);
      }
    };
    fc.assert(
      fc.property(frame, text => {
        expect([null, 'INVALID_JSON', 'VALIDATION_ERROR']).toContain(codeOf(text));
      }),
      { numRuns: runs * 10 },
    );
  });

  it('[SRV-31] gets one answer in the protocol’s way, breaks nothing inside, and no other client notices', async () => {
    const before = await victim.ask('digest');
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 12 }), async frames => {
        const client = await server.connect();
        await client.ask('reset', wanted);
        for (const text of frames) client.send(text);
        for (const _ of frames) {
          const answer = await client.next();
          expect(Object.keys(answer)).toEqual(expect.arrayContaining(['type', 'data']));
          expect(answer.type !== 'error' || codes.has(answer.data.code)).toBe(true);
        }
        await client.close();
      }),
      { numRuns: Math.ceil(runs / 6) },
    );
    expect(server.log.filter(({ event }) => event === 'fault')).toEqual([]);
    expect(await victim.ask('digest')).toEqual(before);
  }, 120_000);
});
