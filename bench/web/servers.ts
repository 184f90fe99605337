import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { execPath } from 'node:process';
import * as tickets from '../../examples/tickets/tasks.ts';
import type { Action } from '../../src/core/action.ts';
import { createBrowserPool, type BrowserPool } from '../../src/envs/web/browser/pool.ts';
import { freePort } from '../../src/envs/web/servers/run-server.ts';
import { createWebAppEnvironment } from '../../src/envs/web/sites/app/environment.ts';
import { createSystemTimers } from '../../src/system/clock.ts';
import { createTrail } from '../../src/worlds/trail.ts';
import { installed, startPostgres } from '../../test/fixtures/app/services.ts';
import { figure, type Bench, type Figure } from '../measure.ts';

const root = join(import.meta.dirname, '../..');
const actor = { role: 'student', name: 'hand' } as const;
const [rollbacks, rows] = [20, 50_000];

/** Rollbacks of a page together with the server behind it, across a write. */
export const serversBench: Bench = {
  group: 'servers',
  onDemand: true,
  usesBrowser: true,
  figures: ['web.server-sqlite', 'web.server-requests', 'web.server-postgres'],
  async *run({ browser }, news) {
    const pool = createBrowserPool({ timers: createSystemTimers(), ...browser });
    const { state: _state, ...requests } = tickets.server;
    try {
      yield await measure('web.server-sqlite', { pool, server: tickets.server });
      yield await measure('web.server-requests', { pool, server: requests });
      if (installed.postgres) yield await measurePostgres(pool);
      else news.line('Postgres is not installed: web.server-postgres is left out.');
    } finally {
      await pool.close();
    }
  },
};

async function measurePostgres(pool: BrowserPool): Promise<Figure> {
  const postgres = await startPostgres(await freePort());
  const psql = (url: string, input: string): unknown => execFileSync('psql', ['-Xq', url], { input });
  const url = postgres.url.replace(/postgres$/, 'tickets');
  try {
    psql(postgres.url, 'CREATE DATABASE tickets');
    psql(
      url,
      `CREATE TABLE tickets (id serial PRIMARY KEY, title text, closed int DEFAULT 0, created timestamptz DEFAULT now());
      INSERT INTO tickets (title) VALUES ('Paint the door'), ('Oil the gate');
      CREATE TABLE log AS SELECT i, md5(i::text) FROM generate_series(1, ${rows}) i`,
    );
    const server = {
      command: [execPath, join(root, 'test/fixtures/app/postgres-server.ts')],
      env: { DATABASE_URL: '{postgres}' },
      state: { kind: 'postgres', url },
    };
    return await measure('web.server-postgres', { pool, server });
  } finally {
    await postgres.stop();
  }
}

interface Measured {
  readonly pool: BrowserPool;
  readonly server: object;
}

async function measure(name: string, { pool, server }: Measured): Promise<Figure> {
  const app = await createWebAppEnvironment({
    module: join(root, 'examples/tickets/tasks.ts'),
    tasks: { tasks: tickets.tasks, server },
    pool,
    timers: createSystemTimers(),
    viewport: { width: 900, height: 700 },
    pictures: null,
  });
  try {
    const trail = await createTrail(app, await app.task('add-ticket', 1));
    const take = async (...actions: Action[]): Promise<void> => {
      for (const action of actions) await trail.step(action, actor);
    };
    const add = (title: string) => take({ kind: 'fill', ref: 'e1', text: title }, { kind: 'click', ref: 'e2' });
    const times: number[] = [];
    for (let round = 0; round < rollbacks; round++) {
      await add(`kept ${round}`);
      const at = trail.at();
      await add(`dropped ${round}`);
      const begun = performance.now();
      const { method, divergence } = await trail.rollback(at);
      times.push(performance.now() - begun);
      if (method !== 'restore') throw new Error(`${name}: ${divergence}`);
    }
    await trail.session().close();
    return figure(name, 'ms', times);
  } finally {
    await app.close?.();
  }
}
