import type { Environment, Session } from '../../src/core/contracts.ts';
import { sealTask, type Task } from '../../src/core/records.ts';

const milliseconds = Number(process.env['ESPALIER_BENCH_REST'] ?? 0);

/** A switch: as cheap as an episode can be, so that what is around it is measured; or one that rests for so long before it begins. */
export const environment: Environment = {
  id: 'switch',
  title: 'Switch',
  tools: [],
  templates: [{ id: 'press', split: 'train', kind: 'feasible', about: 'press the switch' }],
  task: (template, seed): Task =>
    sealTask({
      id: `switch/${template}/${seed}`,
      environment: 'switch',
      template,
      seed,
      split: 'train',
      kind: 'feasible',
      instruction: 'Press the switch.',
      parameters: { number: seed },
      world: String(seed),
      patch: [],
      budget: { steps: 2 },
    }),
  async open(task) {
    if (milliseconds > 0) await new Promise(resolve => setTimeout(resolve, milliseconds));
    return createSwitch(task);
  },
};

function createSwitch(task: Task): Session {
  let pressed = 0;
  return {
    task,
    observe: () => ({ text: `page "Switch"\n  text "Pressed ${pressed} times."\n  [e1] button "Press"` }),
    digest: () => String(pressed),
    step(action) {
      if (action.kind === 'finish') return { applied: true, end: 'terminated' };
      pressed++;
      return { applied: true };
    },
    // Nothing passes: a path that passed would be replayed before it is committed.
    verify: () => ({
      pass: false,
      checks: [{ name: 'the switch cannot be pressed', pass: false }],
      progress: 0,
      clean: true,
      evidence: { sideEffects: [], answer: null },
    }),
    close: () => undefined,
  };
}
