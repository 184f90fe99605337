import { createCallReader } from '../../core/episode/call-log.ts';
import type { EpisodeSource } from '../../core/episode/journal.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { CreditLedger } from '../credit/ledger.ts';
import type { Row, Table } from '../export/columns.ts';
import type { Manifest } from '../manifest.ts';
import type { TokenFormat } from './formats.ts';
import { creditSegment, withCredit } from './token-credit.ts';
import { tokenSegmentsOf, type LeftOut, type TokenSegment } from './token-segment.ts';

export interface TokenRows {
  readonly tables: readonly Table[];
  /** Of an episode that is trained on. */
  rowsOf(record: EpisodeRecord): readonly (readonly [Table, readonly Row[]])[];
  figures(): NonNullable<Manifest['tokens']>;
}

/** With a ledger, rows have advantages, and what has none is left out. */
export function createTokenRows(
  source: Pick<EpisodeSource, 'attachment'>,
  formats: readonly TokenFormat[],
  ledger: CreditLedger | null = null,
): TokenRows {
  const readCall = createCallReader(source.attachment);
  const wanted = formats.map(({ table, create }) => ({
    table: ledger === null ? table : withCredit(table),
    rowsOf: create(),
  }));
  const left = new Map<LeftOut, number>();
  let calls = 0;
  let sampled = 0;
  return {
    tables: wanted.map(({ table }) => table),
    rowsOf(record) {
      if (wanted.length === 0 || record.calls.length === 0) return [];
      const found = tokenSegmentsOf(record, readCall);
      const segments: TokenSegment[] = [];
      const missing = [...found.left];
      for (const segment of found.stretches) {
        const credited = ledger === null ? segment : creditSegment(segment, ledger);
        if (credited === null) missing.push(...segment.turns.map((): LeftOut => 'its group has no advantages'));
        else segments.push(credited);
      }
      for (const why of missing) left.set(why, (left.get(why) ?? 0) + 1);
      calls += missing.length;
      for (const { turns, kinds } of segments) {
        calls += turns.length;
        sampled += kinds.filter(kind => kind === 'action').length;
      }
      return wanted.map(({ table, rowsOf }) => [table, rowsOf(segments)] as const);
    },
    figures: () => ({ calls, sampled, left: Object.fromEntries([...left].toSorted()) }),
  };
}
