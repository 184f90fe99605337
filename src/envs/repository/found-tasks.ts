import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Found } from './mine.ts';
import type { Project } from './project.ts';

/** What was found of commits, kept between runs: a commit gives the same on the same dependencies. */
export interface FoundTasks {
  read(commit: string): Found | null;
  keep(found: Found): void;
}

export function openFoundTasks({ key }: Pick<Project, 'key'>, store: string = usualStore()): FoundTasks {
  const path = (commit: string): string => join(store, key, `${commit}.json`);
  return {
    read: commit => (existsSync(path(commit)) ? (JSON.parse(readFileSync(path(commit), 'utf8')) as Found) : null),
    keep(found) {
      const to = path(found.commit);
      mkdirSync(dirname(to), { recursive: true });
      // Whole, or not at all.
      writeFileSync(`${to}.new`, JSON.stringify(found));
      renameSync(`${to}.new`, to);
    },
  };
}

function usualStore(): string {
  return join(homedir(), '.cache', 'espalier', 'repositories');
}
