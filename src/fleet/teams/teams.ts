import { createHmac, hash, pbkdf2Sync, randomBytes } from 'node:crypto';
import { EspalierError, invalidOption } from '../../core/errors.ts';
import { connectFleet, type FleetDatabase } from '../database/connect.ts';
import {
  databaseOf,
  groupOf,
  keyFunctions,
  keyRoles,
  quotaKinds,
  teamGrants,
  teamTables,
  type KeyRole,
} from './team-schema.ts';

export type Quotas = Readonly<Partial<Record<(typeof quotaKinds)[number], number>>>;

export interface TeamStatus {
  readonly team: string;
  readonly usage: readonly { readonly kind: string; readonly used: number; readonly most: number | null }[];
  readonly keys: readonly {
    readonly name: string;
    readonly role: string;
    readonly made: Date;
    readonly revoked: Date | null;
  }[];
}

export interface AuditEntry {
  readonly at: Date;
  readonly who: string;
  readonly what: string;
  readonly about: string;
}

const teamPattern = /^[a-z][a-z0-9]{0,30}$/;

/** Makes a team with a database of its own, or brings one up to date and changes its quotas. Gives the address of the database. */
export async function addTeam(address: string, team: string, quotas: Quotas): Promise<string> {
  if (!teamPattern.test(team))
    throw invalidOption(`"${team}" is no name of a team.`, 'Expected small letters and digits, a letter first.');
  const own = addressOf(address, databaseOf(team));
  await withDatabase(address, async database => {
    const groups = keyRoles.map(role => groupOf(team, role));
    for (const group of groups)
      await database.query(
        `DO $$ BEGIN CREATE ROLE ${group} NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
      );
    const known = await database.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseOf(team)]);
    if (known.length === 0) await database.query(`CREATE DATABASE ${databaseOf(team)}`);
    // Whoever has a key may connect to the database of its team, and to no other.
    const others = await database.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE datallowconn AND datdba = current_user::regrole',
    );
    for (const { datname } of others)
      await database.query(`REVOKE ALL ON DATABASE "${datname.replaceAll('"', '""')}" FROM PUBLIC`);
  });
  await withDatabase(own, database =>
    database.transaction(async client => {
      await client.query(teamTables);
      await client.query(keyFunctions(team));
      await client.query(teamGrants(team));
      for (const [kind, most] of Object.entries(quotas))
        if (most !== undefined) await client.query('SELECT espalier_team.set_quota($1, $2)', [kind, most]);
    }),
  );
  return own;
}

/** Makes a key of a team. The secret is in the address that comes back and nowhere else: Postgres keeps a hash of it. */
export async function addKey(address: string, team: string, role: KeyRole): Promise<string> {
  const own = addressOf(address, databaseOf(team));
  const name = `${team}_${randomBytes(6).toString('hex')}`;
  const secret = randomBytes(24).toString('base64url');
  await withDatabase(own, database =>
    asTeam(team, () => database.query('SELECT espalier_team.add_key($1, $2, $3)', [name, role, verifierOf(secret)])),
  );
  const url = new URL(own);
  [url.username, url.password] = [name, secret];
  return url.href;
}

/** Ends a key and the connections that were opened with it. */
export async function revokeKey(address: string, team: string, name: string): Promise<void> {
  const own = addressOf(address, databaseOf(team));
  await withDatabase(own, database =>
    asTeam(team, () => database.query('SELECT espalier_team.revoke_key($1)', [name])),
  );
}

export async function readTeam(address: string, team: string): Promise<TeamStatus> {
  return withDatabase(addressOf(address, databaseOf(team)), database =>
    asTeam(team, async () => {
      const usage = await database.query<TeamStatus['usage'][number]>(
        'SELECT kind, used::float8 AS used, most::float8 AS most FROM espalier_team.usage()',
      );
      const keys = await database.query<TeamStatus['keys'][number]>(
        'SELECT name, role, made, revoked FROM espalier_team.keys ORDER BY made, name',
      );
      return { team, usage, keys };
    }),
  );
}

export async function readAudit(address: string, team: string): Promise<AuditEntry[]> {
  return withDatabase(addressOf(address, databaseOf(team)), database =>
    asTeam(team, () => database.query<AuditEntry>('SELECT at, who, what, about FROM espalier_team.audit ORDER BY id')),
  );
}

function addressOf(address: string, database: string): string {
  const url = new URL(address);
  url.pathname = `/${database}`;
  return url.href;
}

async function withDatabase<T>(address: string, work: (database: FleetDatabase) => Promise<T>): Promise<T> {
  const database = await connectFleet({ address, connections: 1 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Says what a refusal of Postgres means here. */
async function asTeam<T>(team: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const { code = '', message = '' } = cause as { code?: string; message?: string };
    if (!['22023', '42501', '3F000', '42P01', '42883'].includes(code)) throw cause;
    throw new EspalierError({
      boundary: 'input',
      code: 'invalid-option',
      message: `Team ${team}: ${message}`,
      expected: 'Expected a team that espalier team add made, and a key that may administer it.',
      cause,
    });
  }
}

/** What Postgres keeps of a secret (RFC 5803): the secret itself never goes over the wire, nor into a log. */
function verifierOf(secret: string): string {
  const [salt, rounds] = [randomBytes(16), 4096];
  const salted = pbkdf2Sync(secret, salt, rounds, 32, 'sha256');
  const keyed = (what: string): Buffer => createHmac('sha256', salted).update(what).digest();
  const stored = hash('sha256', keyed('Client Key'), 'base64');
  return `SCRAM-SHA-256$${rounds}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
}
