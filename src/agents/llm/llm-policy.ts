import type { OrdinaryPolicy } from '../../core/episode/agents.ts';
import { askStep } from './ask-step.ts';
import { settle, type LlmOptions, type Settings } from './ask.ts';
import { createMemory, type Memory } from '../../models/prompt/memory.ts';

/** A model as a policy: one for each episode, as it remembers what it said. */
export function createLlmPolicy(options: LlmOptions): OrdinaryPolicy {
  return policyWith(settle(options), createMemory());
}

function policyWith(settings: Settings, memory: Memory): OrdinaryPolicy {
  return {
    name: settings.name,
    patient: true,
    async act(view) {
      const { read, price } = await askStep(settings, { view, memory });
      if ('problem' in read) return { action: null, ...price };
      const { action, thought } = read;
      return { action, ...(thought === '' ? {} : { thought }), ...price };
    },
    fork: () => policyWith(settings, memory.fork()),
  };
}
