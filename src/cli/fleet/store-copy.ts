import { count } from '../../core/text.ts';
import { invalidOption } from '../../core/errors.ts';
import { copyRun } from '../../runs/folder/copy-run.ts';
import type { ExitCode, Output } from '../terminal/output.ts';

export interface StoreRequest {
  readonly what: string;
  /** From and to. */
  readonly places: readonly string[];
  readonly json?: boolean;
}

export function store(output: Output, { what, places, json = false }: StoreRequest): Promise<ExitCode> {
  if (what !== 'copy') throw invalidOption(`"${what}" is nothing to do with a store.`, 'Expected copy.');
  const [from, to, ...rest] = places;
  if (from === undefined || to === undefined || rest.length > 0)
    throw invalidOption(`There are ${places.length} places.`, 'Expected two: from and to.');
  const { episodes, known, unfinished } = copyRun(from, to);
  if (json) output.json({ episodes, known, unfinished });
  else {
    const before = known === 0 ? '' : `, ${count(known, 'episode')} there before`;
    const open = unfinished === 0 ? '' : `, ${count(unfinished, 'attempt')} without an end`;
    output.line(`Copied ${count(episodes, 'episode')}${before}${open}.`);
  }
  return Promise.resolve(0);
}
