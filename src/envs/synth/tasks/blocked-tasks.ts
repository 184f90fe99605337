import { need as needRow } from '../../../worlds/app/table.ts';
import type { AppTemplate } from '../../../worlds/app/template.ts';
import { kit } from '../app/commands.ts';
import { isShown } from '../app/listing.ts';
import {
  article,
  fieldOf,
  rowsOf,
  titleOf,
  workflowOf,
  type Model,
  type Row,
  type SynthState,
  type Value,
} from '../app/model.ts';
import { isNeedMet } from '../app/rules.ts';
import type { Entity, Need, Transition } from '../spec/schema.ts';
import { checksOf, editing, pathsOf, type Edit } from './effects.ts';
import { mention, moveWords, requested } from './phrases.ts';
import { changeWords, kindOf } from './record-tasks.ts';
import { newTitle, newValue } from './values.ts';
import {
  isEditable,
  leadsTo,
  movesOf,
  pickFrom,
  possibleMoves,
  transitionNamed,
  type Subject,
} from './workflow-tasks.ts';

/** A transition with the one need that a task breaks. */
interface Breakable {
  readonly transition: Transition;
  readonly need: Need;
}

/**
 * Needs that a task can break so that nothing but breaking the rules of the task mends it: no transition changes the
 * field, and no other way leads to the state.
 */
function breakable({ entity }: Subject): Breakable[] {
  const { transitions } = workflowOf(entity);
  const changed = new Set(transitions.flatMap(({ effects }) => effects.map(({ field }) => field)));
  return transitions.flatMap(transition =>
    transition.needs
      .filter(need => !changed.has(need.field) && brokenValue(entity, need) !== undefined)
      .filter(need =>
        transition.from.every(
          from =>
            !leadsTo(entity, {
              from,
              to: transition.to,
              without: other => other.needs.some(({ field }) => field === need.field),
            }),
        ),
      )
      .map(need => ({ transition, need })),
  );
}

/** A value that does not meet a need; undefined when a task cannot set one. */
export function brokenValue(entity: Entity, need: Need): Value | undefined {
  const field = fieldOf(entity, need.field);
  if (need.is === 'set') {
    if (field?.type === 'link') return field.required ? undefined : null;
    return field?.type === 'flag' ? false : field?.type === 'text' && !field.required ? '' : undefined;
  }
  if (need.is === 'empty') return field?.type === 'flag' ? true : undefined;
  if (field?.type !== 'number') return undefined;
  if (need.is === 'at-least') return need.value > field.min ? field.min : undefined;
  return need.is === 'at-most' && need.value < field.max ? field.max : undefined;
}

/** A transition whose need is not met; in half of the tasks it is. */
export function blockedTemplate({ model, entity }: Subject): AppTemplate<SynthState> | null {
  const choices = breakable({ model, entity });
  const id = `blocked-${entity.table}`;
  if (choices.length === 0) return null;
  return kit.template(id, {
    about: `Take ${article(entity.singular)} through a step that something may stand in the way of.`,
    split: 'train',
    kind: 'infeasible',
    sample(state, random) {
      const isTwin = random.chance(0.5);
      const { transition, need } = random.pick(choices);
      const columns = ['state', need.field];
      const fitting = possibleMoves({ model, entity }, state).filter(
        ({ row, transition: own }) => own === transition && !isShown(model, state, { entity, id: row.id, columns }),
      );
      const row = pickFrom(fitting, random)?.row;
      if (row === undefined) return null;
      const edits = movesOf({ model, entity }, state, { id: row.id, path: [transition] });
      const asked = { row: row.id, name: titleOf(entity, row), transition: transition.id, field: need.field, isTwin };
      return { ...asked, broken: brokenValue(entity, need) ?? null, ...editing(edits) };
    },
    isTwin: ({ isTwin }) => isTwin === true,
    setup(draft, { isTwin, row, field, broken }) {
      if (!isTwin) needRow(rowsOf(draft, entity), row, entity.singular)[field] = broken;
    },
    instruction: ({ name, transition }, random) =>
      requested(id, moveWords(transitionNamed(entity, transition), mention(entity, name, random), random), random),
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
    shown: (state, { row, field }) => isShown(model, state, { entity, id: row, columns: ['state', field] }),
  });
}

/** A record that is not there; in half of the tasks it is. */
export function missingTemplate({ model, entity }: Subject): AppTemplate<SynthState> {
  const id = `missing-${entity.table}`;
  return kit.template(id, {
    about: `Take ${article(entity.singular)} through a step; in half of the tasks there is no such ${entity.singular}.`,
    split: 'test',
    kind: 'infeasible',
    sample(state, random) {
      const isTwin = random.chance(0.5);
      const found = pickFrom(possibleMoves({ model, entity }, state), random);
      const missing = newTitle(state, entity, random);
      if (found === null || missing === null) return null;
      const { row, transition } = found;
      const edits: Edit[] = movesOf({ model, entity }, state, { id: row.id, path: [transition] });
      const name = isTwin ? titleOf(entity, row) : missing;
      const asked = { name, transition: transition.id, isTwin };
      // Nobody can bring a record that is not there into a state.
      return { ...asked, ...editing(isTwin ? edits : edits.map(edit => ({ ...edit, id: 'none' }))) };
    },
    isTwin: ({ isTwin }) => isTwin === true,
    instruction: ({ name, transition }, random) =>
      requested(id, moveWords(transitionNamed(entity, transition), mention(entity, name, random), random), random),
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
    shown: (state, { name }) => isSearchedInVain(state, entity, name),
  });
}

/** Whether the list was searched for a title, or a part of it, and shows no such record. */
export function isSearchedInVain({ ui, ...data }: SynthState, entity: Entity, name: string): boolean {
  const isWhole = Object.values(ui.filter).every(value => value === '');
  if (ui.page !== entity.id || ui.query === '' || !isWhole || ui.record !== '') return false;
  const rows = rowsOf({ ui, ...data } as SynthState, entity);
  return name.toLowerCase().includes(ui.query.toLowerCase()) && !rows.some(row => titleOf(entity, row) === name);
}

/** A need is met first, then the transition is made. */
export function prepareTemplate({ model, entity }: Subject): AppTemplate<SynthState> | null {
  const choices = breakable({ model, entity }).filter(
    ({ need }) => need.is === 'set' && isEditable({ model, entity }, need.field),
  );
  const id = `prepare-${entity.table}`;
  if (choices.length === 0) return null;
  return kit.template(id, {
    about: `Change ${article(entity.singular)} so that it can take a step of its workflow, then take it.`,
    split: 'test',
    sample(state, random) {
      const { transition, need } = random.pick(choices);
      const field = fieldOf(entity, need.field);
      const fitting = possibleMoves({ model, entity }, state).filter(({ transition: own }) => own === transition);
      const row = pickFrom(fitting, random)?.row;
      if (row === undefined || field === undefined) return null;
      const current = brokenValue(entity, need);
      const given = newValue(model, state, { entity, field, current, random });
      if (given === null || !isMetBy(model, state, { entity, row: { ...row, [field.id]: given.value }, need }))
        return null;
      const edits = movesOf({ model, entity }, state, { id: row.id, path: [transition] });
      const own = { table: entity.table, id: row.id, member: field.id, value: given.value };
      const change = { kind: kindOf(field, given), label: field.label };
      const asked = {
        row: row.id,
        name: titleOf(entity, row),
        transition: transition.id,
        change,
        fields: { [field.label]: given.text },
      };
      return { ...asked, field: field.id, broken: current ?? null, ...editing([own, ...edits]) };
    },
    setup(draft, { row, field, broken }) {
      needRow(rowsOf(draft, entity), row, entity.singular)[field] = broken;
    },
    instruction: ({ name, transition, change, fields }, random) => {
      const x = mention(entity, name, random);
      const first = changeWords(id, { ...change, x, text: fields[change.label] ?? '' }, random);
      return `${first} Then ${moveWords(transitionNamed(entity, transition), `"${name}"`, random)}.`;
    },
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
  });
}

function isMetBy(model: Model, state: SynthState, met: { entity: Entity; row: Row; need: Need }): boolean {
  return isNeedMet(model, state, met);
}
