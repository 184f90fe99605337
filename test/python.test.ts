import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportDataset } from '../src/dataset/export-dataset.ts';
import { createTokenEpisodes } from './fixtures/tokens/token-episode.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-python-'));
afterAll(() => rmSync(folder, { recursive: true }));

// Debian's own Python first: nothing but the standard library is there.
const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';

interface PythonTests {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the tests of the Python package, which start the real server. */
function runPythonTests(): Promise<PythonTests> {
  return new Promise((resolve, reject) => {
    const child = spawn(python, ['-m', 'unittest', '-v'], {
      cwd: join(import.meta.dirname, '..', 'python'),
      env: { ...process.env, ESPALIER_TOKEN_ROWS: folder, PYTHONDONTWRITEBYTECODE: '1' },
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject).on('close', code => resolve({ code, output }));
  });
}

/** Token rows of an episode whose student sampled the tokens 10 and 2,000,000,000. */
function writeTokenRows(): void {
  const hand = createTokenEpisodes();
  const episode = hand
    .begin(0)
    .ask({ prompt: [1, 2], completion: [10], temperature: 1 })
    .step()
    .ask({ prompt: [1, 2, 10, 3], completion: [2_000_000_000], temperature: 1 })
    .step()
    .end('passed');
  const tokens = ['trl', 'verl', 'skyrl', 'prime-rl'] as const;
  exportDataset({ source: hand.sourceOf([episode]), folder, tokens, toolsOf: () => [] });
}

describe('the Python package', () => {
  let ran: PythonTests;
  beforeAll(async () => {
    writeTokenRows();
    ran = await runPythonTests();
  });

  it.each([
    ['[PYT-1] reads frames of any size and order, and refuses wrong ones', 'test_frames.FramesTest', 5],
    ['[PYT-2] tells what a server did wrong', 'test_frames.BadServerTest', 7],
    ['[PYT-3] has all verbs of a session, and errors with a code', 'test_client.ClientTest', 15],
    ['[PYT-4] plays a group whose tree and rows are in the run folder', 'test_client.OwnServerTest', 1],
    ['[PYT-4] runs the program of the README', 'test_example.ExampleTest', 1],
    ['[PYT-5] has the same verbs for asyncio', 'test_aio.AsyncClientTest', 6],
    ['[PYT-20] goes on with kept sessions after a lost connection, and leaves none', 'test_reconnect.ReconnectTest', 4],
    [
      '[PYT-21] [PYT-22] reads answers of any dress, and writes tools as the model knows them',
      'test_rollouts.RolloutsTest',
      5,
    ],
    ['[PYT-24] finds or starts a server', 'test_starting.StartingTest', 3],
    ['[PYT-6] reads rows with masks, and names broken ones', 'test_rows.', 5],
  ])('%s', (_, prefix, least) => {
    const tests = ran.output.split(/^(?=test_)/m).filter(text => text.includes(`(tests.${prefix}`));
    // Something may be printed between the name of a test and its result.
    const passed = tests.filter(text => /(?:\.\.\. |^)ok$/m.test(text));
    expect(passed.length, ran.output).toBeGreaterThanOrEqual(least);
  });

  it('[PYT-1] needs nothing but the standard library, and no test of it fails or is left out', () => {
    expect(ran.output).toMatch(/^OK$/m);
    expect(ran.code).toBe(0);
  });
});
