import type { Action } from '../../../src/core/action.ts';
import type { Candidate, StateSession } from '../../../src/core/contracts.ts';
import { diff } from '../../../src/core/diff.ts';
import type { Json, JsonObject } from '../../../src/core/json.ts';
import { isOnScreen } from '../../../src/core/path.ts';
import type { Random } from '../../../src/core/random.ts';

/** A step of a passing run at which an error can be planted. */
export interface Site {
  readonly actions: readonly Action[];
  /** Place of the step, from 0. */
  readonly at: number;
  /** The state before it, and those before all steps. Fork them; do not step them. */
  readonly session: StateSession;
  readonly states: readonly StateSession[];
  readonly random: Random;
}

/** A run with an error. */
export interface Planted {
  readonly actions: readonly Action[];
  /** Place of the wrong step, from 0. */
  readonly wrong: number;
}

export const plantedKinds = {
  'wrong value': wrongValue,
  'wrong record': wrongRecord,
  'extra side effect': sideEffect,
  'skipped step': skippedStep,
  'premature finish': prematureFinish,
  'wrong answer': wrongAnswer,
  'wrong value after a detour': afterDetour,
  'undo of progress': undo,
} as const satisfies Record<string, (site: Site) => Planted | null>;
export type PlantedKind = keyof typeof plantedKinds;

const finish: Action = { kind: 'finish' };

function replaced({ actions, at }: Site, ...put: readonly Action[]): Planted {
  return { actions: [...actions.slice(0, at), ...put, ...actions.slice(at + 1)], wrong: at };
}

function inserted({ actions, at }: Pick<Site, 'actions' | 'at'>, ...put: readonly Action[]): Planted {
  return { actions: [...actions.slice(0, at), ...put, ...actions.slice(at)], wrong: at };
}

/** Another value into the same field, or into the same argument. */
function wrongValue(site: Site): Planted | null {
  const { session, random } = site;
  const action = site.actions[site.at] as Action;
  if (action.kind === 'fill') return replaced(site, { ...action, text: otherText(action.text, random) });
  if (action.kind === 'select') {
    const others = session
      .candidates()
      .map(one => one.action)
      .filter(one => one.kind === 'select' && one.ref === action.ref && one.option !== action.option);
    return others.length === 0 ? null : replaced(site, random.pick(others));
  }
  if (action.kind !== 'call') return null;
  const members = Object.entries(action.input).filter(
    ([, value]) => typeof value !== 'object' && !isId(value, session),
  );
  if (members.length === 0) return null;
  const [key, value] = random.pick(members);
  return replaced(site, { ...action, input: { ...action.input, [key]: otherValue(value, random) } });
}

function otherText(text: string, random: Random): string {
  if (/^\d+$/.test(text)) return String(Number(text) + random.between(1, 9));
  return random.pick([`${text} ${random.pick(['too', 'II', 'today'])}`, text.slice(0, -2) || 'x', 'Marigold']);
}

function otherValue(value: Json, random: Random): Json {
  if (typeof value === 'number') return value + random.between(1, 5);
  if (typeof value === 'boolean') return !value;
  return typeof value === 'string' ? otherText(value, random) : 'Marigold';
}

function recordsIn(state: Json): ReadonlyMap<string, readonly string[]> {
  const tables = new Map<string, readonly string[]>();
  for (const [name, rows] of Object.entries((state ?? {}) as JsonObject)) {
    const list = Array.isArray(rows) ? (rows as readonly Json[]) : [];
    const ids = list.map(row => (row as JsonObject | null)?.['id']).filter(id => typeof id === 'string');
    if (ids.length > 1) tables.set(name, ids);
  }
  return tables;
}

function isId(value: Json, session: StateSession): boolean {
  return [...recordsIn(session.state()).values()].some(ids => ids.includes(value as string));
}

/** The same button of another row, another row of a list, or another id in a call. */
function wrongRecord(site: Site): Planted | null {
  const { session, random } = site;
  const action = site.actions[site.at] as Action;
  if (action.kind === 'call') return otherRecordInCall(site, action);
  if (action.kind !== 'click') return null;
  const offered = session.candidates().filter(one => one.action.kind === 'click');
  const own = offered.find(one => 'ref' in one.action && one.action.ref === action.ref);
  if (own === undefined) return null;
  const isSibling = (one: Candidate): boolean =>
    one !== own &&
    one.role === own.role &&
    (one.within ?? []).length === (own.within ?? []).length &&
    (one.name === own.name) !== (one.within?.join() === own.within?.join());
  const others = offered.filter(isSibling);
  return others.length === 0 ? null : replaced(site, random.pick(others).action);
}

function otherRecordInCall(site: Site, action: Action & { kind: 'call' }): Planted | null {
  const tables = [...recordsIn(site.session.state()).values()];
  for (const [key, value] of Object.entries(action.input)) {
    const isList = Array.isArray(value);
    const given = (isList ? value[0] : value) as Json;
    const others = tables.find(ids => ids.includes(given as string))?.filter(id => id !== given) ?? [];
    if (others.length === 0) continue;
    const other = site.random.pick(others);
    return replaced(site, {
      ...action,
      input: { ...action.input, [key]: isList ? [other, ...value.slice(1)] : other },
    });
  }
  return null;
}

/** One step more that changes something which the task does not ask for, and leaves the screen as good as it was. */
function sideEffect(site: Site): Planted | null {
  const { actions, at, session, random } = site;
  const options = [...session.candidates().map(one => one.action), ...strayCalls(site)];
  for (const action of random.shuffle(options).slice(0, 30)) {
    const tried = session.fork();
    if (action.kind === 'finish' || !tried.step(action).applied || tried.ended() !== null) continue;
    if (diff(session.state(), tried.state()).every(({ path }) => isOnScreen(path))) continue;
    if (tried.verify().evidence.sideEffects.length === 0) continue;
    return inserted({ actions, at }, action);
  }
  return null;
}

/** Calls of the run with the id of another record. */
function strayCalls(site: Site): readonly Action[] {
  return site.actions.flatMap((action, at) => {
    const made = action.kind === 'call' ? otherRecordInCall({ ...site, at }, action) : null;
    return made === null ? [] : [made.actions[at] as Action];
  });
}

/** A step is left out. The wrong step is the one that comes in its place. */
function skippedStep({ actions, at }: Site): Planted | null {
  return actions[at]?.kind === 'finish' ? null : { actions: actions.toSpliced(at, 1), wrong: at };
}

function prematureFinish({ actions, at }: Site): Planted | null {
  return actions[at]?.kind === 'finish' ? null : { actions: [...actions.slice(0, at), finish], wrong: at };
}

function wrongAnswer(site: Site): Planted | null {
  const action = site.actions[site.at] as Action;
  if (action.kind !== 'finish' || action.answer === undefined) return null;
  const { answer } = action;
  const names = site.session.candidates().flatMap(({ name, within = [] }) => [...within, name ?? '']);
  const others = [...new Set([...names, otherText(answer, site.random)])].filter(
    name => name !== '' && name !== answer,
  );
  return replaced(site, { ...action, answer: site.random.pick(others) });
}

/** A harmless way round, with or without a way back to the very same state, and an error later. */
function afterDetour(site: Site): Planted | null {
  const error = wrongValue(site) ?? wrongAnswer(site) ?? wrongRecord(site);
  if (error === null || site.at === 0) return null;
  const place = site.random.between(0, site.at - 1);
  const detour = detourAt(site, place);
  if (detour === null) return null;
  return {
    actions: [...error.actions.slice(0, place), ...detour, ...error.actions.slice(place)],
    wrong: error.wrong + detour.length,
  };
}

/** Two clicks that lead away and back to the same screen. */
function detourAt({ states, random }: Site, place: number): readonly Action[] | null {
  const start = states[place] as StateSession;
  const screen = start.observe().text;
  const clicks = (session: StateSession): readonly Action[] =>
    session.candidates().flatMap(({ action }) => (action.kind === 'click' || action.kind === 'select' ? [action] : []));
  for (const out of random.shuffle(clicks(start)).slice(0, 8)) {
    const away = start.fork();
    if (!away.step(out).applied || away.ended() !== null || away.observe().text === screen) continue;
    for (const back of clicks(away).slice(0, 15)) {
      const returned = away.fork();
      if (returned.step(back).applied && returned.observe().text === screen && isClean(returned)) return [out, back];
    }
  }
  return null;
}

function isClean(session: StateSession): boolean {
  return session.verify().evidence.sideEffects.length === 0;
}

/** One step more that takes back what a step before has brought about, so that a check fails again. */
function undo(site: Site): Planted | null {
  const { actions, at, session, random } = site;
  if (at === 0) return null;
  const before = session.guide().unmet;
  const options = [...session.candidates().map(one => one.action), ...flippedCalls(actions.slice(0, at))];
  for (const action of random.shuffle(options).slice(0, 40)) {
    const tried = session.fork();
    if (action.kind === 'finish' || !tried.step(action).applied || tried.ended() !== null) continue;
    if (tried.guide().unmet > before) return inserted({ actions, at }, action);
  }
  return null;
}

function flippedCalls(actions: readonly Action[]): readonly Action[] {
  return actions.flatMap(action => {
    if (action.kind !== 'call') return [];
    const flips = Object.entries(action.input).filter(([, value]) => typeof value === 'boolean');
    return flips.map(([key, value]): Action => ({ ...action, input: { ...action.input, [key]: value !== true } }));
  });
}
