import type { Action } from '../../core/action.ts';
import { after, type Awaitable, type Environment } from '../../core/contracts.ts';
import { invalidOption } from '../../core/errors.ts';
import { createRandom, type Random } from '../../core/random.ts';
import type { Observation, StepOutcome, Task } from '../../core/records.ts';
import { withLayer, type Acting, type Layer, type LayerStep } from './layer.ts';

/** How often each kind of noise strikes, as a probability; 0 or absent is off. */
export interface NoiseOptions {
  readonly seed: number;
  /** A tool call fails before it does anything. */
  readonly toolError?: number;
  /** Any action is lost on the way and reported as timed out. */
  readonly timeout?: number;
  /** An observation is cut in half. */
  readonly truncation?: number;
  /** An observation shows the screen before the last step. */
  readonly staleRead?: number;
  /** A letter of a word in the instruction is mistyped. */
  readonly typos?: number;
}

const kinds: readonly string[] = ['toolError', 'timeout', 'truncation', 'staleRead', 'typos'];

interface NoiseMemory {
  /** Steps that got through. */
  readonly steps: number;
  /** Attempts since then that did not. */
  readonly failures: number;
  /** The screen before the last step. */
  readonly earlier: string | null;
}

/**
 * A world with the faults of real ones. What strikes is a function of the seed, the task and the step, is recorded in
 * the outcome or observation as `noise`, and is the same again after a rollback. With everything off, the environment
 * itself is returned.
 */
export function withNoise(environment: Environment, options: NoiseOptions): Environment {
  const { seed, ...rates } = options;
  for (const [name, rate] of Object.entries(rates)) {
    if (!kinds.includes(name))
      throw invalidOption(`There is no noise "${name}".`, `Expected: seed, ${kinds.join(', ')}.`);
    if (!(rate >= 0 && rate <= 1)) {
      throw invalidOption(`The noise rate ${name} is ${rate}.`, 'Expected a probability from 0 to 1.');
    }
  }
  if (!Number.isInteger(seed)) throw invalidOption(`The seed of the noise is ${seed}.`, 'Expected a whole number.');
  if (Object.values(rates).every(rate => rate === 0)) return environment;
  return withLayer(environment, task => noise(options, createRandom(`${seed} ${task.id}`)));
}

function noise(options: NoiseOptions, random: Random): Layer<NoiseMemory> {
  const strikes = (kind: string, at: string, rate = 0): boolean => random.fork(`${kind} ${at}`).chance(rate);
  const lose = (action: Action, { steps, failures }: NoiseMemory): string | null => {
    if (action?.kind === 'finish') return null;
    const at = `${steps} ${failures}`;
    if (strikes('timeout', at, options.timeout)) return 'timeout';
    return action?.kind === 'call' && strikes('tool-error', at, options.toolError) ? 'tool-error' : null;
  };
  return {
    start: { steps: 0, failures: 0, earlier: null },
    retell: task => mistyped(task, random.fork('typos'), options.typos ?? 0),
    visible: ({ steps, earlier }) => ({ steps, earlier }),
    step(inner, action, memory) {
      const kind = lose(action, memory);
      if (kind !== null) return { outcome: lost(kind), next: { ...memory, failures: memory.failures + 1 } };
      return passOn(inner, action, memory);
    },
    observe: (inner, { steps, earlier }) =>
      after(inner.observe(), observation => {
        if (earlier !== null && strikes('stale-read', String(steps), options.staleRead)) {
          return { text: earlier, noise: 'stale-read' };
        }
        return strikes('truncation', String(steps), options.truncation) ? cut(observation) : observation;
      }),
  };
}

function passOn(inner: Acting, action: Action, memory: NoiseMemory): Awaitable<LayerStep<NoiseMemory>> {
  return after(inner.observe(), ({ text }) =>
    after(inner.step(action), outcome => {
      if (!outcome.applied) return { outcome, next: { ...memory, failures: memory.failures + 1 } };
      return { outcome, next: { steps: memory.steps + 1, failures: 0, earlier: text } };
    }),
  );
}

function lost(kind: string): StepOutcome {
  const message = kind === 'timeout' ? 'The action timed out.' : 'The tool failed: internal error.';
  return { applied: false, problem: { code: kind, message }, noise: kind };
}

function cut({ text }: Observation): Observation {
  return { text: `${text.slice(0, Math.ceil(text.length / 2))}\n[truncated]`, noise: 'truncation' };
}

/** Swaps two neighbouring letters inside words, as quick typists do. */
function mistyped(task: Task, random: Random, rate: number): Task {
  if (rate === 0) return task;
  const words = task.instruction.split(' ').map(word => {
    if (word.length < 4 || !/^\p{L}+$/u.test(word) || !random.chance(rate)) return word;
    const at = random.between(1, word.length - 3);
    return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
  });
  return { ...task, instruction: words.join(' ') };
}
