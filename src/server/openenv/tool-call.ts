import type { Json, JsonObject } from '../../core/json.ts';
import type { ServedSession } from '../sessions/served-session.ts';

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

/** Calls a tool of the environment, or one of the screen. A call that changes the world is a step of the episode. */
export async function callTool(session: ServedSession, tool: string, input: JsonObject): Promise<ToolAnswer> {
  const { episode, served } = session;
  const refused = (error_type: ToolError['error_type'], message: string): ToolAnswer => ({
    tool_name: tool,
    result: null,
    error: { error_type, message },
  });
  const wish = served.offer.read(tool, input);
  if (wish === null) return refused('invalid_args', `These are no arguments of ${tool}: look at its schema.`);
  if (wish.kind === 'look') return { tool_name: tool, result: (await episode.observe()).text, error: null };
  const { outcome } = await episode.step(wish.action, seenBy(session));
  const { problem } = outcome;
  if (problem !== undefined)
    return refused(problem.code === 'unknown-command' ? 'tool_not_found' : 'execution_error', problem.message);
  const result = wish.action.kind === 'call' ? (outcome.result ?? null) : (await episode.observe()).text;
  session.told = typeof result === 'string' ? result : JSON.stringify(result);
  return { tool_name: tool, result, error: null };
}

/** Where there is no screen, the agent saw the answer to its last call. */
export function seenBy({ served, told, episode }: ServedSession): { readonly seen?: string } {
  return served.environment.hasScreen === false ? { seen: told ?? episode.task.instruction } : {};
}
