import type { UiNode } from '../../../../core/ui.ts';
import { need as needRow } from '../../../../worlds/app/table.ts';
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
import type { Need } from '../../spec/schema.ts';
import type { Operation } from '../../spec/wide-schema.ts';
import { brokenValue, isSearchedInVain } from '../../tasks/blocked-tasks.ts';
import { checksOf, editing, pathsOf } from '../../tasks/effects.ts';
import { newTitle } from '../../tasks/values.ts';
import { leadsTo } from '../../tasks/workflow-tasks.ts';
import { operationsOf, wideOf } from '../app/wide-commands.ts';
import { listLook } from '../app/wide-listing.ts';
import { speak } from '../speech/registers.ts';
import { changesBy, drawAct, operationOf, type Act, type Acting } from './acts.ts';
import { mentioned } from './mentions.ts';
import { requestFor } from './operation-tasks.ts';
import { isTold } from './seen.ts';

type Template = AppTemplate<SynthState>;

export interface Judged extends Acting {
  view(state: SynthState): UiNode;
}

/** Whether the screen says this of a record. */
export function says(
  { model, entity, view }: Judged,
  state: SynthState,
  { id, column }: { id: string; column: string },
): boolean {
  const row = rowOf(state, entity, id);
  if (row === undefined) return false;
  const others = rowsOf(state, entity)
    .filter(other => other.id !== id)
    .map(other => titleOf(entity, other));
  const name = titleOf(entity, row);
  const field = fieldOf(entity, column);
  const value = field?.type === 'flag' ? field.label : shownValue(model, state, { entity, row, column });
  return isTold(view(state), { name, value, others: others.filter(other => !name.includes(other)) });
}

function steps({ model, entity }: Acting): Operation[] {
  return operationsOf(model, entity.id).filter(({ transition, asks }) => transition !== null && asks.length === 0);
}

/** A record that may be in the asked-for state already. */
export function ensureTemplate(judged: Judged): Template | null {
  const { model, entity } = judged;
  const operations = steps(judged);
  if (operations.length === 0) return null;
  return kit.template(`ensure-${entity.table}`, {
    about: `Make sure of the state of ${article(entity.singular)}; in half of the tasks it is another.`,
    split: 'train',
    kind: 'already-done',
    sample(state, random) {
      const isTwin = random.chance(0.5);
      const isHidden = ({ id }: Row): boolean => !says(judged, state, { id, column: 'state' });
      const act = drawAct(judged, { state, operation: random.pick(operations), random, isFitting: isHidden });
      if (act === null) return null;
      const before = String(rowOf(state, entity, act.row)?.['state']);
      const changes = changesBy(judged, state, [act]);
      const after = entity.workflow?.transitions.find(
        ({ id }) => id === operationOf(model, entity, act.operation).transition,
      )?.to;
      const kept = editing([{ table: entity.table, id: act.row, member: 'state', value: before }]);
      return {
        searchOrFind: act.searchOrFind,
        row: act.row,
        wanted: isTwin ? (after ?? '') : before,
        isTwin,
        ...(isTwin ? changes : kept),
      };
    },
    isTwin: ({ isTwin }) => isTwin === true,
    instruction({ searchOrFind: name, wanted }, random) {
      const x = mentioned(entity, { searchOrFind: name, by: null }, random);
      const status = entity.workflow?.label.toLowerCase() ?? '';
      const order = random.pick([
        `make sure that ${x} is ${wanted}`,
        `see to it that ${x} is ${wanted}`,
        `check that ${x} is ${wanted} and put it right if not`,
        `verify that the ${status} of ${x} is ${wanted}; change it only if it is not`,
      ]);
      const fact = random.pick([`${x} has to be ${wanted}, and may be so already`, `${x} should be ${wanted} by now`]);
      return speak({ order, fact, kept: [x, wanted] }, { registers: wideOf(model).registers, random });
    },
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
    shown: (state, { row }) => says(judged, state, { id: row, column: 'state' }),
  });
}

/** Steps with a need that nothing but breaking the rules of the task would meet. */
function blockable({ model, entity }: Acting): { operation: Operation; need: Need }[] {
  const transitions = entity.workflow?.transitions ?? [];
  const changed = new Set(transitions.flatMap(({ effects }) => effects.map(({ field }) => field)));
  return steps({ model, entity }).flatMap(operation => {
    const transition = transitions.find(({ id }) => id === operation.transition);
    const others = (need: Need) => (other: (typeof transitions)[number]) =>
      other.needs.some(({ field }) => field === need.field);
    return (transition?.needs ?? [])
      .filter(need => fieldOf(entity, need.field)?.type !== 'flag' && !changed.has(need.field))
      .filter(need => brokenValue(entity, need) !== undefined)
      .filter(need =>
        transition?.from.every(from => !leadsTo(entity, { from, to: transition.to, without: others(need) })),
      )
      .map(need => ({ operation, need }));
  });
}

/** A step that something stands in the way of; in half of the tasks nothing does. */
export function impossibleTemplate(judged: Judged): Template | null {
  const { model, entity } = judged;
  const choices = blockable(judged);
  if (choices.length === 0) return null;
  return kit.template(`impossible-${entity.table}`, {
    about: `Take ${article(entity.singular)} through a step that something may stand in the way of.`,
    split: 'train',
    kind: 'infeasible',
    sample(state, random) {
      const isTwin = random.chance(0.5);
      const { operation, need } = random.pick(choices);
      const isHidden = ({ id }: Row): boolean => !says(judged, state, { id, column: need.field });
      const act = drawAct(judged, { state, operation, random, isFitting: isHidden });
      if (act === null) return null;
      return {
        act,
        field: need.field,
        isTwin,
        broken: brokenValue(entity, need) ?? null,
        ...changesBy(judged, state, [act]),
      };
    },
    isTwin: ({ isTwin }) => isTwin === true,
    setup(draft, { isTwin, act, field, broken }) {
      if (!isTwin) needRow(rowsOf(draft, entity), act.row, entity.singular)[field] = broken;
    },
    instruction: ({ act }, random) =>
      requestFor(
        { model, entity },
        { act, x: mentioned(entity, { searchOrFind: act.searchOrFind, by: null }, random) },
        random,
      ),
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
    shown: (state, { act, field }) =>
      says(judged, state, { id: act.row, column: 'state' }) && says(judged, state, { id: act.row, column: field }),
  });
}

/** A record that is not there; in half of the tasks it is. */
export function absentTemplate(judged: Judged): Template | null {
  const { model, entity } = judged;
  const operations = operationsOf(model, entity.id).filter(({ confirm }) => !confirm);
  if (listLook(model, entity.id).find === '' || operations.length === 0) return null;
  return kit.template(`absent-${entity.table}`, {
    about: `Do something with ${article(entity.singular)}; in half of the tasks there is no such ${entity.singular}.`,
    split: 'train',
    kind: 'infeasible',
    sample(state, random) {
      const isTwin = random.chance(0.5);
      const act = drawAct(judged, { state, operation: random.pick(operations), random });
      const missing = newTitle(state, entity, random);
      if (act === null || missing === null) return null;
      const { edits, additions, removals } = changesBy(judged, state, [act]);
      const named = { act: { ...act, searchOrFind: isTwin ? act.searchOrFind : missing }, isTwin, removals };
      if (isTwin) return { ...named, edits, additions };
      // Nobody can change a record that is not there.
      return {
        ...named,
        edits: [{ table: entity.table, id: 'none', member: entity.title, value: missing }],
        additions: [],
      };
    },
    isTwin: ({ isTwin }) => isTwin === true,
    instruction: ({ act }, random) =>
      requestFor(
        { model, entity },
        { act, x: mentioned(entity, { searchOrFind: act.searchOrFind, by: null }, random) },
        random,
      ),
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
    shown: (state, { act }) => isSearchedInVain(state, entity, act.searchOrFind),
  });
}

/** A step that was a mistake is taken back. */
export function undoTemplate({ model, entity }: Acting): Template | null {
  const transitions = entity.workflow?.transitions ?? [];
  const operations = steps({ model, entity }).filter(({ transition }) => {
    const back = transitions.find(({ id }) => id === transition);
    return transitions.some(
      forth => back !== undefined && forth.from.includes(back.to) && back.from.includes(forth.to),
    );
  });
  if (operations.length === 0) return null;
  return kit.template(`undo-${entity.table}`, {
    about: `Take back a step of ${article(entity.singular)}.`,
    split: 'train',
    sample(state, random) {
      const act = drawAct({ model, entity }, { state, operation: random.pick(operations), random });
      if (act === null) return null;
      const now = String(rowOf(state, entity, act.row)?.['state']);
      const to = transitions.find(({ id }) => id === operationOf(model, entity, act.operation).transition)?.to ?? '';
      return { act: act as Act, states: { now, to }, ...changesBy({ model, entity }, state, [act]) };
    },
    instruction({ act, states: { now, to } }, random) {
      const x = mentioned(entity, { searchOrFind: act.searchOrFind, by: null }, random);
      const status = labelOf(entity, 'state').toLowerCase();
      const order = random.pick([
        `put ${x} back to ${to}`,
        `undo what was done with ${x}: it is ${to}`,
        `take ${x} back to ${to}`,
        `set the ${status} of ${x} back to ${to}`,
      ]);
      const fact = random.pick([
        `${x} is ${now} by mistake, it was ${to} before`,
        `that ${x} is ${now} was an error: it should still be ${to}`,
        `somebody made ${x} ${now} too early, it is ${to}`,
      ]);
      return speak({ order, fact, kept: [x, now, to] }, { registers: wideOf(model).registers, random });
    },
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
  });
}
