import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { stoppedAfterEach } from '../../../test/fixtures/serve/start-server.ts';
import { createSystemTimers } from '../../system/clock.ts';
import { createOtlpExporter } from './otlp.ts';
import { createTracer, type Tracer } from './traced-episodes.ts';

/** The JSON encoding of `ExportTraceServiceRequest`, opentelemetry-proto 1.x: ids in hexadecimal, 64-bit numbers as text. */
const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
]);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }));
const nanoseconds = z.string().regex(/^\d{19}$/);
const spanSchema = z.strictObject({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  name: z.string().min(1),
  kind: z.int().min(0).max(5),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }),
});
const requestSchema = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(spanSchema),
        }),
      ),
    }),
  ),
});
type OtlpSpan = z.infer<typeof spanSchema>;

const cleanUp: (() => void)[] = [];
const serve = stoppedAfterEach();
afterEach(() => {
  for (const work of cleanUp.splice(0)) work();
});

interface Collector {
  readonly url: string;
  readonly spans: OtlpSpan[];
}

/** A collector that holds every request against the schema. */
async function collect(status = 200): Promise<Collector> {
  const spans: OtlpSpan[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isRight = request.url === '/v1/traces' && request.headers['content-type'] === 'application/json';
      const parsed = requestSchema.safeParse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      if (parsed.success)
        for (const { scopeSpans } of parsed.data.resourceSpans)
          for (const scope of scopeSpans) spans.push(...scope.spans);
      response.writeHead(isRight && parsed.success ? status : 400, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans };
}

function tracerFor(endpoint: string, faults: string[] = []): Tracer {
  const onFault = (cause: unknown): void => void faults.push((cause as Error).message);
  return createTracer({
    exporter: createOtlpExporter({ endpoint, version: '0.0.0', timers: createSystemTimers(), onFault }),
    now: () => performance.timeOrigin + performance.now(),
    randomHex: bytes => randomBytes(bytes).toString('hex'),
  });
}

const wanted = { task: 'lend-to-reader', seed: 3 };
const about = (span: OtlpSpan | undefined, key: string): unknown =>
  Object.values(span?.attributes.find(found => found.key === key)?.value ?? {})[0];

describe('spans of served episodes', () => {
  it('[SRV-53] are one trace for each episode, with its reset, steps, forks and verifications', async () => {
    const { url, spans } = await collect();
    const tracer = tracerFor(url);
    const server = await serve({ tracer });
    const client = await server.connect();
    await client.ask('reset', wanted);
    await client.ask('step', { kind: 'click', ref: 'e999' });
    const { data } = await client.ask('fork', { n: 1 });
    await client.ask('step', { kind: 'finish' }, { session: data.sessions[0].session });
    await client.ask('step', { kind: 'finish' });
    await client.ask('reset', { ...wanted, seed: 4 });
    await client.ask('rollback', { node: 0 });
    await client.close();
    await expect.poll(() => spans.filter(({ name }) => name === 'episode').length, { timeout: 5000 }).toBe(2);
    const [first, second] = [...Map.groupBy(spans, ({ traceId }) => traceId).values()] as [OtlpSpan[], OtlpSpan[]];
    expect(first.map(({ name }) => name)).toEqual([
      'reset',
      'step',
      'fork',
      'step',
      'verify',
      'step',
      'verify',
      'episode',
    ]);
    expect(second.map(({ name }) => name)).toEqual(['reset', 'rollback', 'episode']);
    const root = first.at(-1) as OtlpSpan;
    expect(root.parentSpanId).toBeUndefined();
    expect(about(root, 'espalier.outcome')).toBe('failed');
    expect(about(root, 'espalier.task')).toBe('library/lend-to-reader/3');
    expect(about(first[1], 'espalier.problem')).toBe('unknown-element');
    expect(first.map(span => about(span, 'espalier.branch'))).toEqual([
      undefined,
      '0',
      '0',
      '1',
      '1',
      '0',
      '0',
      undefined,
    ]);
    for (const span of first.slice(0, -1)) {
      expect(span.parentSpanId).toBe(root.spanId);
      expect(span.status).toEqual({ code: 1 });
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
      expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(root.startTimeUnixNano));
    }
    // The client left: an abandoned episode is an error.
    expect(second.at(-1)?.status).toMatchObject({ code: 2, message: expect.stringContaining('left') });
  });

  it('[SRV-53] say which step a world broke in', async () => {
    const { url, spans } = await collect();
    const { createWorld } = await import('../../worlds/world.ts');
    const { app } = await import('../../../examples/library/library.ts');
    const world = createWorld(app);
    const broken = {
      ...world,
      open: (task: ReturnType<typeof world.task>) => ({
        ...world.open(task),
        step: () => {
          throw new Error('no paper');
        },
      }),
    };
    const server = await serve({ tracer: tracerFor(url), environments: [broken] });
    const client = await server.connect();
    await client.ask('reset', wanted);
    await client.ask('step', { kind: 'finish' });
    await expect.poll(() => spans.length, { timeout: 5000 }).toBe(3);
    expect(spans.map(({ name, status }) => [name, status.code])).toEqual([
      ['reset', 1],
      ['step', 2],
      ['episode', 2],
    ]);
    expect(spans[1]?.status.message).toContain('no paper');
  });

  it('[SRV-54] are dropped when the collector fails: that is told once, and the server goes on', async () => {
    const { url } = await collect(503);
    const faults: string[] = [];
    const tracer = tracerFor(url, faults);
    const server = await serve({ tracer });
    const client = await server.connect();
    for (let seed = 1; seed < 4; seed++) {
      await client.ask('reset', { ...wanted, seed });
      expect(await client.ask('step', { kind: 'finish' })).toMatchObject({ data: { done: true } });
      await tracer.close();
    }
    expect(faults).toEqual([expect.stringContaining('HTTP 503')]);
  });
});
