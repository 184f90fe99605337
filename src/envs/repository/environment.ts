import { basename } from 'node:path';
import { EspalierError } from '../../core/errors.ts';
import type { Source } from '../../worlds/family.ts';
import { createTerminalEnvironment } from '../terminal/environment.ts';
import { admitTerminals } from '../terminal/ladder.ts';
import { commitTemplate } from './commit-template.ts';
import { openFoundTasks, type FoundTasks } from './found-tasks.ts';
import { openProject, openSandboxes } from './project.ts';

const mostCommits = 5000;

/** The commits of a repository that were found to be tasks, as a terminal environment. */
export function openRepository(folder: string, kept?: FoundTasks): Source {
  const project = openProject(folder);
  const found = kept ?? openFoundTasks(project);
  const templates = project.history.commits(mostCommits).flatMap(commit => {
    const task = found.read(commit.id)?.task ?? null;
    return task === null ? [] : [commitTemplate(project, commit, task)];
  });
  if (templates.length === 0) throw notChecked(folder);
  const sandboxes = () => openSandboxes(project);
  const named = (ids: readonly string[]) => templates.filter(({ id }) => ids.includes(id));
  return {
    environment: createTerminalEnvironment({
      id: `repository-${basename(project.history.folder)}`,
      templates,
      sandboxes,
    }),
    ladder: { admit: (ids, seeds) => admitTerminals(sandboxes, named(ids), { seeds: Math.min(seeds, 1) }) },
  };
}

function notChecked(folder: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `No commit of ${folder} is known to be a task.`,
    expected: `Run \`espalier check repository:${folder}\` first: it runs the tests before and after each of the newest commits, and keeps those that are.`,
  });
}
