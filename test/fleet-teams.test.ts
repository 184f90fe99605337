import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFleetStatus } from '../src/fleet/status.ts';
import { addKey, addTeam, readAudit, readTeam, revokeKey } from '../src/fleet/teams/teams.ts';
import { installed } from './fixtures/app/services.ts';
import { collectLamps, startDatabase, startWorker, type TestDatabase } from './fixtures/fleet/fleet.ts';
import { episodesIn } from './fixtures/program.ts';

let folder = '';
let database: TestDatabase;
const keys = { red: '', blue: '', reader: '', boss: '' };

/** What Postgres says to a statement: the code of its refusal, or the rows. */
async function ask(address: string, sql: string, values: unknown[] = []): Promise<string | unknown[]> {
  const client = new pg.Client({ connectionString: address });
  try {
    await client.connect();
    return (await client.query(sql, values)).rows as unknown[];
  } catch (cause) {
    return String((cause as { code?: string }).code);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function at(address: string, place: string): string {
  const url = new URL(address);
  url.pathname = `/${place}`;
  return url.href;
}

const userOf = (address: string): string => new URL(address).username;
const [denied, noSuchKey] = ['42501', '28P01'];

describe.skipIf(!installed.postgres)('teams that share a Postgres', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'espalier-teams-'));
    database = await startDatabase();
    await addTeam(database.address, 'red', { episodes: 30 });
    await addTeam(database.address, 'blue', {});
    keys.red = await addKey(database.address, 'red', 'run');
    keys.blue = await addKey(database.address, 'blue', 'run');
    keys.reader = await addKey(database.address, 'red', 'read');
    keys.boss = await addKey(database.address, 'red', 'administer');
    const worker = await startWorker({ address: keys.red });
    await collectLamps({ folder: join(folder, 'lamps'), episodes: 8, address: keys.red });
    await worker.kill('SIGTERM');
  });
  afterAll(async () => {
    await database.stop();
    rmSync(folder, { recursive: true });
  });

  it('[FLEET-42] runs with a key of the team, and shows the run to its readers alone', async () => {
    expect(episodesIn(join(folder, 'lamps'))).toHaveLength(8);
    const { runs } = await readFleetStatus(keys.reader);
    expect(runs.map(({ name, done, state }) => [name, done, state])).toEqual([['lamps', 8, 'done']]);
    expect((await readFleetStatus(keys.blue)).runs).toEqual([]);
  });

  it('[FLEET-43] lets no key into the database of another team, by any way', async () => {
    for (const place of ['espalier_red', 'postgres', 'template1'])
      expect([place, await ask(at(keys.blue, place), 'SELECT 1')]).toEqual([place, denied]);
    const attacks = [
      'SET ROLE espalier_red_run',
      'SET ROLE espalier',
      'GRANT espalier_red_read TO CURRENT_USER',
      'ALTER ROLE CURRENT_USER SUPERUSER',
      'CREATE ROLE mine',
      'CREATE EXTENSION dblink SCHEMA espalier',
      'CREATE EXTENSION postgres_fdw SCHEMA espalier',
      'CREATE SCHEMA mine',
      'CREATE TABLE public.mine (x int)',
      'CREATE TABLE espalier.mine (x int)',
      'CREATE TEMP TABLE mine (x int)',
      "COPY espalier.stores TO PROGRAM 'cat'",
      "SELECT pg_read_file('PG_VERSION')",
      'SELECT rolpassword FROM pg_authid',
      "SELECT espalier_team.add_key('blue_mine', 'administer', 'x')",
      'SELECT * FROM espalier_team.audit',
      "SELECT espalier_team.set_quota('episodes', 1)",
      `ALTER DATABASE espalier_red OWNER TO CURRENT_USER`,
    ];
    for (const sql of attacks) expect([sql, await ask(keys.blue, sql)]).toEqual([sql, denied]);
    expect(await ask(keys.blue, 'SELECT count(*)::int AS n FROM espalier.episodes')).toEqual([{ n: 0 }]);
    const others =
      "SELECT query FROM pg_stat_activity WHERE usename <> current_user AND query <> '<insufficient privilege>'";
    expect(await ask(keys.blue, `${others} AND query <> ''`)).toEqual([]);
  });

  it('[FLEET-43] lets no key hold up the runs of another team, nor readers those who connect', async () => {
    const idle = new pg.Client({ connectionString: keys.blue });
    const lock = new pg.Client({ connectionString: keys.reader });
    await Promise.all([idle.connect(), lock.connect()]);
    await idle.query('BEGIN');
    await idle.query('SELECT pg_current_xact_id()');
    await lock.query('SELECT pg_advisory_lock($1)', [0x45737061]);
    const worker = await startWorker({ address: keys.red });
    expect((await readFleetStatus(keys.reader)).workers).toHaveLength(1);
    await lock.end();
    expect(
      await collectLamps({ folder: join(folder, 'held', 'up'), episodes: 2, address: keys.red, run: 'up' }),
    ).toMatchObject({ ended: 2 });
    await idle.end();
    await worker.kill('SIGTERM');
  });

  it('[FLEET-43] lets no key change history, quotas or the audit log of its own team', async () => {
    const attacks = [
      'DELETE FROM espalier.episodes',
      "UPDATE espalier.episodes SET outcome = 'passed'",
      'SELECT * FROM espalier.episodes_2',
      'INSERT INTO espalier.stores (name) VALUES (1)',
      'UPDATE espalier_team.quotas SET most = 1e9',
      'UPDATE espalier_team.used SET episodes = 0',
      'DELETE FROM espalier_team.audit',
      'INSERT INTO espalier_team.audit (who, what, about) VALUES (1, 2, 3)',
      "SELECT espalier_team.note('key', 'nothing')",
      'ALTER TABLE espalier.episodes DISABLE TRIGGER ALL',
      'DROP TRIGGER count_episodes ON espalier.episodes',
      "SET session_replication_role = 'replica'",
      'ALTER FUNCTION espalier_team.refuse(numeric) RENAME TO gone',
      "SELECT espalier_team.set_quota('episodes', 1000000)",
    ];
    for (const key of [keys.red, keys.boss])
      for (const sql of attacks) expect([sql, await ask(key, sql)]).toEqual([sql, denied]);
    const writes = [
      "SELECT lo_from_bytea(0, 'x')",
      'INSERT INTO espalier.files VALUES (1, 2, 3)',
      "SELECT espalier.make_store('mine')",
    ];
    for (const sql of writes) expect([sql, await ask(keys.reader, sql)]).toEqual([sql, denied]);
    const jobs = "SELECT espalier_queue.add_job('core test')";
    expect(await ask(keys.reader, jobs)).toBe(denied);
  });

  it('[FLEET-42] gives keys to those who administer a team, for that team alone; a revoked key opens nothing', async () => {
    const made = await addKey(keys.boss, 'red', 'read');
    expect(await ask(made, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await expect(addKey(keys.boss, 'blue', 'read')).rejects.toMatchObject({ boundary: 'store' });
    await expect(addKey(keys.red, 'red', 'read')).rejects.toMatchObject({ message: expect.stringMatching(/denied/) });
    const add = 'SELECT espalier_team.add_key($1, $2, $3)';
    const verifier = 'SCRAM-SHA-256$4096:AAAA$AAAA:AAAA';
    for (const given of [
      ['blue_x', 'read', verifier],
      ['red_x', 'superuser', verifier],
      ['red_x', 'read', 'plain text'],
    ])
      expect(await ask(keys.boss, add, given)).toBe('22023');
    await revokeKey(keys.boss, 'red', userOf(made));
    expect(await ask(made, 'SELECT 1')).toBe(noSuchKey);
    const member = "SELECT pg_has_role($1, 'espalier_red_read', 'MEMBER') AS member";
    expect(await ask(database.address, member, [userOf(made)])).toEqual([{ member: false }]);
    await expect(revokeKey(keys.boss, 'red', userOf(keys.blue))).rejects.toMatchObject({ boundary: 'input' });
    const hashes = await ask(database.address, 'SELECT rolpassword FROM pg_authid WHERE rolname = $1', [
      userOf(keys.red),
    ]);
    expect(JSON.stringify(hashes)).toMatch(/SCRAM-SHA-256\$4096:/);
    expect(JSON.stringify(hashes)).not.toContain(new URL(keys.red).password);
  });

  it('[FLEET-44] stops the runs of a team that has used up its quota, until it is raised, and writes it down', async () => {
    const worker = await startWorker({ address: keys.red });
    const again = { folder: join(folder, 'more', 'lamps'), episodes: 60, address: keys.red };
    const { ended } = await collectLamps(again);
    expect(ended).toBeGreaterThanOrEqual(20);
    expect(ended).toBeLessThan(60);
    await expect(collectLamps(again)).rejects.toThrow(/used up its quota: \d+ of 30 episodes/);
    const { usage } = await readTeam(keys.boss, 'red');
    expect(usage.find(({ kind }) => kind === 'episodes')).toEqual({ kind: 'episodes', used: 10 + ended, most: 30 });
    await addTeam(database.address, 'red', { episodes: 10_000 });
    const { ended: rest } = await collectLamps(again);
    expect(ended + rest).toBe(60);
    await worker.kill('SIGTERM');
    const log = await readAudit(keys.boss, 'red');
    const told = log.map(({ who, what, about }) => `${who} ${what} ${about}`).join('\n');
    expect(told).toMatch(new RegExp(`${userOf(keys.red)} quota 1 runs were stopped`));
    expect(told).toMatch(new RegExp(`${userOf(keys.boss)} key red_\\w+ may read`));
    expect(told).toMatch(new RegExp(`${userOf(keys.red)} run lamps-\\w+`));
    expect(told).toContain('espalier quota 10000 episodes');
  });

  it('[FLEET-44] refuses episodes of a client that goes on after twice its quota', async () => {
    const many = `INSERT INTO espalier.episodes (store, run, key, phase, round, place, outcome, events, head, ending, body, seal)
      SELECT 1, 'r', number, 'p', 0, 0, 'passed', 0, '{}', '{"counts":{"tokens":"NaN"}}', '', 0 FROM generate_series($1::int, $2) AS number`;
    expect(await ask(keys.blue, many, [1, 5000])).toBe('EQ001');
    expect(await ask(keys.blue, many, [1, 3])).toEqual([]);
    const { usage } = await readTeam(database.address, 'blue');
    expect(usage.map(({ kind, used }) => [kind, used])).toEqual([
      ['episodes', 3],
      ['tokens', 0],
      ['dollars', 0],
    ]);
    await addTeam(database.address, 'red', { episodes: 4 });
    const copy = `INSERT INTO espalier.episodes (store, run, key, phase, round, place, outcome, events, head, ending, body, seal)
      SELECT store, run, key || ' again', phase, round, place, outcome, events, head, ending, body, seal
      FROM espalier.episodes LIMIT 1`;
    expect(await ask(keys.red, copy)).toBe('EQ001');
  });

  it('[FLEET-44] writes down who rewrote or deleted a run', async () => {
    await ask(keys.red, "UPDATE espalier.fleet_runs SET job = '{}' WHERE name = 'lamps'");
    await ask(keys.red, "DELETE FROM espalier.fleet_runs WHERE name = 'lamps'");
    const told = (await readAudit(keys.boss, 'red')).map(({ who, about }) => `${who} ${about}`).join('\n');
    expect(told).toMatch(new RegExp(`${userOf(keys.red)} lamps-\\w+ was rewritten`));
    expect(told).toMatch(new RegExp(`${userOf(keys.red)} lamps-\\w+ was deleted`));
  });
});
