import { count } from '../../core/text.ts';
import { memories } from '../../runs/registry/memories.ts';
import { rememberRuns } from '../../runs/remember.ts';
import type { ExitCode, Output } from '../terminal/output.ts';

export interface RememberRequest {
  readonly folders: readonly string[];
  readonly memory?: readonly string[];
  readonly out: string;
  readonly json?: boolean;
}

/** `espalier remember`. */
export async function remember(output: Output, { folders, memory, out, json }: RememberRequest): Promise<ExitCode> {
  const found = rememberRuns({ folders, writers: memory ?? memories.names, out });
  const kinds = Map.groupBy(found.memory.items, ({ content }) => content.kind);
  const counts = Object.fromEntries([...kinds].map(([kind, items]) => [kind, items.length]));
  const { episodes, leftOut, added, refused } = found;
  if (json === true)
    output.json({ out, version: found.memory.version, episodes, leftOut, added, refused, items: counts });
  else {
    const { line, paint } = output;
    const all = Object.entries(counts).map(([kind, items]) => count(items, kind));
    line(`Read ${count(episodes, 'episode')}, ${leftOut} of them held out or evaluations: left out.`);
    line(`Added ${count(added, 'item')}: now ${all.join(', ') || 'nothing'}.`);
    if (refused > 0)
      line(paint.yellow(`The gate refused ${count(refused, 'item')}: ${found.memory.refused.at(-1)?.reason}.`));
    line(`Version ${found.memory.version} written to ${paint.bold(out)}`);
    line(paint.dim(`Next: espalier eval <env> --student remembering:${out},<student> --out <run>`));
  }
  return 0;
}
