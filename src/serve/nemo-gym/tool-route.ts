import type { JsonObject } from '../../core/json.ts';
import { callTool, isRefused } from '../sessions/tool-call.ts';
import type { ServedEnvironment, ServedSession } from '../sessions/served-session.ts';
import { createStepWorld, type StepWorld } from './step-world.ts';

/** What the model reads, and the status that says whether the call was done. */
export interface ToolOutput {
  readonly status: 200 | 400 | 404 | 409 | 422;
  readonly text: string;
}

/** Paths that are no tools. */
export const ownPaths: readonly string[] = [
  'seed_session',
  'verify',
  'aggregate_metrics',
  'reverify_mode',
  'reset',
  'step',
  'close',
  'mcp',
  'metrics',
];

const statuses = { invalid_args: 422, tool_not_found: 404, execution_error: 400 } as const;

/** A tool that a model calls: the name that it gave, and its arguments; null when they are none. */
export interface NamedCall {
  readonly name: string;
  readonly input: JsonObject | null;
}

/** Calls a tool. What is wrong with the call is told to the model, which may try again. */
export async function callByName(
  session: ServedSession,
  { name, input }: NamedCall,
  world: StepWorld = createStepWorld(session, null),
): Promise<ToolOutput> {
  const { served, episode } = session;
  const tool = toolNamed(served, name);
  if (tool === null) {
    const known = served.offer.tools.map(offered => offered.name).join(', ');
    return { status: 404, text: `There is no tool "${name.slice(0, 80)}". Call one of: ${known}.` };
  }
  if (input === null) return { status: 422, text: `The arguments of ${tool} are not a JSON object.` };
  if (!world.isBehind() && (episode.ended() !== null || episode.end() !== null))
    return { status: 409, text: 'The episode has ended: no tool can be called any more.' };
  const answer = await callTool(session, { tool, input, world });
  if (isRefused(answer)) return { status: statuses[answer.error.error_type], text: answer.error.message };
  const { result } = answer;
  return { status: 200, text: typeof result === 'string' ? result : JSON.stringify(result) };
}

/** Model servers take few characters in names; rows have the others replaced. */
function toolNamed({ offer }: ServedEnvironment, name: string): string | null {
  const exact = offer.tools.find(tool => tool.name === name);
  return (exact ?? offer.tools.find(tool => plainName(tool.name) === name))?.name ?? null;
}

function plainName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64);
}
