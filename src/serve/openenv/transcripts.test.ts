import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type StartedServer } from '../../../test/fixtures/serve/start-server.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'test', 'fixtures', 'serve');
const names = readdirSync(folder).filter(name => name.endsWith('.jsonl'));

let server: StartedServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

interface Line {
  readonly send?: object;
  readonly expect?: object;
}

/** Puts remembered values in the place of their names. */
function filled(value: unknown, known: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === 'string') return known.get(value) ?? value;
  if (Array.isArray(value)) return value.map(item => filled(item, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, known)]));
}

/** Where a message is not as it was expected; values with new names are remembered. */
function differences(wanted: unknown, got: unknown, known: Map<string, unknown>): string[] {
  if (wanted === '**') return got === undefined ? ['is missing'] : [];
  if (typeof wanted === 'string' && wanted.startsWith('$')) {
    if (!known.has(wanted) && typeof got === 'string') known.set(wanted, got);
    return known.get(wanted) === got && got !== undefined ? [] : [`${wanted} is ${JSON.stringify(got)}`];
  }
  if (typeof wanted !== 'object' || wanted === null)
    return Object.is(wanted, got) ? [] : [`${JSON.stringify(got)} is not ${JSON.stringify(wanted)}`];
  if (typeof got !== 'object' || got === null) return [`${JSON.stringify(got)} is no object`];
  return Object.entries(wanted).flatMap(([name, member]) =>
    differences(member, (got as Record<string, unknown>)[name], known).map(text => `${name}: ${text}`),
  );
}

describe('conformance transcripts', () => {
  it.each(names)('[SRV-30] %s is what the server says', async name => {
    const lines = readFileSync(join(folder, name), 'utf8').trim().split('\n');
    expect(lines.length).toBeGreaterThan(10);
    const client = await server.connect();
    const known = new Map<string, unknown>();
    for (const [index, text] of lines.entries()) {
      const line = JSON.parse(text) as Line;
      if (line.send !== undefined) client.send(JSON.stringify(filled(line.send, known)));
      if (line.expect === undefined) continue;
      expect([index + 1, differences(line.expect, await client.next(), known)]).toEqual([index + 1, []]);
    }
    await client.close();
  });

  it('[SRV-30] differ where a server does', () => {
    const known = new Map<string, unknown>([['$a', 'x']]);
    expect(differences({ a: '$a' }, { a: 'y' }, known)).toEqual(['a: $a is "y"']);
    expect(differences({ a: '**' }, {}, known)).toEqual(['a: is missing']);
    expect(differences({ a: [1, { b: null }] }, { a: [1, { b: 2 }] }, known)).toEqual(['a: 1: b: 2 is not null']);
  });
});
