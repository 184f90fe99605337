import { createCallReader } from '../../core/episode/call-log.ts';
import type { EpisodeSource } from '../../core/episode/journal.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { Row, Table } from '../export/columns.ts';
import type { Manifest } from '../manifest.ts';
import type { TokenFormat } from './formats.ts';
import { tokenSegmentsOf, type LeftOut } from './token-segment.ts';

export interface TokenRows {
  readonly tables: readonly Table[];
  /** Of an episode that is trained on. */
  rowsOf(record: EpisodeRecord): readonly (readonly [Table, readonly Row[]])[];
  figures(): NonNullable<Manifest['tokens']>;
}

export function createTokenRows(source: Pick<EpisodeSource, 'attachment'>, formats: readonly TokenFormat[]): TokenRows {
  const readCall = createCallReader(source.attachment);
  const wanted = formats.map(({ table, create }) => ({ table, rowsOf: create() }));
  const left = new Map<LeftOut, number>();
  let calls = 0;
  let sampled = 0;
  return {
    tables: wanted.map(({ table }) => table),
    rowsOf(record) {
      if (wanted.length === 0 || record.calls.length === 0) return [];
      const found = tokenSegmentsOf(record, readCall);
      for (const why of found.left) left.set(why, (left.get(why) ?? 0) + 1);
      calls += found.left.length;
      for (const { turns, kinds } of found.stretches) {
        calls += turns.length;
        sampled += kinds.filter(kind => kind === 'action').length;
      }
      return wanted.map(({ table, rowsOf }) => [table, rowsOf(found.stretches)] as const);
    },
    figures: () => ({ calls, sampled, left: Object.fromEntries([...left].toSorted()) }),
  };
}
