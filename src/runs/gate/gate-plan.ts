import type { Task } from '../../core/records.ts';
import { createRandom } from '../../core/random.ts';
import { levelOf } from '../../analysis/evaluate.ts';
import { invalidOption } from '../../core/errors.ts';
import { allTemplates, withWorlds, type Choice } from '../environments/worlds.ts';
import type { Host } from '../host/host.ts';
import { createPlan } from '../plan/plan.ts';
import { evaluationSeed } from '../settings/seeds.ts';
import { sliceCondition, type GateConfig } from './gate-config.ts';

export interface PlannedTask extends Pick<Task, 'id' | 'environment' | 'template' | 'split' | 'kind'> {
  /** Names of the slices that it is in. */
  readonly slices: readonly string[];
}

export interface PlannedUnit {
  readonly name: string;
  readonly tasks: readonly PlannedTask[];
}

/**
 * The tasks of a gate in units, in an order by chance that depends on the seed alone: what was run when the gate stops is then
 * a fair sample of the rest. Units of a gate before keep their order and come first: evidence in another order would be a second
 * chance.
 */
export async function planUnits(
  config: GateConfig,
  host: Host,
  before: readonly string[],
): Promise<readonly PlannedUnit[]> {
  const { environments, concurrency, unit, seed } = config;
  const tasks = await withWorlds(environments, { stateful: false, browser: null, concurrency, host }, worlds =>
    tasksOf(allTemplates(worlds), config),
  );
  const groups = Map.groupBy(tasks, ({ task, instance }) => unitName(unit, task, instance));
  const units = [...groups].map(([name, own]) => ({ name, tasks: own.map(({ task }) => task) }));
  if (units.length === 0)
    throw invalidOption(`There are no templates for ${config.levels.join(', ')}.`, 'Expected other levels.');
  if (unit === 'instance') return units;
  const places = new Map(before.map((name, place) => [name, place]));
  const placeOf = ({ name }: PlannedUnit): number => places.get(name) ?? before.length;
  return createRandom(`gate/${seed}`)
    .shuffle(units)
    .toSorted((one, other) => placeOf(one) - placeOf(other));
}

interface Numbered {
  readonly task: PlannedTask;
  readonly instance: number;
}

async function tasksOf(choices: readonly Choice[], config: GateConfig): Promise<Numbered[]> {
  const slices = config.slices.map(({ name, where }) => ({ name, condition: sliceCondition(where) }));
  const own = choices.filter(({ template }) => config.levels.includes(levelOf(template.split)));
  const found: Numbered[] = [];
  for (let instance = 0; instance < config.instances; instance++) {
    const made: Task[] = [];
    const plan = await createPlan({
      choices: own,
      instances: 1,
      trials: 1,
      seedOf: () => evaluationSeed(config.seed, instance),
      headOf: task => ({ task: made[made.push(task) - 1] }) as never,
    });
    for (const _ of plan.heads);
    for (const { id, environment, template, split, kind } of made) {
      const task = { id, environment, template, split, kind };
      const fields: Readonly<Record<string, string>> = { ...task, task: id };
      const isIn = slices.filter(({ condition }) => condition.test(name => fields[name] ?? null) === true);
      found.push({ instance, task: { ...task, slices: isIn.map(({ name }) => name) } });
    }
  }
  return found;
}

function unitName(unit: GateConfig['unit'], { environment, template }: PlannedTask, instance: number): string {
  if (unit === 'template') return `${environment}/${template}`;
  return unit === 'app' ? environment : `instance ${instance + 1}`;
}
