import type { Random } from '../../../core/random.ts';
import type { AppTemplate, Check } from '../../../worlds/app/template.ts';
import { kit } from '../app/commands.ts';
import { isOnFirstPage, isShown } from '../app/listing.ts';
import {
  article,
  fieldOf,
  rowOf,
  rowsOf,
  titleOf,
  workflowOf,
  type Model,
  type Row,
  type SynthState,
} from '../app/model.ts';
import { makeMove, obstacle } from '../app/rules.ts';
import type { Entity, Transition } from '../spec/schema.ts';
import { changesOf, checksOf, editing, pathsOf, type Edit } from './effects.ts';
import { assurances, filled, mention, moveWords, requested, stateGoals, waysFor } from './phrases.ts';

export interface Subject {
  readonly model: Model;
  readonly entity: Entity;
}

export interface PossibleMove {
  readonly row: Row;
  readonly transition: Transition;
}

/** Every transition that a record can make now. */
export function possibleMoves({ model, entity }: Subject, state: SynthState): PossibleMove[] {
  return rowsOf(state, entity).flatMap(row =>
    workflowOf(entity)
      .transitions.filter(transition => obstacle(model, state, { entity, row, transition }) === null)
      .map(transition => ({ row, transition })),
  );
}

/** What some transitions of a record change, one after the other. */
export function movesOf({ model, entity }: Subject, state: SynthState, { id, path }: Way): Edit[] {
  return changesOf(model, state, copy => {
    const row = rowOf(copy, entity, id);
    for (const transition of path) if (row !== undefined) makeMove(model, copy, { entity, row, transition });
  });
}

interface Way {
  readonly id: string;
  readonly path: readonly Transition[];
}

export function pickFrom<T>(items: readonly T[], random: Random): T | null {
  return items.length === 0 ? null : random.pick(items);
}

/** One transition, asked for by a verb. */
export function moveTemplate({ model, entity }: Subject): AppTemplate<SynthState> {
  const id = `move-${entity.table}`;
  return kit.template(id, {
    about: `Take ${article(entity.singular)} through one step of its workflow.`,
    split: 'train',
    sample(state, random) {
      const found = pickFrom(possibleMoves({ model, entity }, state), random);
      if (found === null) return null;
      const { row, transition } = found;
      const edits = movesOf({ model, entity }, state, { id: row.id, path: [transition] });
      return { name: titleOf(entity, row), transition: transition.id, ...editing(edits) };
    },
    instruction: ({ name, transition }, random) =>
      requested(id, moveWords(transitionNamed(entity, transition), mention(entity, name, random), random), random),
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
  });
}

export function transitionNamed(entity: Entity, id: string): Transition {
  const found = workflowOf(entity).transitions.find(transition => transition.id === id);
  if (found === undefined) throw new Error(`there is no transition ${id}`);
  return found;
}

/** Several transitions, asked for by the state they lead to. */
export function reachTemplate({ model, entity }: Subject): AppTemplate<SynthState> {
  const id = `reach-${entity.table}`;
  return kit.template(id, {
    about: `Bring ${article(entity.singular)} into a state that is two or more steps away.`,
    split: 'test',
    sample(state, random) {
      const ways = rowsOf(state, entity).flatMap(row => farStates({ model, entity }, state, row));
      const found = pickFrom(ways, random);
      if (found === null) return null;
      const edits = movesOf({ model, entity }, state, found);
      const row = rowOf(state, entity, found.id);
      const way = { table: entity.table, id: found.id, states: found.path.map(({ to }) => to) };
      return { name: row === undefined ? '' : titleOf(entity, row), state: found.to, way, ...editing(edits) };
    },
    instruction: ({ name, state }, random) => {
      const status = workflowOf(entity).label.toLowerCase();
      return filled(random.pick(waysFor(id, stateGoals)), { x: mention(entity, name, random), state, status });
    },
    checks: asked => [...stagesOf(asked.way), ...checksOf(asked)],
    allow: asked => pathsOf(asked),
  });
}

/** That a record has come as far as each of the states on its way, the last one aside. */
function stagesOf({
  table,
  id,
  states,
}: {
  table: string;
  id: string;
  states: readonly string[];
}): Check<SynthState>[] {
  return states.slice(0, -1).map((state, index) => ({
    id: `${table}-stage`,
    name: `${id} has come as far as ${state}`,
    test(final: SynthState) {
      const row = (final[table] as unknown as readonly Row[]).find(known => known.id === id);
      return row !== undefined && states.slice(index).includes(String(row['state']));
    },
  }));
}

/** States that a record reaches in two or three steps, and no sooner. */
function farStates({ model, entity }: Subject, state: SynthState, { id }: Row): (Way & { to: string })[] {
  const start = String(rowOf(state, entity, id)?.['state']);
  const ways: (Way & { to: string })[] = [];
  const seen = new Set([start]);
  let frontier: { copy: SynthState; path: Transition[] }[] = [{ copy: state, path: [] }];
  for (let depth = 1; depth <= 3; depth++) {
    const next: typeof frontier = [];
    for (const { copy, path } of frontier) {
      for (const transition of workflowOf(entity).transitions) {
        const row = rowOf(copy, entity, id);
        if (row === undefined || seen.has(transition.to)) continue;
        if (obstacle(model, copy, { entity, row, transition }) !== null) continue;
        seen.add(transition.to);
        const after = structuredClone(copy) as SynthState;
        const moved = rowOf(after, entity, id);
        if (moved !== undefined) makeMove(model, after, { entity, row: moved, transition });
        const way = [...path, transition];
        next.push({ copy: after, path: way });
        if (depth > 1) ways.push({ id, path: way, to: transition.to });
      }
    }
    frontier = next;
  }
  return ways;
}

/** A transition that asks nothing and needs nothing, so that it is easy to find two records for it. */
export function isPlainMove({ confirm, needs, effects }: Transition): boolean {
  return !confirm && needs.length === 0 && effects.every(({ does }) => does !== 'move');
}

/** The same transition for two records. */
export function pairTemplate({ model, entity }: Subject): AppTemplate<SynthState> {
  const id = `move-two-${entity.table}`;
  return kit.template(id, {
    about: `Take two ${entity.plural} through the same step of their workflow.`,
    split: 'test',
    sample(state, random) {
      const all = possibleMoves({ model, entity }, state).filter(
        ({ row, transition }) => isPlainMove(transition) && isOnFirstPage(model, state, { entity, id: row.id }),
      );
      const first = pickFrom(all, random);
      const others = all.filter(({ row, transition }) => row !== first?.row && transition === first?.transition);
      const second = pickFrom(others, random);
      if (first === null || second === null) return null;
      const edits = [first, second].flatMap(({ row, transition }) =>
        movesOf({ model, entity }, state, { id: row.id, path: [transition] }),
      );
      const names = [first, second].map(({ row }) => titleOf(entity, row));
      return { names, transition: first.transition.id, ...editing(edits) };
    },
    instruction: ({ names, transition }, random) => {
      const both = `both ${names.map(name => `"${name}"`).join(' and ')}`;
      return requested(id, moveWords(transitionNamed(entity, transition), both, random), random);
    },
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
  });
}

/** A record that is in the asked-for state already, or one step away. */
export function alreadyTemplate({ model, entity }: Subject): AppTemplate<SynthState> {
  const id = `already-${entity.table}`;
  return kit.template(id, {
    about: `Make sure of the state of ${article(entity.singular)}; in half of the tasks it is another.`,
    split: 'train',
    kind: 'already-done',
    sample(state, random) {
      const isTwin = random.chance(0.5);
      const hidden = possibleMoves({ model, entity }, state).filter(
        ({ row }) => !isShown(model, state, { entity, id: row.id, columns: ['state'] }),
      );
      const found = pickFrom(hidden, random);
      if (found === null) return null;
      const { row, transition } = found;
      const name = titleOf(entity, row);
      if (isTwin) {
        const edits = movesOf({ model, entity }, state, { id: row.id, path: [transition] });
        return { name, row: row.id, state: transition.to, isTwin, ...editing(edits) };
      }
      const own = String(row['state']);
      return {
        name,
        row: row.id,
        state: own,
        isTwin,
        ...editing([{ table: entity.table, id: row.id, member: 'state', value: own }]),
      };
    },
    isTwin: ({ isTwin }) => isTwin === true,
    instruction: ({ name, state }, random) => {
      const status = workflowOf(entity).label.toLowerCase();
      return filled(random.pick(waysFor(id, assurances, 5)), { x: mention(entity, name, random), state, status });
    },
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
    shown: (state, { row }) => isShown(model, state, { entity, id: row, columns: ['state'] }),
  });
}

/** Whether a state can be reached at all from another, whatever transitions need, without these ones. */
export function leadsTo(entity: Entity, { from, to, without }: Route): boolean {
  const seen = new Set([from]);
  for (const state of seen) {
    for (const transition of workflowOf(entity).transitions) {
      if (transition.from.includes(state) && !without(transition)) seen.add(transition.to);
    }
  }
  return seen.has(to);
}

interface Route {
  readonly from: string;
  readonly to: string;
  without(transition: Transition): boolean;
}

/** Whether a field can be changed on the page of its entity. */
export function isEditable({ model, entity }: Subject, field: string): boolean {
  return fieldOf(entity, field) !== undefined && model.pageOf(entity.id)?.editable.includes(field) === true;
}
