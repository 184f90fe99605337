import { z } from 'zod';
import type { Entry, Registry } from '../../core/naming/registry.ts';
import { nouns } from './nouns.ts';
import { columns, type ExitCode, type Output } from '../terminal/output.ts';

export interface ListRequest {
  readonly noun?: string | undefined;
  readonly json?: boolean;
}

/** Lists what can be chosen by name, made from the registries themselves. */
export async function list(output: Output, { noun, json = false }: ListRequest): Promise<ExitCode> {
  const { line, paint } = output;
  if (noun === undefined) {
    if (json)
      for (const { name, about, registry } of nouns.entries) output.json({ noun: name, about, names: registry.names });
    else for (const text of columns(nouns.entries.map(({ name, about }) => [paint.bold(name), about]))) line(text);
    return 0;
  }
  const { registry } = nouns.need(noun);
  if (json) for (const entry of registry.entries) output.json(jsonOf(entry));
  else tell(output, registry);
  return 0;
}

function jsonOf({ name, usage = name, about, options }: Entry): object {
  return {
    name,
    usage,
    about,
    ...(options === undefined ? {} : { options: z.toJSONSchema(options, { io: 'input' }) }),
  };
}

function tell({ line, paint }: Output, { entries, module }: Registry): void {
  const rows = entries.map(({ name, usage, about }) => [paint.bold(usage ?? name), about]);
  for (const text of columns(rows)) line(text);
  if (module === null) return;
  line();
  line(
    paint.dim(`Or the path of a module of yours that exports \`${module.member}\`, with ${module.powers.join(', ')}.`),
  );
}
