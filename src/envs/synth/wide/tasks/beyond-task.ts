import type { AppTemplate } from '../../../../worlds/app/template.ts';
import { kit } from '../../app/commands.ts';
import {
  article,
  fieldOf,
  labelOf,
  rowOf,
  rowsOf,
  shownValue,
  titleOf,
  type Row,
  type SynthState,
} from '../../app/model.ts';
import type { Entity, LinkField } from '../../spec/schema.ts';
import { question } from '../speech/questions.ts';
import { askable } from './asking-tasks.ts';
import { says, type Judged } from './judging-tasks.ts';
import { mentioned } from './mentions.ts';

/** A link of a record, and a field of what it leads to, both by their places. */
interface Hop {
  readonly link: LinkField;
  readonly target: Entity;
  readonly column: string;
}

/** A value of the record that another one is linked to: the answer stands on another screen than its name. */
export function beyondTemplate(
  judged: Judged,
  isReachable: (entity: string) => boolean,
): AppTemplate<SynthState> | null {
  const { model, entity, view } = judged;
  const hops = hopsOf(judged, isReachable);
  const hopAt = (at: number): Hop => hops[at] as Hop;
  if (hops.length === 0) return null;
  return kit.template(`ask-beyond-${entity.table}`, {
    about: `Tell a detail of what ${article(entity.singular)} is linked to.`,
    split: 'train',
    sample(state, random) {
      const hop = random.between(0, hops.length - 1);
      const { link, target, column } = hopAt(hop);
      const linked = (row: Row): Row | undefined => rowOf(state, target, String(row[link.id]));
      const row = random.shuffle(rowsOf(state, entity)).find(known => {
        const value = linked(known)?.[column] ?? '';
        return value !== '' && !says(judged, state, { id: known.id, column: link.id });
      });
      return row === undefined
        ? null
        : { row: row.id, other: linked(row)?.id ?? '', searchOrFind: titleOf(entity, row), hop };
    },
    instruction({ searchOrFind: name, hop }, random) {
      const { link, target, column } = hopAt(hop);
      const x = `the ${link.label.toLowerCase()} of ${mentioned(entity, { searchOrFind: name, by: null }, random)}`;
      const field = fieldOf(target, column) ?? null;
      return question({ field, isPerson: false, label: labelOf(target, column), x }, random);
    },
    checks: () => [],
    allow: () => [],
    answer({ other, hop }, initial) {
      const { target, column } = hopAt(hop);
      const row = rowOf(initial, target, other);
      return row === undefined ? '' : shownValue(model, initial, { entity: target, row, column });
    },
    shown(state, { row, other, hop }) {
      const { link, target, column } = hopAt(hop);
      return [
        says(judged, state, { id: row, column: link.id }),
        says({ model, view, entity: target }, state, { id: other, column }),
      ];
    },
  });
}

function hopsOf({ model, entity }: Judged, isReachable: (entity: string) => boolean): Hop[] {
  return entity.fields.flatMap(link => {
    if (link.type !== 'link' || link.id === entity.inside || !isReachable(link.target)) return [];
    const target = model.entity(link.target);
    const columns = askable(target).filter(column => column !== 'state');
    return columns.map(column => ({ link, target, column }));
  });
}
