import { invalidOption } from '../../core/errors.ts';
import { count } from '../../core/text.ts';
import { rememberRuns, type Remembered } from '../../runs/remember.ts';
import { modelSchema, spendingSchema, type ModelConfig } from '../../runs/settings/model-config.ts';
import { modelNamed } from '../../runs/settings/model-named.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import type { ExitCode, Output } from '../terminal/output.ts';
import { said } from '../terminal/verb.ts';

export interface RememberRequest {
  readonly folders: readonly string[];
  readonly memory?: readonly string[];
  readonly out: string;
  readonly student?: string;
  readonly practice: number;
  readonly model?: string;
  readonly budgetDollars?: number;
  readonly budgetTokens?: number;
  readonly json?: boolean;
}

/** `espalier remember`. */
export async function remember(output: Output, request: RememberRequest): Promise<ExitCode> {
  const { memory, json, model, budgetDollars: dollars, budgetTokens: tokens, ...options } = request;
  const found = await rememberRuns({
    ...options,
    memories: memory,
    model: model === undefined ? undefined : writerNamed(model),
    spending: spendingSchema.parse(said({ dollars, tokens })),
    host: createSystemHost({ workers: 0 }),
  });
  if (json === true) {
    const { memory: written, ...figures } = found;
    output.json({ out: options.out, version: written.version, ...figures, items: countsOf(found) });
  } else tell(output, found, options.out);
  return 0;
}

function writerNamed(name: string): ModelConfig {
  const model = modelNamed(name);
  if (model !== null) return modelSchema.parse(model);
  throw invalidOption(`"${name}" is no model.`, 'Expected an endpoint, such as openai:qwen3@http://127.0.0.1:8000/v1.');
}

/** Items that are read, by kind. */
function countsOf({ memory: { items } }: Remembered): Record<string, number> {
  const kinds = Map.groupBy(
    items.filter(({ retired }) => retired === null),
    ({ content }) => content.kind,
  );
  return Object.fromEntries([...kinds].map(([kind, own]) => [kind, own.length]));
}

function tell({ line, paint }: Output, found: Remembered, out: string): void {
  const { memory, episodes, leftOut, counted, added, retired, refused, unpractised } = found;
  const all = Object.entries(countsOf(found)).map(([kind, items]) => countOf(items, kind));
  line(`Read ${count(episodes, 'episode')}, ${leftOut} of them held out or evaluations: left out.`);
  if (counted > 0)
    line(`Counted ${count(counted, 'episode')} that used the memory: ${count(retired, 'item')} retired.`);
  line(`Added ${count(added, 'item')}: now ${all.join(', ') || 'nothing'}.`);
  if (refused > 0)
    line(paint.yellow(`Gates refused ${count(refused, 'item')}, the last: ${memory.refused.at(-1)?.reason}.`));
  if (unpractised.length > 0)
    line(paint.dim(`Without --student, these were not written, as they practise: ${unpractised.join(', ')}.`));
  line(`Version ${memory.version} written to ${paint.bold(out)}`);
  line(paint.dim(`Next: espalier eval <env> --student remembering:${out},<student> --out <run>`));
}

function countOf(items: number, kind: string): string {
  return kind === 'trajectory' && items !== 1 ? `${items} trajectories` : count(items, kind);
}
