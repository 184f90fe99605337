/** A server as people write them: tickets in an SQLite file, and the page that shows them. `DATABASE` and `PORT` say where. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { env } from 'node:process';
import { DatabaseSync } from 'node:sqlite';

const database = new DatabaseSync(env['DATABASE'] ?? 'tickets.db');
database.exec(`PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS tickets (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL, closed INTEGER NOT NULL DEFAULT 0,
    created TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP);
  INSERT INTO tickets (title)
    SELECT value FROM json_each('["Paint the door", "Oil the gate"]') WHERE NOT EXISTS (SELECT 1 FROM tickets)`);

async function bodyOf(request: IncomingMessage): Promise<{ title?: string }> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? {} : (JSON.parse(text) as { title?: string });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '/';
  const [, id] = /^\/api\/tickets\/(\d+)\/close$/.exec(path) ?? [];
  if (path === '/') return void response.setHeader('content-type', 'text/html').end(page());
  if (request.method === 'POST' && path === '/api/tickets')
    database.prepare('INSERT INTO tickets (title) VALUES (?)').run((await bodyOf(request)).title ?? '');
  else if (request.method === 'POST' && id !== undefined)
    database.prepare('UPDATE tickets SET closed = 1 WHERE id = ?').run(id);
  else if (path !== '/api/tickets') return void response.writeHead(404).end();
  const tickets = database.prepare('SELECT id, title, closed FROM tickets ORDER BY id').all();
  response.setHeader('content-type', 'application/json').end(JSON.stringify(tickets));
}

const page = (): Buffer => readFileSync(join(import.meta.dirname, 'index.html'));
const server = createServer((request, response) => {
  answer(request, response).catch(() => response.writeHead(500).end());
});
server.listen(Number(env['PORT'] ?? 3000), '127.0.0.1');
