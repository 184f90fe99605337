import type { Row, Table } from '../export/columns.ts';
import { primeRl, primeRlRows } from './prime-rl.ts';
import { createSkyrlRows, skyrl } from './skyrl.ts';
import type { Stretch } from './stretch.ts';
import { trl, trlRows } from './trl.ts';
import { verl, verlRows } from './verl.ts';

/** What a trainer takes: its table, and the rows of one episode. */
interface TokenFormatting {
  readonly table: Table;
  /** For one export. */
  create(): (stretches: readonly Stretch[]) => readonly Row[];
}

/** By the name of the trainer. */
export const tokenFormats = {
  trl: { table: trl, create: () => trlRows },
  verl: { table: verl, create: () => verlRows },
  skyrl: { table: skyrl, create: createSkyrlRows },
  'prime-rl': { table: primeRl, create: () => primeRlRows },
} as const satisfies Readonly<Record<string, TokenFormatting>>;

export type TokenFormat = keyof typeof tokenFormats;
