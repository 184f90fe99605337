import { createCallReader } from '../../core/episode/call-log.ts';
import type { EpisodeSource } from '../../core/episode/journal.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { CreditLedger } from '../credit/ledger.ts';
import type { Row, Table } from '../rows/columns.ts';
import type { Manifest } from '../rows/manifest.ts';
import type { TokenFormat } from './formats.ts';
import type { Requests } from '../requests/requests.ts';
import type { Tokenizer } from './tokenizers.ts';
import { createWrittenTokens } from './written-tokens.ts';
import { creditSegment, withCredit } from './token-credit.ts';
import { maskedSegment, tokenSegmentsOf, type LeftOut, type TokenSegment } from './token-segment.ts';

export interface TokenRows {
  readonly tables: readonly Table[];
  /** Of an episode that is trained on. */
  rowsOf(record: EpisodeRecord, masked: ReadonlySet<number>): readonly (readonly [Table, readonly Row[]])[];
  figures(): NonNullable<Manifest['tokens']>;
}

export interface TokenRowsOptions {
  readonly source: Pick<EpisodeSource, 'attachment'>;
  readonly formats: readonly TokenFormat[];
  /** With a ledger, rows have advantages, and what has none is left out. */
  readonly ledger: CreditLedger | null;
  /** With a tokenizer, rows are of episodes whose tokens nobody recorded. */
  readonly tokenizer: Tokenizer | null;
  /** What a tokenizer makes tokens of. */
  readonly requests: Requests;
}

export function createTokenRows({ source, formats, ledger, tokenizer, requests }: TokenRowsOptions): TokenRows {
  const readCall = createCallReader(source.attachment);
  const segmentsIn =
    tokenizer === null
      ? (record: EpisodeRecord) => tokenSegmentsOf(record, readCall)
      : createWrittenTokens(tokenizer, requests);
  const wanted = formats.map(({ table, create }) => ({
    table: ledger === null ? table : withCredit(table),
    rowsOf: create(),
  }));
  const left = new Map<LeftOut, number>();
  let calls = 0;
  let sampled = 0;
  return {
    tables: wanted.map(({ table }) => table),
    rowsOf(record, masked) {
      if (wanted.length === 0) return [];
      const found = segmentsIn(record);
      const segments: TokenSegment[] = [];
      const missing = [...found.left];
      for (const segment of found.stretches) {
        const credited = ledger === null ? segment : creditSegment(segment, ledger);
        if (credited === null) missing.push(...segment.turns.map((): LeftOut => 'its group has no advantages'));
        else segments.push(maskedSegment(credited, masked));
      }
      for (const why of missing) left.set(why, (left.get(why) ?? 0) + 1);
      calls += missing.length;
      for (const { turns, kinds } of segments) {
        calls += turns.length;
        sampled += kinds.filter(kind => kind === 'action').length;
      }
      return wanted.map(({ table, rowsOf }) => [table, rowsOf(segments)] as const);
    },
    figures: () => ({
      ...(tokenizer === null ? {} : { tokenizer: tokenizer.name }),
      calls,
      sampled,
      left: Object.fromEntries([...left].toSorted()),
    }),
  };
}
