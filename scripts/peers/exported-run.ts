import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runPaths } from '../../src/runs/folder/folder.ts';
import { openStore } from '../../src/store/store.ts';
import { createTokenEpisodes } from '../../test/fixtures/tokens/token-episode.ts';

const formats = 'inspect,atif,openenv,verifiers';

/**
 * Two exported runs for readers of other libraries. `branching` was collected, with rejected branches that live on.
 * `tokens` was written by hand, with the token ids that a model server would have given.
 */
export function exportRuns(root: string, folder: string): void {
  const espalier = (...args: string[]): void => {
    const { status } = spawnSync(process.execPath, [join(root, 'bin', 'espalier.js'), ...args], { stdio: 'inherit' });
    if (status !== 0) throw new Error(`espalier ${args.join(' ')} ended with ${status}.`);
  };
  const branching = join(folder, 'branching');
  const tasks = ['--templates', 'star-message,contact-phone', '--instances', '2'];
  espalier('collect', 'mail', ...tasks, '--set', 'strategy.branching=true', '--out', branching);
  const problems = join(folder, 'problems');
  espalier('collect', 'problem:gcd', '--instances', '4', '--out', problems);
  espalier('export', problems, '--table', 'prompt-completion,dialogues,preferences', '--format', 'jsonl');
  const tokens = join(folder, 'tokens');
  writeTokenRun(tokens);
  for (const run of [branching, tokens]) {
    espalier('export', run, '--as', formats);
    espalier('export', run, '--tokens', 'trl,verl,skyrl,prime-rl');
  }
}

function writeTokenRun(folder: string): void {
  const episodes = createTokenEpisodes();
  const episode = episodes
    .begin()
    .ask({ prompt: [1, 2], completion: [3, 4] })
    .step()
    .ask({ prompt: [1, 2, 3, 4, 5], completion: [6] })
    .step()
    .leaf('sample', false)
    .back(1)
    .ask({ prompt: [1, 2, 3, 4, 5], completion: [7, 8] })
    .step()
    .end('passed');
  mkdirSync(folder, { recursive: true });
  const store = openStore({ path: runPaths(folder).store });
  episodes.write(store, episode);
  store.close();
}
