import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { answerOf, chunksOf, completionOf, screenOf, type Asked } from './answers.ts';
import { readArgument, tellParent } from './child.ts';
import { delayOf, type Delays } from './delays.ts';

/** A server that speaks as OpenAI's do and takes its time, in a process of its own. */
export interface EndpointOptions {
  readonly delays: Delays;
  /** Answers of an episode; the last one finishes it. */
  readonly steps: number;
  /** The step that is never answered: who asks for it waits. */
  readonly holdAt: number | null;
}

/** Said when it listens, and whenever one more waits for what never comes. */
export interface EndpointNews {
  readonly port: number;
  readonly held: number;
}

const bodySchema = z.object({
  stream: z.boolean().optional(),
  /** The episode that asks. */
  user: z.string(),
  messages: z.array(z.looseObject({ role: z.string() })),
});

/** How many pieces a clock sends, and how far apart. */
const clockSchema = z.object({
  model: z.literal('clock'),
  max_tokens: z.int().positive(),
  metadata: z.object({ every: z.coerce.number() }),
});

serve(readArgument<EndpointOptions>());

function serve(options: EndpointOptions): void {
  let held = 0;
  const server = createServer((request, response) => {
    void readBody(request).then(body => {
      if (answer(body, response, options)) return;
      held++;
      tell();
    });
  });
  const tell = (): void => {
    tellParent({ port: (server.address() as AddressInfo).port, held } satisfies EndpointNews);
  };
  server.keepAliveTimeout = 0;
  server.listen({ port: 0, host: '127.0.0.1', backlog: 2048 }, tell);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString());
}

/** False when this is a question that is never answered. */
function answer(body: unknown, response: ServerResponse, { delays, steps, holdAt }: EndpointOptions): boolean {
  const clock = clockSchema.safeParse(body);
  if (clock.success) {
    tick(clock.data, response);
    return true;
  }
  const { user, messages, stream = false } = bodySchema.parse(body);
  const step = messages.filter(({ role }) => role === 'assistant').length;
  if (step === holdAt) return false;
  const asked: Asked = { episode: Number(user), step, isLast: step === steps - 1, screen: screenOf(messages.at(-1)) };
  const milliseconds = delayOf(delays, asked.episode, step);
  if (stream) write(response, chunksOf(answerOf(asked)), milliseconds);
  else setTimeout(() => writeWhole(response, completionOf(answerOf(asked))), milliseconds);
  return true;
}

function writeWhole(response: ServerResponse, reply: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
}

/** The first piece comes after half of the time, the others follow evenly. */
function write(response: ServerResponse, chunks: readonly string[], milliseconds: number): void {
  const started = performance.now();
  const next = (index: number): void => {
    if (index === 0) response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunks[index]);
    if (index === chunks.length - 1) return void response.end();
    const due = milliseconds * (0.5 + (0.5 * (index + 1)) / (chunks.length - 1));
    wait(started + due, () => next(index + 1));
  };
  wait(started + milliseconds / 2, () => next(0));
}

/** Sends the time that each piece is sent at, by the clock that all processes of a machine share. */
function tick({ max_tokens: count, metadata: { every } }: z.infer<typeof clockSchema>, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const started = performance.now();
  const next = (index: number): void => {
    const isLast = index === count - 1;
    const delta = { role: 'assistant', content: `${process.hrtime.bigint()} ` };
    const choices = [{ index: 0, delta, finish_reason: isLast ? 'stop' : null }];
    const chunk = { id: 'clock', object: 'chat.completion.chunk', created: 0, model: 'clock', choices };
    response.write(`data: ${JSON.stringify(chunk)}\n\n${isLast ? 'data: [DONE]\n\n' : ''}`);
    if (isLast) response.end();
    else wait(started + every * (index + 1), () => next(index + 1));
  };
  next(0);
}

function wait(until: number, run: () => void): void {
  setTimeout(run, Math.max(0, until - performance.now()));
}
