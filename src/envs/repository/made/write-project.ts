import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { madeProject, type MadeCommit, type MadeProjectOptions } from './made-project.ts';

const firstDay = Date.UTC(2026, 0, 1) / 1000;
const day = 86_400;

/** Writes a made project as a git repository: the same seed gives the same commits. */
export function writeMadeProject(folder: string, options: MadeProjectOptions): MadeCommit[] {
  const commits = madeProject(options);
  mkdirSync(folder, { recursive: true });
  const git = (args: readonly string[], time: number): Buffer => {
    const date = `${time} +0000`;
    const who = {
      GIT_AUTHOR_NAME: 'ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
    };
    const alone = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', PATH: '/usr/local/bin:/usr/bin:/bin' };
    return execFileSync('git', args, {
      cwd: folder,
      stdio: 'pipe',
      env: { ...alone, ...who, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    });
  };
  git(['init', '-q', '-b', 'main'], firstDay);
  let before: readonly string[] = [];
  for (const [at, { message, files }] of commits.entries()) {
    for (const path of before) if (!(path in files)) rmSync(join(folder, path));
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    before = Object.keys(files);
    git(['add', '-A'], firstDay);
    git(['commit', '-q', '-m', message], firstDay + at * day);
  }
  return commits;
}
