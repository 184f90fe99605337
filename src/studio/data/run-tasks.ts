import type { Environment } from '../../core/contracts.ts';
import { causeText } from '../../core/errors.ts';
import { taskRungs } from '../../forge/pool/admit-task.ts';
import type { RunEnvironment, RunTemplate } from '../api/api-tasks.ts';
import { isOfStudent, type IndexedRow } from './episode-rows.ts';
import type { OpenedRun } from './opened-run.ts';

const mostSeeds = 5;

/** The environments of a run with their templates, and how its episodes went in each. */
export async function runTasks({ index, worlds }: OpenedRun): Promise<readonly RunEnvironment[]> {
  const rows = Map.groupBy(index.rows(), ({ environment }) => environment);
  const ids = new Set([...rows.keys(), ...(await worlds.ids())]);
  return Promise.all([...ids].toSorted().map(async id => describe(id, rows.get(id) ?? [], worlds)));
}

async function describe(id: string, rows: readonly IndexedRow[], worlds: OpenedRun['worlds']): Promise<RunEnvironment> {
  const byTemplate = Map.groupBy(rows, ({ template }) => template);
  try {
    const environment = await worlds.environment(id);
    const name = worlds.nameOf(id);
    const isForged = name.startsWith('forge:');
    return {
      id,
      name,
      problem: null,
      rungs: isForged ? Object.keys(taskRungs) : [],
      templates: environment.templates.map(template => templateOf(template, byTemplate.get(template.id) ?? [])),
    };
  } catch (cause) {
    const seen = [...byTemplate].map(([template, own]) =>
      templateOf({ id: template, split: 'train', kind: 'feasible', about: '' }, own),
    );
    return { id, name: id, problem: causeText(cause), rungs: [], templates: seen };
  }
}

function templateOf(
  { id, split, kind, about }: Environment['templates'][number],
  rows: readonly IndexedRow[],
): RunTemplate {
  const own = rows.filter(isOfStudent);
  return {
    id,
    split,
    kind,
    about,
    episodes: own.length,
    passed: own.filter(({ outcome }) => outcome === 'passed').length,
    seeds: [...new Set(rows.map(seedOf))].slice(0, mostSeeds),
  };
}

/** `collect/2/mail/star-message/17/0`: the number after the template. */
function seedOf({ key, template }: IndexedRow): number {
  return Number(key.split(`/${template}/`)[1]?.split('/')[0] ?? 1);
}
