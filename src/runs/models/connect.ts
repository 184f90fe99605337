import type { AgentSetting } from '../agents/agent-entry.ts';
import { createAsking, type Models } from './open-models.ts';

export interface ModelSetting {
  readonly models: Models;
  /** Ends what is being asked. */
  readonly hurry: AbortSignal;
}

/** Connects agents to the models of a run. */
export function connectTo({ models, hurry: signal }: ModelSetting): AgentSetting['connect'] {
  return async (config, role) => {
    const opened = await models.open(config, role);
    return { asking: createAsking({ opened, config, signal }), version: opened.version };
  };
}
