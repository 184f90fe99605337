import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { causeText, EspalierError } from '../../../../core/errors.ts';
import type { Answer, Answers, RecordedRequest } from '../../sessions/site.ts';

/** Recorded answers, in the format that browsers write (HTTP Archive). */
export interface Archive {
  /** The answers of one session. */
  open(): SessionAnswers;
  /** Writes what was recorded. */
  close(): void;
}

export interface SessionAnswers {
  readonly answers: Answers;
  /** How often each request was answered so far. */
  capture(): string;
  restore(state: string): void;
}

const headersSchema = z.array(z.object({ name: z.string(), value: z.string() }));
const entrySchema = z.object({
  request: z.object({
    method: z.string(),
    url: z.string(),
    postData: z.object({ text: z.string().optional() }).optional(),
  }),
  response: z.object({
    status: z.int(),
    headers: headersSchema.default([]),
    content: z.object({ text: z.string().optional(), encoding: z.string().optional() }),
  }),
});
const archiveSchema = z.object({ log: z.object({ entries: z.array(entrySchema) }) });
type Entry = z.infer<typeof entrySchema>;

/** Answers of a file: nothing else is asked. The same request gets its answers in order, and then the last one again. */
export function readArchive(file: string, covers: Answers['covers']): Archive {
  const known = new Map<string, Answer[]>();
  for (const entry of entriesIn(file)) {
    const key = keyOf({ ...entry.request, postData: entry.request.postData?.text });
    known.set(key, [...(known.get(key) ?? []), answerOf(entry)]);
  }
  return {
    open() {
      let counts: Readonly<Record<string, number>> = {};
      return {
        capture: () => JSON.stringify(Object.entries(counts).toSorted()),
        restore(state) {
          counts = Object.fromEntries(JSON.parse(state) as [string, number][]);
        },
        answers: {
          covers,
          find(request) {
            const key = keyOf(request);
            const recorded = known.get(key) ?? [];
            const count = counts[key] ?? 0;
            counts = { ...counts, [key]: count + 1 };
            return recorded[count] ?? recorded.at(-1) ?? null;
          },
        },
      };
    },
    close: () => undefined,
  };
}

/** Writes the answers that servers give, of each session what no earlier one was answered. */
export function createArchive(file: string, covers: Answers['covers']): Archive {
  const entries = new Map<string, object>();
  return {
    open() {
      const counts = new Map<string, number>();
      return {
        capture: () => '',
        restore: () => undefined,
        answers: {
          covers,
          record(request, answer) {
            const key = keyOf(request);
            const count = counts.get(key) ?? 0;
            counts.set(key, count + 1);
            if (!entries.has(`${count} ${key}`)) entries.set(`${count} ${key}`, entryOf(request, answer));
          },
        },
      };
    },
    close() {
      const creator = { name: 'espalier', version: '1' };
      const text = JSON.stringify({ log: { version: '1.2', creator, entries: [...entries.values()] } }, null, 1);
      // A file that is half written is worth nothing.
      writeFileSync(`${file}.part`, text);
      renameSync(`${file}.part`, file);
    },
  };
}

function keyOf({ method, url, postData = '' }: RecordedRequest): string {
  const { origin, pathname, search } = new URL(url);
  return [method, origin + pathname + search, postData].join(' ');
}

/** The body was decoded when it was recorded. */
const ofTransfer = /^(?:content-(?:encoding|length)|transfer-encoding)$/i;

function answerOf({ response: { status, headers, content } }: Entry): Answer {
  const body = content.encoding === 'base64' ? content.text : Buffer.from(content.text ?? '').toString('base64');
  return {
    responseCode: status,
    responseHeaders: headers.filter(({ name }) => !ofTransfer.test(name)),
    body: body ?? '',
  };
}

/** Without the headers of the request: they have cookies and keys in them. */
function entryOf({ method, url, postData }: RecordedRequest, answer: Answer): object {
  const { responseCode: status, responseHeaders, body } = answer;
  const type = responseHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  const none = { httpVersion: 'HTTP/1.1', headersSize: -1, bodySize: -1, cookies: [] };
  const sent = postData === undefined ? {} : { postData: { mimeType: 'application/octet-stream', text: postData } };
  const content = { size: Buffer.byteLength(body, 'base64'), mimeType: type, text: body, encoding: 'base64' };
  return {
    startedDateTime: new Date(0).toISOString(),
    time: 0,
    request: { method, url, headers: [], queryString: [], ...none, ...sent },
    response: { status, statusText: '', headers: responseHeaders, redirectURL: '', ...none, content },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  };
}

function entriesIn(file: string): readonly Entry[] {
  try {
    return archiveSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).log.entries;
  } catch (cause) {
    throw new EspalierError({
      boundary: 'input',
      code: 'invalid-option',
      message: `The recording ${file} cannot be read: ${causeText(cause)}.`,
      expected: 'Expected an HTTP archive; make one with har: { file, record: true }.',
      cause,
    });
  }
}
