import type { OrdinaryPolicy } from '../../core/episode/agents.ts';
import { askStep } from './ask-step.ts';
import { settle, type LlmOptions } from './ask.ts';
import { createMemory } from '../../prompt/memory.ts';

/** A model as a policy: one for each episode, as it remembers what it said. */
export function createLlmPolicy(options: LlmOptions): OrdinaryPolicy {
  const settings = settle(options);
  const memory = createMemory();
  return {
    name: settings.name,
    patient: true,
    async act(view) {
      const { read, price } = await askStep(settings, { view, memory });
      if ('problem' in read) return { action: null, ...price };
      const { action, thought } = read;
      return { action, ...(thought === '' ? {} : { thought }), ...price };
    },
  };
}
