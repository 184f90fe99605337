import type { Environment } from '../../../../core/contracts.ts';
import { EspalierError } from '../../../../core/errors.ts';
import type { Task } from '../../../../core/records.ts';
import { createSiteEnvironment, type BrowserOptions } from '../../sessions/site-environment.ts';
import { probeDeterminism, type DeterminismReport, type ProbeRequest } from './determinism.ts';
import { readMiniwobFolder } from './folder.ts';
import { createMiniwobSites, type MiniwobSites } from './sites.ts';
import { visit } from './visit.ts';

export interface MiniwobOptions extends BrowserOptions {
  readonly folder: string;
}

/** The tasks of a MiniWoB++ folder, which is left as it is. */
export interface MiniwobEnvironment extends Environment {
  /** Pages of the folder that cannot be used, each with the reason. */
  readonly leftOut: readonly string[];
  /** Plays pages twice with each seed, and tells which ones do not do the same, do not start, or throw. */
  probeDeterminism(request: ProbeRequest): Promise<DeterminismReport>;
}

const steps = 30;

export async function createMiniwobEnvironment(options: MiniwobOptions): Promise<MiniwobEnvironment> {
  const folder = await readMiniwobFolder(options.folder);
  const sites = createMiniwobSites(folder);
  const environment = createSiteEnvironment(
    {
      id: 'miniwob',
      title: 'MiniWoB++',
      tasks: folder.pages.map(({ template, title }) => {
        const told = new Map<number, Promise<string>>();
        const read = (seed: number): Promise<string> => readInstruction(sites, { ...options, template, seed });
        return { template, about: title, steps, instruction: seed => remembered(told, seed, read) };
      }),
      async openSite(task) {
        return sites.episode(task, instruction => {
          if (instruction !== task.instruction) throw otherTask(task, instruction);
        });
      },
      close: () => Promise.resolve(),
    },
    options,
  );
  return {
    ...environment,
    leftOut: folder.leftOut,
    probeDeterminism: request => probeDeterminism({ ...options, sites }, request),
  };
}

function remembered(
  told: Map<number, Promise<string>>,
  seed: number,
  read: (seed: number) => Promise<string>,
): Promise<string> {
  const known = told.get(seed);
  if (known !== undefined) return known;
  const reading = read(seed);
  told.set(seed, reading);
  reading.catch(() => told.delete(seed));
  return reading;
}

interface Reading extends BrowserOptions {
  readonly template: string;
  readonly seed: number;
}

/** Only the page knows what it asks for. In a context of its own, as an earlier episode may show in the next. */
async function readInstruction(sites: MiniwobSites, reading: Reading): Promise<string> {
  let told = '';
  const site = sites.episode(reading, instruction => void (told = instruction));
  return visit(reading, site, () => Promise.resolve(told));
}

function otherTask({ id, instruction }: Task, told: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'diverged',
    message: `The page of task ${id} asks for ${JSON.stringify(told)} now, and for ${JSON.stringify(instruction)} when the task was made.`,
    expected: 'Make the task again if the folder was changed; else the page does not do the same for a seed.',
  });
}
