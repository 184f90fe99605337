import type { Action } from '../../core/action.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { TreeNode } from '../../core/tree.ts';
import type { ServedSession } from './served-session.ts';

/** What OpenEnv says of a call of a tool. */
export type ToolAnswer =
  | { readonly tool_name: string; readonly result: Json; readonly error: null }
  | { readonly tool_name: string; readonly result: null; readonly error: ToolError };

interface ToolError {
  readonly error_type: 'invalid_args' | 'tool_not_found' | 'execution_error';
  readonly message: string;
}

export function isRefused(answer: ToolAnswer): answer is Extract<ToolAnswer, { result: null; error: ToolError }> {
  return answer.error !== null;
}

/** The world that a call is done in. */
export interface CalledWorld {
  step(action: Action): Promise<Pick<TreeNode, 'outcome'>>;
  /** The screen where the session stands. */
  look(): Promise<string>;
}

/** The world of a session as it is now. */
export function worldOf(session: ServedSession): CalledWorld {
  const { episode } = session;
  return {
    step: action => episode.step(action, seenBy(session)),
    look: async () => (await episode.observe()).text,
  };
}

/** What is called, and where. */
export interface ToolCall {
  readonly tool: string;
  readonly input: JsonObject;
  readonly world?: CalledWorld;
}

/** Calls a tool of the environment, or one of the screen. A call that changes the world is a step of the episode. */
export async function callTool(
  session: ServedSession,
  { tool, input, world = worldOf(session) }: ToolCall,
): Promise<ToolAnswer> {
  const { served } = session;
  const refused = (error_type: ToolError['error_type'], message: string): ToolAnswer => ({
    tool_name: tool,
    result: null,
    error: { error_type, message },
  });
  const wish = served.offer.read(tool, input);
  if (wish === null) return refused('invalid_args', `These are no arguments of ${tool}: look at its schema.`);
  if (wish.kind === 'look') return { tool_name: tool, result: await world.look(), error: null };
  const { outcome } = await world.step(wish.action);
  const { problem } = outcome;
  if (problem !== undefined)
    return refused(problem.code === 'unknown-command' ? 'tool_not_found' : 'execution_error', problem.message);
  const result = wish.action.kind === 'call' ? (outcome.result ?? null) : await world.look();
  session.told = typeof result === 'string' ? result : JSON.stringify(result);
  return { tool_name: tool, result, error: null };
}

/** Where there is no screen, the agent saw the answer to its last call. */
export function seenBy({ served, told, episode }: ServedSession): { readonly seen?: string } {
  return served.environment.hasScreen === false ? { seen: told ?? episode.task.instruction } : {};
}
