import type { Json } from '../../core/json.ts';
import { utilityOf } from '../item.ts';
import type { Advice, Reader } from './here.ts';

/** Runs code of a memory in a sandbox: it sees its values, calls its tools, and returns JSON. Throws where the code does. */
export type RunCode = (
  code: string,
  options: {
    readonly values: Readonly<Record<string, Json>>;
    readonly tools: readonly string[];
    call(tool: string, input: Json): boolean;
  },
) => Json;

/** Calls the programs for this pattern of task: each returns the line of the step to take, or null. */
export function createProgramReader(run: RunCode): Reader {
  return here =>
    here.memory.index
      .forPattern('program', here.pattern)
      .filter(({ content }) => content.use === 'call')
      .flatMap((item): Advice[] => {
        const { taken, heading, literals } = here;
        const broken: Advice = { item: item.id, how: 'broken', line: '', weight: 0 };
        let line: Json;
        try {
          line = run(item.content.code, {
            values: { taken: [...taken], heading, texts: [...literals] },
            tools: ['offered'],
            call: (_tool, input) => here.offered(String((input as { line?: Json } | null)?.line)) !== null,
          });
        } catch {
          return [broken];
        }
        if (typeof line !== 'string') return [];
        const how = here.offered(line) === null ? 'broken' : 'take';
        return [{ item: item.id, how, line, weight: utilityOf(item) }];
      });
}
