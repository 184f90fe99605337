import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { freePort } from '../src/envs/web/servers/run-server.ts';
import { installed } from './fixtures/app/services.ts';
import { startDatabase } from './fixtures/fleet/fleet.ts';
import { runWarm } from './fixtures/program.ts';

const deploy = join(import.meta.dirname, '..', 'deploy');
const files = globSync('{compose.yaml,kubernetes/*.yaml}', { cwd: deploy });

/** Lists of words that start with one of our verbs, wherever they stand. */
function commandsIn(value: unknown): string[][] {
  if (Array.isArray(value)) {
    const isOurs = ['worker', 'fleet'].includes(String(value[0])) && value.every(word => typeof word === 'string');
    return isOurs ? [value as string[]] : value.flatMap(commandsIn);
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(commandsIn) : [];
}

describe('what is deployed', () => {
  it('[FLEET-45] says only options that the program has, and the script of Slurm is one', async () => {
    const documents = files.flatMap(name => parseAllDocuments(readFileSync(join(deploy, name), 'utf8')));
    for (const { errors } of documents as { errors: unknown[] }[]) expect(errors).toEqual([]);
    const commands = documents.flatMap(document => commandsIn((document as { toJS(): unknown }).toJS()));
    expect(commands.map(([verb]) => verb)).toEqual(['worker', 'fleet', 'fleet', 'worker']);
    for (const [verb = '', ...words] of commands) {
      const { stdout } = await runWarm([verb, '--help'], { folder: deploy });
      for (const word of words.filter(one => one.startsWith('--'))) expect(stdout).toContain(`${word} <`);
    }
    execFileSync('bash', ['-n', join(deploy, 'workers.sbatch')]);
  });

  it.skipIf(!installed.postgres)(
    '[FLEET-45] answers probes: alive at once, ready when the fleet knows it',
    async () => {
      const database = await startDatabase();
      const port = await freePort();
      const args = ['worker', '--queue', database.address, '--health', String(port), '--json'];
      const child = spawn(process.execPath, [join(deploy, '..', 'bin', 'espalier.js'), ...args]);
      try {
        const status = (path: string): Promise<number> =>
          fetch(`http://127.0.0.1:${port}${path}`).then(
            ({ status: found }) => found,
            () => 0,
          );
        const seen = new Set<string>();
        await vi.waitFor(async () => {
          seen.add(`${await status('/healthz')} ${await status('/readyz')}`);
          expect(seen).toContain('200 200');
        }, 30_000);
        expect(
          [...seen].filter(found => found.startsWith('0') === false && !['200 503', '200 200'].includes(found)),
        ).toEqual([]);
        expect(await status('/')).toBe(404);
      } finally {
        child.kill('SIGTERM');
        await once(child, 'close');
        await database.stop();
      }
    },
  );
});
