import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';

export function packageVersion(): string {
  // One folder higher up in dist than in src.
  const up = import.meta.url.endsWith('.ts') ? '../../' : '../../../';
  const text = readFileSync(new URL(`${up}package.json`, import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** The version of this Espalier; of a checkout, with its commit. */
export function packageRevision(): string {
  const commit = currentCommit();
  return commit === null ? packageVersion() : `${packageVersion()}+${commit}`;
}

/** `Some processor · 8 cores · Node 24.1.0 · 1a2b3c4`. */
export function describeMachine(): string {
  const processors = cpus();
  const cpu = processors[0]?.model.trim() ?? 'unknown processor';
  return `${cpu} · ${processors.length} cores · Node ${process.versions.node} · ${currentCommit() ?? 'no commit'}`;
}

/** Of the checkout; an installed package has none, and must not name that of the folder it lies in. */
function currentCommit(): string | null {
  if (!import.meta.url.endsWith('.ts')) return null;
  try {
    const git = ['-C', import.meta.dirname, 'describe', '--always', '--dirty', '--exclude=*'];
    return execFileSync('git', git, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
