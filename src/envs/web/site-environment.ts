import type { Environment, TemplateInfo } from '../../core/contracts.ts';
import { EspalierError } from '../../core/errors.ts';
import { isSealed, parseRecord, sealTask, taskSchema, type Task } from '../../core/records.ts';
import { hash32 } from '../../core/random.ts';
import type { BrowserPool, Viewport } from './browser/pool.ts';
import type { Site } from './site.ts';
import { createSiteSession } from './site-session.ts';
import type { Pictures } from './tab.ts';

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
  readonly title: string;
  readonly tasks: readonly SiteTask[];
  openSite(task: Task): Promise<Site>;
  /** Ends what it keeps running beside the browser. */
  close(): Promise<void>;
}

export interface SiteTask {
  readonly template: string;
  readonly about: string;
  /** What the agent is told; made by seed where tasks are. */
  instruction(seed: number): Promise<string>;
  readonly steps: number;
}

/** One template in so many is held out. */
const heldOut = 5;

/** An environment of a family of pages. */
export function createSiteEnvironment(family: SiteFamily, options: BrowserOptions): Environment {
  const { id, title, tasks } = family;
  const known = new Map(tasks.map(task => [task.template, task]));
  const find = (template: string): SiteTask => {
    const task = known.get(template);
    if (task === undefined) throw unknownTemplate(id, template, [...known.keys()]);
    return task;
  };
  return {
    id,
    title,
    tools: [],
    templates: tasks.map(({ template, about }): TemplateInfo => {
      return { id: template, about, kind: 'feasible', split: splitOf(template) };
    }),
    async task(template, seed) {
      const { instruction, steps } = find(template);
      return sealTask({
        id: `${id}/${template}/${seed}`,
        environment: id,
        template,
        seed,
        split: splitOf(template),
        kind: 'feasible',
        instruction: await instruction(seed),
        parameters: {},
        world: String(seed),
        patch: [],
        budget: { steps },
      });
    },
    async open(given) {
      const task = parseRecord(taskSchema, given, { what: 'task', code: 'invalid-task' });
      find(task.template);
      if (task.environment !== id || !isSealed(task)) throw foreignTask(id, task);
      return createSiteSession({ ...options, task, openSite: family.openSite });
    },
    close: () => family.close(),
  };
}

/** By the name of the template alone, so that it stays what it is when others come or go. */
function splitOf(template: string): 'train' | 'test' {
  return hash32(template) % heldOut === 0 ? 'test' : 'train';
}

function unknownTemplate(id: string, template: string, known: readonly string[]): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unknown-template',
    message: `"${id}" has no task "${template}".`,
    expected: `Expected one of: ${known.slice(0, 8).join(', ')}${known.length > 8 ? ', …' : ''}.`,
  });
}

function foreignTask(id: string, task: Task): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'invalid-task',
    message: `Task ${task.id} is of "${task.environment}", or was altered.`,
    expected: `Expected a task of "${id}" as it was made.`,
  });
}
