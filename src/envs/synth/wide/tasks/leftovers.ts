import type { Random } from '../../../../core/random.ts';
import { rowsOf, titleOf, type Row, type SynthState } from '../../app/model.ts';
import { listLook } from '../app/wide-listing.ts';
import { widePages } from '../view/wide-view.ts';
import type { Acting } from './acts.ts';

/** What somebody left behind on the screen: another page, another record that is open, a search that finds nothing. */
export type Leftovers = { readonly page: string; readonly record: string; readonly query: string };

const nothingLeft: Leftovers = { page: '', record: '', query: '' };

export function drawLeftovers({ model, entity }: Acting, { state, row, random }: Left): Leftovers {
  if (!random.chance(0.3)) return nothingLeft;
  const others = rowsOf(state, entity).filter(({ id }) => id !== row.id);
  const other = others.length === 0 ? undefined : random.pick(others);
  const pages = widePages(model).map(([, id]) => id);
  const kind = random.pick(['page', 'record', 'query']);
  if (kind === 'page' || other === undefined) return { ...nothingLeft, page: random.pick(pages) };
  if (kind === 'record') return { page: entity.id, record: other.id, query: '' };
  if (listLook(model, entity.id).find === '') return nothingLeft;
  const title = titleOf(entity, other);
  return { page: entity.id, record: '', query: random.pick([title, 'zzz', title.slice(0, 3)]) };
}

interface Left {
  readonly state: SynthState;
  readonly row: Row;
  readonly random: Random;
}

export function leave({ ui }: SynthState, { page, record, query }: Leftovers): void {
  if (page !== '') Object.assign(ui, { page, record, query, typed: query });
}
