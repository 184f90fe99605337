import type { Action } from '../../core/action.ts';
import type { Candidate } from '../../core/contracts.ts';
import type { Random } from '../../core/random.ts';

/** An action on offer, and what the screen says of its element. */
export type OfferedAction = Pick<Candidate, 'action' | 'role' | 'name' | 'within'>;

/** A step of a passing run that an error may replace. */
export interface PlantingSite {
  readonly action: Action;
  /** The next step of the passing run. */
  readonly next: Action | undefined;
  readonly offered: readonly OfferedAction[];
  /** Steps that are left of the task's budget, this one included. */
  readonly stepsLeft: number;
  readonly random: Random;
  /** Two steps that lead away and back to this very state; null where none are known. */
  detour(): readonly [Action, Action] | null;
  /** Whether the step looks and changes nothing but the screen. */
  isLook(): boolean;
}

/** What an error puts in the place of a step. */
export interface Replacement {
  readonly actions: readonly Action[];
  /** Leaves out the rest of the run. */
  readonly ends?: true;
  /** Which of the actions is the first wrong one, from 0. */
  readonly wrong?: number;
  /** The agent writes a thought before every step; before the wrong one it names the right step. */
  readonly thinks?: true;
}

/** One of AEGIS' modes as a change of one step; null where the mode does not apply. */
export interface PlantedError {
  readonly mode: PlantedMode;
  /** In a few words, for tables. */
  readonly about: string;
  replace(site: PlantingSite): Replacement | null;
}

type PlantedMode =
  `FM-${'1.1' | '1.2' | '1.3' | '1.4' | '1.5' | '2.1' | '2.2' | '2.3' | '2.4' | '2.5' | '2.6' | '3.1' | '3.2' | '3.3'}`;

const finish: Action = { kind: 'finish' };
const isFinish = ({ action }: PlantingSite): boolean => action.kind === 'finish';

/** All fourteen modes, as far as one agent alone can show them. */
export const plantedErrors: readonly PlantedError[] = [
  { mode: 'FM-1.1', about: 'another value is entered', replace: wrongParameter },
  { mode: 'FM-1.2', about: 'a tool is called that does not exist', replace: unknownTool },
  { mode: 'FM-1.3', about: 'detours until the steps run out', replace: detours },
  { mode: 'FM-1.4', about: 'a step is left out', replace: site => (isFinish(site) ? null : { actions: [] }) },
  { mode: 'FM-1.5', about: 'the finish is left out', replace: noFinish },
  { mode: 'FM-2.1', about: 'a step is repeated until the steps run out', replace: repetition },
  { mode: 'FM-2.2', about: 'the same button of another record is clicked', replace: sameNameElsewhere },
  { mode: 'FM-2.3', about: 'another element is clicked', replace: otherTarget },
  { mode: 'FM-2.4', about: 'the answer is left out', replace: withheldAnswer },
  { mode: 'FM-2.5', about: 'a refused step is tried again', replace: ignoredRefusal },
  { mode: 'FM-2.6', about: 'the thought names another element than the step', replace: otherThanThought },
  { mode: 'FM-3.1', about: 'finished too early', replace: prematureFinish },
  { mode: 'FM-3.2', about: 'the look before the finish is left out', replace: noVerification },
  { mode: 'FM-3.3', about: 'a wrong answer is given', replace: wrongAnswer },
];

function noFinish(site: PlantingSite): Replacement | null {
  return isFinish(site) ? { actions: [], ends: true } : null;
}

function prematureFinish(site: PlantingSite): Replacement | null {
  return isFinish(site) ? null : { actions: [finish], ends: true };
}

function wrongParameter({ action, offered, random }: PlantingSite): Replacement | null {
  if (action.kind === 'fill')
    return { actions: [{ ...action, text: `${random.pick(['Zephyr', 'Quill', '7731'])} ${action.text.slice(1)}` }] };
  if (action.kind !== 'select') return null;
  const others = offered
    .map(one => one.action)
    .filter(one => one.kind === 'select' && one.ref === action.ref && one.option !== action.option);
  return others.length === 0 ? null : { actions: [random.pick(others)] };
}

function unknownTool(site: PlantingSite): Replacement | null {
  const tool = site.random.pick(['approve_request', 'run_shell', 'assign_reviewer']);
  return isFinish(site) ? null : { actions: [{ kind: 'call', tool, input: {} }] };
}

/** Goes somewhere else and back, over and over. */
function detours(site: PlantingSite): Replacement | null {
  const found = isFinish(site) ? null : site.detour();
  if (found === null) return null;
  return { actions: Array.from({ length: site.stepsLeft }, (_, at) => found[at % 2] as Action) };
}

/** The first of equal steps is right. */
function repetition({ action, stepsLeft }: PlantingSite): Replacement | null {
  if (action.kind === 'finish' || stepsLeft < 3) return null;
  return { actions: Array.from({ length: stepsLeft }, () => action), wrong: 1 };
}

function clickedElement({ action, offered }: PlantingSite): OfferedAction | undefined {
  if (action.kind !== 'click') return undefined;
  return offered.find(one => one.action.kind === 'click' && one.action.ref === action.ref);
}

/** Clicks like this one; with the same name, or with another. */
function otherClicks(site: PlantingSite, hasSameName: boolean): readonly OfferedAction[] {
  const own = clickedElement(site);
  if (own === undefined) return [];
  return site.offered.filter(
    one =>
      one !== own && one.action.kind === 'click' && one.role === own.role && (one.name === own.name) === hasSameName,
  );
}

function sameNameElsewhere(site: PlantingSite): Replacement | null {
  const others = otherClicks(site, true);
  return others.length === 0 ? null : { actions: [site.random.pick(others).action] };
}

function otherTarget(site: PlantingSite): Replacement | null {
  const others = otherClicks(site, false);
  return others.length === 0 ? null : { actions: [site.random.pick(others).action] };
}

function otherThanThought(site: PlantingSite): Replacement | null {
  const made = otherTarget(site);
  return made === null ? null : { ...made, thinks: true };
}

/** The environment is the only one that tells a single agent anything: its refusals are what is ignored. */
function ignoredRefusal(site: PlantingSite): Replacement | null {
  const missing: Action = { kind: 'click', ref: 'e9999' };
  return isFinish(site) ? null : { actions: [missing, missing], wrong: 1 };
}

function withheldAnswer({ action }: PlantingSite): Replacement | null {
  return action.kind === 'finish' && action.answer !== undefined ? { actions: [finish] } : null;
}

/** Answers with another name that stands on the screen. */
function wrongAnswer({ action, offered, random }: PlantingSite): Replacement | null {
  if (action.kind !== 'finish' || action.answer === undefined) return null;
  const { answer } = action;
  const names = offered.flatMap(({ name, within = [] }) => [...within, ...(name === undefined ? [] : [name])]);
  const others = [...new Set(names)].filter(name => name !== '' && name !== String(answer));
  return others.length === 0 ? null : { actions: [{ ...action, answer: random.pick(others) }] };
}

/** The last step before the finish only looks: it changes nothing but the screen. */
function noVerification({ action, next, isLook }: PlantingSite): Replacement | null {
  if (action.kind === 'finish' || next?.kind !== 'finish') return null;
  return isLook() ? { actions: [] } : null;
}
