import { z } from 'zod';
import { chatToolSchema } from '../../core/chat/chat.ts';
import type { ToolInfo } from '../../core/contracts.ts';
import type { EpisodeSummary } from '../../core/episode/journal.ts';

/** The environment that episodes of other people's harnesses are said to be of. */
export const harnessEnvironment = 'proxy';

const offeredSchema = z.object({ tools: z.array(chatToolSchema) });

/** The tools that harnesses offered in these episodes; of two with the same name the later one. */
export function harnessTools(episodes: Iterable<EpisodeSummary>): readonly ToolInfo[] {
  const tools = new Map<string, ToolInfo>();
  for (const { head } of episodes) {
    if (head.task.environment !== harnessEnvironment) continue;
    const offered = offeredSchema.safeParse(head.task.parameters);
    for (const tool of offered.data?.tools ?? []) tools.set(tool.name, tool);
  }
  return [...tools.values()];
}
