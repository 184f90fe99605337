import { z } from 'zod';
import { readScreen, type ScreenLine } from '../../../core/episode/screen-text.ts';
import type { Action } from '../../../core/action.ts';
import { invalidOption } from '../../../core/errors.ts';
import type { Json } from '../../../core/json.ts';
import type { Episode } from '../../verbs/episode.ts';
import type { Usable } from '../../verbs/questions.ts';
import { createAttempts } from '../attempts.ts';
import { defineStrategy } from '../definition.ts';
import type { Strategy } from '../strategy.ts';

/** A step of a guide. `{{name}}` stands for a parameter, `{{step.result.path}}` for what a tool returned. */
const guideStepSchema = z.strictObject({
  id: z.string(),
  /** Steps that come first. Steps that do not need each other may come in any order. */
  needs: z.array(z.string()).default([]),
  do: z.enum(['click', 'fill', 'select', 'call', 'finish']),
  /** The name of the element, or of the tool; of a finish, its answer. */
  on: z.string().default(''),
  /** What is entered or chosen. */
  text: z.string().default(''),
  input: z.record(z.string(), z.json()).default({}),
});
export type GuideStep = z.infer<typeof guideStepSchema>;

/** A parameter: its name, and a pattern with one group that finds it in the task. */
const parameterSchema = z.strictObject({ name: z.string(), pattern: z.string() });

interface GuideOptions {
  readonly steps: readonly GuideStep[];
  readonly parameters: readonly z.infer<typeof parameterSchema>[];
}

/** Steps in an order in which each comes after those it needs. A circle, or a need that is no step, is refused. */
export function wavesOf(steps: readonly GuideStep[]): GuideStep[][] {
  const names = new Set(steps.map(({ id }) => id));
  const lost = steps.flatMap(({ id, needs }) => needs.filter(need => !names.has(need)).map(need => [id, need]))[0];
  if (lost !== undefined)
    throw invalidOption(
      `Step "${lost[0]}" of the guide needs "${lost[1]}", which is no step.`,
      'Expected the id of a step.',
    );
  const waves: GuideStep[][] = [];
  const done = new Set<string>();
  while (done.size < names.size) {
    const wave = steps.filter(({ id, needs }) => !done.has(id) && needs.every(need => done.has(need)));
    if (wave.length === 0)
      throw invalidOption(
        `The steps ${[...names].filter(id => !done.has(id)).join(', ')} of the guide need each other.`,
        'Expected steps without a circle.',
      );
    for (const { id } of wave) done.add(id);
    waves.push(wave);
  }
  return waves;
}

/** A guide as a graph of steps: each is taken when those it needs were, where the screen offers it. What it leaves open the student does. */
function createGuide({ steps, parameters }: GuideOptions): Strategy {
  const waves = wavesOf(steps);
  return {
    name: `guide of ${steps.length} steps`,
    asksTeacher: false,
    async run(episode) {
      const attempts = createAttempts(episode);
      const state: GuideState = {
        values: readParameters(episode.instruction, parameters),
        open: waves.map(wave => [...wave]),
      };
      return attempts.conclude(await attempts.run({ choose: cursor => nextOf(cursor, state) }, 'main'));
    },
  };
}

interface GuideState {
  readonly values: Map<string, Json>;
  readonly open: GuideStep[][];
}

function readParameters(instruction: string, patterns: GuideOptions['parameters']): Map<string, Json> {
  const found = new Map<string, Json>();
  for (const { name, pattern } of patterns) {
    const match = new RegExp(pattern, 'u').exec(instruction);
    if (match?.[1] !== undefined) found.set(name, match[1]);
  }
  return found;
}

/** The first open step of the first open wave that can be taken here; null when none can. */
async function nextOf(episode: Episode, { open, values }: GuideState): Promise<Usable | null> {
  const before = episode.at() === 0 ? null : episode.tree.node(episode.at());
  const last = before?.thought;
  if (before !== null && last?.startsWith('guide: ') === true && before.outcome.result !== undefined)
    values.set(`${last.slice('guide: '.length)}.result`, before.outcome.result);
  while (open[0]?.length === 0) open.shift();
  const [wave] = open;
  if (wave === undefined) return null;
  const { text } = await episode.look();
  const screen = readScreen(text);
  for (const [at, step] of wave.entries()) {
    const action = actionOf(step, screen, values);
    if (action === null) continue;
    wave.splice(at, 1);
    return { action, thought: `guide: ${step.id}` };
  }
  return null;
}

/** The action of a step on a screen; null when a value or the element is not there. */
export function actionOf(
  step: GuideStep,
  screen: readonly ScreenLine[],
  values: ReadonlyMap<string, Json>,
): Action | null {
  const [on, text] = [filled(step.on, values), filled(step.text, values)];
  if (on === null || text === null) return null;
  if (step.do === 'finish') return on === '' ? { kind: 'finish' } : { kind: 'finish', answer: on };
  if (step.do === 'call') {
    const input = filledInput(step.input, values);
    return input === null ? null : { kind: 'call', tool: on, input };
  }
  const ref = screen.find(line => line.ref !== null && line.name === on && !line.states.includes('disabled'))?.ref;
  if (ref === undefined || ref === null) return null;
  if (step.do === 'click') return { kind: 'click', ref };
  return step.do === 'fill' ? { kind: 'fill', ref, text } : { kind: 'select', ref, option: text };
}

function filled(text: string, values: ReadonlyMap<string, Json>): string | null {
  let isWhole = true;
  const result = text.replaceAll(/\{\{([^}]+)\}\}/g, (_all, name: string) => {
    const value = valueAt(name.trim(), values);
    if (value === undefined) isWhole = false;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
  return isWhole ? result : null;
}

/** A parameter, or a member of a result: `search.result.items.0.id`. */
function valueAt(name: string, values: ReadonlyMap<string, Json>): Json | undefined {
  const whole = values.get(name);
  if (whole !== undefined) return whole;
  const [step = '', , ...path] = name.split('.');
  let at: Json | undefined = values.get(`${step}.result`);
  for (const key of path) at = typeof at === 'object' && at !== null ? (at as Record<string, Json>)[key] : undefined;
  return at;
}

function filledInput(
  input: Readonly<Record<string, Json>>,
  values: ReadonlyMap<string, Json>,
): Record<string, Json> | null {
  const result: Record<string, Json> = {};
  for (const [key, value] of Object.entries(input)) {
    if (typeof value !== 'string') {
      result[key] = value;
      continue;
    }
    const alone = /^\{\{([^}]+)\}\}$/.exec(value)?.[1];
    const own = alone === undefined ? filled(value, values) : valueAt(alone.trim(), values);
    if (own === null || own === undefined) return null;
    result[key] = own;
  }
  return result;
}

export const guide = defineStrategy({
  name: 'guide',
  about:
    'A guide of yours as a graph of steps with parameters (StepFly, Routine); what it leaves open the student does.',
  asksTeacher: false,
  evaluates: true,
  options: z.object({
    steps: z.array(guideStepSchema).default([]).describe('steps of the guide: id, needs, do, on, text, input'),
    parameters: z
      .array(parameterSchema)
      .default([])
      .describe('parameters of the guide: name, and a pattern with one group that finds it in the task'),
  }),
  create: createGuide,
});
