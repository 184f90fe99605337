import type { AppTemplate } from '../../../../worlds/app/template.ts';
import { kit, linkedTo } from '../../app/commands.ts';
import { article, fieldOf, labelOf, rowsOf, titleOf, type SynthState } from '../../app/model.ts';
import type { Operation } from '../../spec/wide-schema.ts';
import { checksOf, editing, noChanges, pathsOf } from '../../tasks/effects.ts';
import { createTemplate } from '../../tasks/record-tasks.ts';
import { pickFrom } from '../../tasks/workflow-tasks.ts';
import { operationsOf, wideOf } from '../app/wide-commands.ts';
import { speak } from '../speech/registers.ts';
import { says, type Judged } from './judging-tasks.ts';
import { mentioned } from './mentions.ts';

type Template = AppTemplate<SynthState>;

/** A new record; the words are those of the other made-up apps, in a register. */
export function addTemplate({ model, entity }: Judged): Template {
  return createTemplate({ model, entity });
}

export function deleteTemplate({ model, entity }: Judged): Template {
  return kit.template(`delete-${entity.table}`, {
    about: `Delete ${article(entity.singular)}.`,
    split: 'train',
    sample(state, random) {
      const free = rowsOf(state, entity).filter(row => linkedTo(model, state, { entity, id: row.id }) === null);
      const row = pickFrom(free, random);
      if (row === null) return null;
      return { searchOrFind: titleOf(entity, row), ...noChanges, removals: [{ table: entity.table, id: row.id }] };
    },
    instruction({ searchOrFind: name }, random) {
      const x = mentioned(entity, { searchOrFind: name, by: null }, random);
      const order = random.pick([
        `delete ${x}`,
        `remove ${x}`,
        `get rid of ${x}`,
        `erase ${x}`,
        `take ${x} off the list for good`,
      ]);
      const fact = random.pick([
        `we no longer have ${x}`,
        `${x} was entered by mistake and has to go`,
        `${x} is not needed any more`,
      ]);
      return speak({ order, fact, kept: [x] }, { registers: wideOf(model).registers, random });
    },
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
  });
}

/** Operations that set one value by a choice: a task may leave it to another record to say which. */
function copied({ model, entity }: Judged): Operation[] {
  const record = wideOf(model).records[entity.id];
  return operationsOf(model, entity.id).filter(({ asks: [only, ...more], transition, adds }) => {
    const field = only === undefined ? undefined : fieldOf(entity, only);
    if (field === undefined || more.length > 0 || transition !== null || adds !== null) return false;
    const isNoted = record?.telling === 'labels';
    return isNoted && (field.type === 'choice' || (field.type === 'link' && !record.isTyped));
  });
}

/** A record gets the value that another one has: it is read on one screen and chosen on another. */
export function sameTemplate(judged: Judged): Template | null {
  const { model, entity } = judged;
  const operations = copied(judged);
  if (operations.length === 0) return null;
  const template = kit.template(`same-${entity.table}`, {
    about: `Give ${article(entity.singular)} the value that another one has.`,
    split: 'train',
    sample(state, random) {
      const column = random.pick(operations).asks[0] ?? '';
      const rows = rowsOf(state, entity).filter(row => row[column] !== null && row[column] !== '');
      const source = pickFrom(rows, random);
      const row =
        source === null
          ? null
          : pickFrom(
              rowsOf(state, entity).filter(known => known[column] !== source[column]),
              random,
            );
      if (source === null || row === null || says(judged, state, { id: source.id, column })) return null;
      const searchOrFind = [titleOf(entity, row), titleOf(entity, source)];
      const edits = [{ table: entity.table, id: row.id, member: column, value: source[column] ?? null }];
      return {
        searchOrFind,
        like: source.id,
        place: entity.fields.findIndex(({ id }) => id === column),
        ...editing(edits),
      };
    },
    instruction({ searchOrFind, place }, random) {
      const l = labelOf(entity, entity.fields[place]?.id ?? '').toLowerCase();
      const [x, y] = searchOrFind.map(title => mentioned(entity, { searchOrFind: title, by: null }, random)) as [
        string,
        string,
      ];
      const order = random.pick([
        `give ${x} the same ${l} as ${y}`,
        `set the ${l} of ${x} to what ${y} has`,
        `make the ${l} of ${x} the same as that of ${y}`,
        `copy the ${l} of ${y} to ${x}`,
      ]);
      const fact = random.pick([
        `${x} should have the ${l} that ${y} has`,
        `the ${l} of ${x} is the same as that of ${y}`,
      ]);
      return speak({ order, fact, kept: [x, y] }, { registers: wideOf(model).registers, random });
    },
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
    shown: (state, { like, place }) => says(judged, state, { id: like, column: entity.fields[place]?.id ?? '' }),
  });
  return { ...template, goal: (parameters, initial) => ({ ...template.goal(parameters, initial), mustBeSeen: true }) };
}
