import type { Timers } from '../../core/clock.ts';
import { causeText } from '../../core/errors.ts';

/** A piece of work with a beginning and an end, as OpenTelemetry has it. */
interface Span {
  /** 16 bytes, in hexadecimal: the same for all spans of an episode. */
  readonly trace: string;
  /** 8 bytes, in hexadecimal. */
  readonly id: string;
  readonly parent: string | null;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  /** What went wrong; null when nothing did. */
  readonly error: string | null;
}

export type Attributes = Readonly<Record<string, string | number | boolean | null>>;

export interface SpanExporter {
  add(span: Span): void;
  /** Sends what waits. */
  close(): Promise<void>;
}

export interface OtlpOptions {
  /** Address of the collector, such as `http://127.0.0.1:4318`. */
  readonly endpoint: string;
  readonly version: string;
  readonly timers: Timers;
  /** Told when spans could not be sent, once until they can again. */
  onFault(cause: unknown): void;
}

const sendEveryMilliseconds = 1000;
const spansInRequest = 512;
/** When the collector is slower than the server, the newest spans are dropped. */
const mostWaiting = 8192;
const requestMilliseconds = 5000;

/** Sends spans to a collector by OTLP over HTTP, as JSON. A collector that fails costs spans, and nothing else. */
export function createOtlpExporter(options: OtlpOptions): SpanExporter {
  const { endpoint, timers, onFault } = options;
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  let waiting: Span[] = [];
  let sending: Promise<void> | null = null;
  let isFailing = false;
  let cancel: (() => void) | null = null;

  const send = async (spans: readonly Span[]): Promise<void> => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(otlpBody(spans, options.version)),
        signal: AbortSignal.timeout(requestMilliseconds),
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      isFailing = false;
    } catch (cause) {
      if (!isFailing) onFault(new Error(`Spans cannot be sent to ${url}: ${causeText(cause)}. They are dropped.`));
      isFailing = true;
    }
  };
  const sendAll = async (): Promise<void> => {
    cancel?.();
    cancel = null;
    while (waiting.length > 0) {
      const spans = waiting.slice(0, spansInRequest);
      waiting = waiting.slice(spansInRequest);
      await send(spans);
    }
  };
  const flush = (): Promise<void> =>
    (sending ??= sendAll().finally(() => {
      sending = null;
    }));
  return {
    add(span) {
      if (waiting.length >= mostWaiting) return;
      waiting.push(span);
      if (waiting.length >= spansInRequest) void flush();
      else cancel ??= timers.after(sendEveryMilliseconds, () => void flush());
    },
    async close() {
      await sending;
      await flush();
    },
  };
}

const kindInternal = 1;
const status = { ok: 1, error: 2 };

/** `ExportTraceServiceRequest` in the JSON encoding of OTLP: ids in hexadecimal, 64-bit numbers as text. */
function otlpBody(spans: readonly Span[], version: string): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ 'service.name': 'espalier', 'service.version': version }) },
        scopeSpans: [{ scope: { name: 'espalier', version }, spans: spans.map(otlpSpan) }],
      },
    ],
  };
}

function otlpSpan({ trace, id, parent, name, start, end, attributes, error }: Span): object {
  return {
    traceId: trace,
    spanId: id,
    ...(parent === null ? {} : { parentSpanId: parent }),
    name,
    kind: kindInternal,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    attributes: attributesOf(attributes),
    status: error === null ? { code: status.ok } : { code: status.error, message: error },
  };
}

function nanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1000)) * 1000n);
}

function attributesOf(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) => (value === null ? [] : [{ key, value: valueOf(value) }]));
}

function valueOf(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
