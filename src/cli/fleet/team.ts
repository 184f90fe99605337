import { invalidOption } from '../../core/errors.ts';
import { keyRoles, type KeyRole } from '../../fleet/teams/team-schema.ts';
import { addKey, addTeam, readAudit, readTeam, revokeKey } from '../../fleet/teams/teams.ts';
import { columns, type ExitCode, type Output } from '../terminal/output.ts';

export interface TeamRequest {
  readonly what: string;
  readonly team: string;
  readonly address: string;
  readonly role: string;
  readonly key?: string;
  readonly quotaEpisodes?: number;
  readonly quotaTokens?: number;
  readonly quotaDollars?: number;
  readonly json?: boolean;
}

type Doing = (output: Output, request: TeamRequest) => Promise<void>;

const doings: Readonly<Record<string, Doing>> = {
  async add(output, { address, team, quotaEpisodes: episodes, quotaTokens: tokens, quotaDollars: dollars, json }) {
    const given = Object.entries({ episodes, tokens, dollars }).filter(([, most]) => most !== undefined);
    await addTeam(address, team, Object.fromEntries(given));
    if (json === true) output.json({ team });
    else output.line(`Team ${team} has a database of its own. Give it keys: espalier team key ${team} --role run.`);
  },
  async key(output, { address, team, role, json }) {
    const found = await addKey(address, team, roleNamed(role));
    if (json === true) output.json({ team, role, address: found });
    else {
      output.line(`A key of team ${team} that may ${role}. It is not shown again:`);
      output.line(`  ${output.paint.bold(found)}`);
    }
  },
  async revoke(output, { address, team, key, json }) {
    if (key === undefined)
      throw invalidOption('No key was named.', 'Expected --key <name>: espalier team show lists them.');
    await revokeKey(address, team, key);
    if (json === true) output.json({ team, revoked: key });
    else output.line(`${key} opens nothing any more.`);
  },
  async show(output, { address, team, json }) {
    const found = await readTeam(address, team);
    if (json === true) return output.json(found);
    const { paint, line } = output;
    const usage = found.usage.map(({ kind, used, most }) => [
      kind,
      String(used),
      most === null ? 'no quota' : String(most),
    ]);
    for (const text of columns([['used', '', 'of'].map(head => paint.dim(head)), ...usage], [1, 2])) line(text);
    line();
    const keys = found.keys.map(({ name, role, made, revoked }) => [
      name,
      role,
      made.toISOString().slice(0, 10),
      revoked === null ? '' : `revoked ${revoked.toISOString().slice(0, 10)}`,
    ]);
    for (const text of columns([['key', 'may', 'made', ''].map(head => paint.dim(head)), ...keys], [])) line(text);
  },
  async audit(output, { address, team, json }) {
    for (const { at, who, what, about } of await readAudit(address, team)) {
      if (json === true) output.json({ at, who, what, about });
      // Teams name their runs: a name of several lines must not look like several entries.
      else output.line(`${at.toISOString()}  ${who}  ${what}  ${about.replaceAll(/\s+/g, ' ')}`);
    }
  },
};

/** Teams that share a Postgres. */
export async function manageTeam(output: Output, request: TeamRequest): Promise<ExitCode> {
  const doing = doings[request.what];
  if (doing === undefined)
    throw invalidOption(
      `"${request.what}" is nothing to do with a team.`,
      `Expected one of: ${Object.keys(doings).join(', ')}.`,
    );
  await doing(output, request);
  return 0;
}

function roleNamed(name: string): KeyRole {
  const found = keyRoles.find(role => role === name);
  if (found === undefined)
    throw invalidOption(`"${name}" is no role of a key.`, `Expected one of: ${keyRoles.join(', ')}.`);
  return found;
}
