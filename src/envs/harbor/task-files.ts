import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InitialFile } from '../terminal/sandbox/sandbox.ts';
import type { HarborTask } from './task-folder.ts';

/** The tests of a task, as they lie in `/tests` while it is verified: nothing of an agent shows through. */
export function testFiles({ folder, layout }: HarborTask): InitialFile[] {
  const extra = layout === 'harbor' ? [] : filesIn(folder, 'run-tests.sh', 'tests/run-tests.sh');
  return [{ path: 'tests', isFresh: true, mode: 0o755 }, ...filesIn(join(folder, 'tests'), '', 'tests'), ...extra];
}

export const testCommand = {
  harbor: 'bash /tests/test.sh',
  'terminal-bench': 'bash /tests/run-tests.sh',
} as const;

/** Where a reward is written, and logs: empty when a task is verified. */
export const logFiles: readonly InitialFile[] = [
  { path: 'logs', mode: 0o755 },
  { path: 'logs/agent', mode: 0o777 },
  { path: 'logs/verifier', isFresh: true, mode: 0o777 },
];

/** The solution as it lies in `/solution`, or `/oracle`; null when there is none. */
export function solutionFiles({ folder, layout }: HarborTask): InitialFile[] | null {
  const [from, place, script] =
    layout === 'harbor' ? ['solution', 'solution', 'solve.sh'] : ['solution.sh', 'oracle', 'solution.sh'];
  if (!existsSync(layout === 'harbor' ? join(folder, from, script) : join(folder, from))) return null;
  const files =
    layout === 'harbor' ? filesIn(join(folder, from), '', place) : filesIn(folder, from, `${place}/${script}`);
  return [{ path: place, isFresh: true, mode: 0o755 }, ...files];
}

export const solutionScript = { harbor: 'solution/solve.sh', 'terminal-bench': 'oracle/solution.sh' } as const;

/** The texts of scripts that run in the world after it was built. */
export function scriptsOf(task: HarborTask): string[] {
  const files = [...testFiles(task), ...(solutionFiles(task) ?? [])];
  return files.flatMap(({ path, content }) => (path.endsWith('.sh') && content !== undefined ? [String(content)] : []));
}

const executable = 0o111;

function filesIn(root: string, path: string, to: string): InitialFile[] {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  const found = lstatSync(full);
  if (found.isDirectory()) {
    const inner = readdirSync(full)
      .toSorted()
      .flatMap(name => filesIn(root, join(path, name), `${to}/${name}`));
    return path === '' ? inner : [{ path: to, mode: 0o755 }, ...inner];
  }
  const isProgram = (found.mode & executable) !== 0 || to.endsWith('.sh');
  return [{ path: to, content: readFileSync(full), mode: isProgram ? 0o755 : 0o644 }];
}
