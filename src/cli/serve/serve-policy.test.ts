import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { causeText, type EspalierError } from '../../core/errors.ts';
import { untrainedWeights, writeStudent } from '../../agents/learned/student.ts';
import { listen } from '../../serve/http.ts';
import { createOutput } from '../terminal/output.ts';
import { addServePolicy } from './serve-policy-verb.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-serve-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the verb, does something as soon as it serves, and stops it. */
async function serve(args: readonly string[], meanwhile: (printed: string) => Promise<void> = async () => {}) {
  const { promise: printed, resolve: onPrinted } = Promise.withResolvers<string>();
  const results = { write: onPrinted };
  const output = createOutput({ results, progress: { write: () => true }, colours: false });
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  let code: number | null = null;
  addServePolicy(program, {
    output,
    finish: async work => {
      code = await work;
    },
  });
  const running = program.parseAsync(['serve-policy', '--port', '0', ...args], { from: 'user' });
  await Promise.race([printed, running]);
  try {
    await meanwhile(await printed);
  } finally {
    process.emit('SIGTERM');
    await running;
  }
  return code;
}

describe('espalier serve-policy', () => {
  it('[SRV-19] serves what it is told until it is stopped', async () => {
    const file = join(folder, 'student.json');
    writeFileSync(file, writeStudent(untrainedWeights()));
    const code = await serve(['--student', file, '--planner', '--env', 'mail', '--json'], async printed => {
      const { url, models } = JSON.parse(printed) as { url: string; models: string[] };
      expect(models).toEqual(['student', 'planner']);
      const listed = (await (await fetch(`${url}/models`)).json()) as { data: { id: string }[] };
      expect(listed.data.map(({ id }) => id)).toEqual(models);
    });
    expect(code).toBe(0);
    await serve(['--student', 'untrained'], async printed => {
      expect(printed).toMatch(/^Serving student at http:\/\/127\.0\.0\.1:\d+\/v1\n$/);
    });
  });

  it('[SRV-19] refuses to serve nothing, what cannot be read, and on a port that is in use', async () => {
    const refusal = (...args: string[]) =>
      serve(args).then(String, (cause: unknown) => `${(cause as EspalierError).boundary}: ${causeText(cause)}`);
    expect(await refusal()).toMatch(/^input: Nothing says what is to be served/);
    expect(await refusal('--student', 'untrained', '--env', 'mail')).toMatch(/Add --planner/);
    expect(await refusal('--student', join(folder, 'none.json'))).toMatch(/cannot be read/);
    expect(await refusal('--planner', '--env', 'mall')).toMatch(/Did you mean "mail"/);
    expect(await refusal('--planner', '--env', 'mail', 'mail')).toMatch(/two environments with the id/);
    expect(await refusal('--planner', '--planner-errors', '2')).toMatch(/number from 0 to 1/);
    const taken = await listen(() => undefined);
    expect(await refusal('--student', 'untrained', '--port', String(taken.port))).toMatch(
      /^input: Port \d+ of 127.0.0.1 is in use/,
    );
    await taken.close();
  });
});
