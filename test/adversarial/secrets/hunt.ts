import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createMemoryJournal } from '../../fixtures/memory-journal.ts';
import { startProxied } from '../../fixtures/models/proxied.ts';
import { keepAttempt } from '../../../src/serve/proxy/record/episode.ts';
import type { Journal } from '../../../src/core/episode/journal.ts';
import type { RecordedAttempt } from '../../../src/serve/proxy/record/call-record.ts';
import type { Carrier } from './carriers.ts';
import type { Chain } from './encodings.ts';

const key = 'sk-proj-7fQ2mZxW9tLkVb31RcYh';

/** A key written in a way, at a place of an answer. */
export interface Plant {
  readonly carrier: Carrier;
  readonly chain: Chain;
}

/** Where a planted key came out: nowhere in all that is well. */
export interface Leak {
  readonly plant: string;
  readonly where: 'answer' | 'record' | 'journal';
  readonly text: string;
}

/** Puts every plant into an answer of a model server, and looks for it in all that the proxy tells and writes. */
export async function hunt(plants: readonly Plant[]): Promise<readonly Leak[]> {
  let planted: Plant | undefined;
  const server = createServer((request, response) => {
    request.resume().once('end', () => planted?.carrier.answer(response, planted.chain.encode(key)));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const proxied = await startProxied(() => ({}), { key, base });
  const leaks: Leak[] = [];
  try {
    for (const [at, plant] of plants.entries()) {
      planted = plant;
      const session = `s${at}`;
      const answered = await ask(`${proxied.url}/s/${session}${plant.carrier.path}`, plant.carrier.streams === true);
      const record = readFileSync(join(proxied.folder, `${session}.jsonl`), 'utf8');
      const texts = { answer: answered, record, journal: journalled(proxied.sessions.attempts(session)) };
      for (const [where, text] of Object.entries(texts) as [Leak['where'], string][])
        if (tells(text, plant)) leaks.push({ plant: `${plant.carrier.name}: ${plant.chain.name}`, where, text });
    }
  } finally {
    await proxied.close();
    server.close();
    server.closeAllConnections();
  }
  return leaks;
}

/** All that the journal is told of these attempts. */
function journalled(attempts: readonly RecordedAttempt[]): string {
  const told: string[] = [];
  const journal = createMemoryJournal();
  const listening: Journal = {
    ...journal,
    begin(head) {
      told.push(JSON.stringify(head));
      const log = journal.begin(head);
      return {
        ...log,
        attach(data) {
          told.push(Buffer.from(data).toString('utf8'));
          return log.attach(data);
        },
        append(event) {
          told.push(JSON.stringify(event));
          log.append(event);
        },
      };
    },
  };
  for (const attempt of attempts)
    keepAttempt({ ...attempt, ruling: { pass: true } }, { journal: listening, run: 'run', template: 'harness' });
  return told.join('\n');
}

async function ask(url: string, stream: boolean): Promise<string> {
  const body = JSON.stringify({ model: 'm', max_tokens: 5, stream, messages: [{ role: 'user', content: 'Hello' }] });
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const text = await reply.text().catch((cause: unknown) => String(cause));
  return [...reply.headers].map(([name, value]) => `${name}: ${value}`).join('\n') + text;
}

/** Whether somebody who knows how the key was written can read half of it, with the escapes of JSON undone or not. */
function tells(text: string, { chain, carrier }: Plant): boolean {
  const told = chain.encode(key);
  const half = Math.ceil(told.length * 0.6);
  const views = [text, ...stringsIn(text)];
  views.push(stringsIn(text).join(''));
  if (carrier.cuts === true) views.push(joinedPieces(text));
  return views.some(view => {
    if (view.includes(key)) return true;
    for (let at = 0; at + half <= told.length; at += 3) if (view.includes(told.slice(at, at + half))) return true;
    return false;
  });
}

/** All strings of all JSON in a text, and those in the JSON of these. */
function stringsIn(text: string, depth = 0): readonly string[] {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string') {
      found.push(value);
      if (depth < 4 && /^\s*[[{]/.test(value)) found.push(...stringsIn(value, depth + 1));
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        found.push(name);
        walk(member);
      }
    }
  };
  for (const line of text.split('\n')) {
    const start = line.search(/[[{]/);
    if (start < 0) continue;
    try {
      walk(JSON.parse(line.slice(start)));
    } catch {
      // No JSON: looked at as it is.
    }
  }
  return found;
}

/** What clients put together from the pieces of a stream or of tokens. */
function joinedPieces(text: string): string {
  const names = ['content', 'text', 'arguments', 'partial_json', 'token'];
  return names
    .map(name =>
      [...text.matchAll(new RegExp(`"${name}":("(?:[^"\\\\]|\\\\.)*")`, 'g'))]
        .map(([, piece]) => JSON.parse(piece as string) as string)
        .join(''),
    )
    .join('\n');
}
