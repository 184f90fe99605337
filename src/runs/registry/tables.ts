import { resolve } from 'node:path';
import type { ModuleShape } from '../../core/naming/registry.ts';
import { columns, type Row } from '../../dataset/rows/columns.ts';
import { ownTable, type TableModule } from '../../dataset/own-table.ts';
import { exporters, type Exporter } from '../../dataset/tables/tables.ts';
import { tokenFormats, type TokenFormat } from '../../dataset/tokens/formats.ts';
import type { TokenSegment } from '../../dataset/tokens/token-segment.ts';
import { isModulePath } from '../../modules/load-module.ts';
import { requireOnce } from './given-once.ts';
import { loadPlugin } from './load-plugin.ts';

/** The tables that are meant, by name or by the path of a module that exports `table`. */
export async function chooseTables(names: readonly string[]): Promise<Exporter[]> {
  const chosen = await Promise.all(
    [...new Set(names)].map(async name => (await ownTableAt(name)) ?? exporters.need(name)),
  );
  requireOnce(chosen.map(({ name }) => name));
  return chosen;
}

async function ownTableAt(name: string): Promise<Exporter | null> {
  if (!isModulePath(name)) return null;
  const { create } = await loadPlugin<TableModule>(resolve(name), exporters.module as ModuleShape);
  return ownTable(create());
}

/** A token format as a user's module exports it. */
export interface TokenFormatModule extends Pick<TableModule, 'name' | 'about' | 'columns'> {
  /** The rows of one episode; a segment is what one policy saw and sampled in one go. */
  rows(segments: readonly TokenSegment[]): readonly Row[];
}

/** The token formats that are meant, by name or by the path of a module that exports `tokenFormat`. */
export async function chooseTokenFormats(names: readonly string[]): Promise<TokenFormat[]> {
  const chosen = await Promise.all(
    [...new Set(names)].map(async name => (await ownTokenFormatAt(name)) ?? tokenFormats.need(name)),
  );
  requireOnce(chosen.map(({ name }) => name));
  return chosen;
}

async function ownTokenFormatAt(name: string): Promise<TokenFormat | null> {
  if (!isModulePath(name)) return null;
  const { create } = await loadPlugin<TokenFormatModule>(resolve(name), tokenFormats.module as ModuleShape);
  const { about = '', columns: own, ...format } = create();
  const all = Array.isArray(own) ? own : columns(own as Parameters<typeof columns>[0]);
  return {
    name: format.name,
    about,
    table: { name: `tokens-${format.name}`, columns: all },
    create: () => segments => format.rows(segments),
  };
}
