import type { TemplateInfo } from '../core/contracts.ts';
import { EspalierError, invalidTask } from '../core/errors.ts';
import { hash32 } from '../core/random.ts';
import { isSealed, parseRecord, sealTask, taskSchema, type Task } from '../core/records.ts';

/** Tasks that other people wrote for pages or tools of theirs: each is a template of its own, known by its name. */
export interface ImportedTasks<T> {
  /** What stands behind a template; throws when there is none. */
  find(template: string): T;
  info(template: string, about: string): TemplateInfo;
  make(given: {
    readonly template: string;
    readonly seed: number;
    readonly instruction: string;
    readonly steps: number;
  }): Task;
  /** A task from outside; throws when it is of another environment, or was altered. */
  read(given: unknown): Task;
}

/** One template in so many is held out. */
const heldOut = 5;
const namedInErrors = 8;

/** `suite` is what the split is drawn by together with the template: the id, unless that holds an address. */
export function createImportedTasks<T>(id: string, known: ReadonlyMap<string, T>, suite = id): ImportedTasks<T> {
  const find = (template: string): T => {
    const found = known.get(template);
    if (found === undefined) throw unknownTemplate(id, template, [...known.keys()]);
    return found;
  };
  return {
    find,
    info: (template, about) => ({ id: template, about, kind: 'feasible', split: splitOf(suite, template) }),
    make: ({ template, seed, instruction, steps }) =>
      sealTask({
        id: `${id}/${template}/${seed}`,
        environment: id,
        template,
        seed,
        split: splitOf(suite, template),
        kind: 'feasible',
        instruction,
        parameters: {},
        world: String(seed),
        patch: [],
        budget: { steps },
      }),
    read(given) {
      const task = parseRecord(taskSchema, given, { what: 'task', code: 'invalid-task' });
      find(task.template);
      if (task.environment !== id || !isSealed(task)) throw foreignTask(id, task);
      return task;
    },
  };
}

/** By its name alone, so that it stays what it is when others come or go; with the suite's, as many call their tasks alike. */
function splitOf(suite: string, template: string): 'train' | 'test' {
  return hash32(`${suite}/${template}`) % heldOut === 0 ? 'test' : 'train';
}

function unknownTemplate(id: string, template: string, known: readonly string[]): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unknown-template',
    message: `"${id}" has no task "${template}".`,
    expected: `Expected one of: ${known.slice(0, namedInErrors).join(', ')}${known.length > namedInErrors ? ', …' : ''}.`,
  });
}

function foreignTask(id: string, task: Task): EspalierError {
  return invalidTask(
    `Task ${task.id} is of "${task.environment}", or was altered.`,
    `Expected a task of "${id}" as it was made.`,
  );
}
