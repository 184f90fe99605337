import type { Environment } from '../../../core/contracts.ts';
import type { Task } from '../../../core/records.ts';
import { createImportedTasks } from '../../imported-tasks.ts';
import type { BrowserPool, Viewport } from '../browser/pool.ts';
import type { Site } from './site.ts';
import { createSiteSession, createStartKeeper } from './site-session.ts';
import { createWarmStarts } from './warm-starts.ts';
import { createScriptLibrary } from '../script-analysis/script-library.ts';
import type { Pictures } from '../tab/tab.ts';

/** How pages are opened and looked at. */
export interface BrowserOptions {
  readonly pool: BrowserPool;
  readonly viewport: Viewport;
  /** Null when nobody wants pictures. */
  readonly pictures: Pictures | null;
}

/** Somebody's pages with tasks on them. */
export interface SiteFamily {
  readonly id: string;
  /** Names the tasks' split instead of the id, where that says where the pages are served. */
  readonly suite?: string;
  readonly title: string;
  readonly tasks: readonly SiteTask[];
  openSite(task: Task): Promise<Site>;
  /** Whether all tasks of a seed begin in the same page in the same state, and differ in what is judged alone. */
  readonly startsAlike?: true;
  /** Ends what it keeps running beside the browser. */
  close(): Promise<void>;
}

interface SiteTask {
  readonly template: string;
  readonly about: string;
  /** What the agent is told; made by seed where tasks are. */
  instruction(seed: number): Promise<string>;
  readonly steps: number;
}

/** An environment of a family of pages. */
export function createSiteEnvironment(family: SiteFamily, options: BrowserOptions): Environment {
  const { id, title, tasks, suite } = family;
  const { find, info, make, read } = createImportedTasks(id, new Map(tasks.map(task => [task.template, task])), suite);
  const scripts = createScriptLibrary();
  const opening = (given: Task) => ({ ...options, scripts, task: read(given), openSite: family.openSite });
  const { offer } = options.pool;
  const warm = family.startsAlike === true ? createWarmStarts(task => createStartKeeper(opening(task)), offer) : null;
  return {
    id,
    title,
    tools: [],
    templates: tasks.map(({ template, about }) => info(template, about)),
    async task(template, seed) {
      const { instruction, steps } = find(template);
      return make({ template, seed, instruction: await instruction(seed), steps });
    },
    open: async given => createSiteSession(opening(given)),
    ...(warm === null ? {} : { openWarm: async (given: Task) => warm.open(read(given)) }),
    async close() {
      await warm?.close();
      await family.close();
    },
  };
}
