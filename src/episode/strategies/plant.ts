import type { Action } from '../../core/action.ts';
import { readScreen, type ScreenLine } from '../../core/episode/screen-text.ts';
import { screenActions } from '../../core/episode/screen-actions.ts';
import { describeStep } from '../../core/episode/view.ts';
import { createRandom, type Random } from '../../core/random.ts';
import type { UiRole } from '../../core/ui.ts';
import type { TreeNode } from '../../core/tree.ts';
import type { Verdict } from '../../core/records.ts';
import type { Episode } from '../verbs/episode.ts';
import {
  plantedErrors,
  type OfferedAction,
  type PlantedError,
  type PlantingSite,
  type Replacement,
} from './planted-errors.ts';
import { failureReason, runAlone, type Strategy } from './strategy.ts';

export interface PlantOptions {
  /** Modes of AEGIS to plant; all fourteen when left out. */
  readonly modes?: readonly string[];
}

/** What a leaf with a planted error is called, before its mode. */
const plantedRole = 'planted ';

/**
 * The student tries. Where it passed, errors are planted into its run, one at a time, and the rest of the run is played on. A
 * planted run that now fails is a leaf that names the mode and the wrong step; one that passes all the same is none.
 */
export function createPlant({ modes }: PlantOptions = {}): Strategy {
  const errors = modes === undefined ? plantedErrors : plantedErrors.filter(({ mode }) => modes.includes(mode));
  return {
    name: errors.length === plantedErrors.length ? 'plant' : `plant ${errors.map(({ mode }) => mode).join(' ')}`,
    asksTeacher: false,
    limits: { leaves: errors.length + 1 },
    async run(episode) {
      const stopped = await runAlone(episode);
      const verdict = await episode.verify();
      const leaf = episode.at();
      episode.leaf({ role: 'main', verdict, from: null });
      if (verdict.pass)
        for (const error of errors) if (episode.left('leaves') > 0) await plantOne(episode, error, leaf);
      return { kind: 'verified', leaf, verdict, reason: failureReason(verdict, stopped) };
    },
  };
}

/** Tries the steps of the run in an order drawn from the task, until the error makes it fail. */
async function plantOne(episode: Episode, error: PlantedError, leaf: number): Promise<void> {
  const path = episode.tree.path(leaf);
  const random = createRandom(`${episode.tree.root} ${error.mode}`);
  for (const at of random.shuffle(path.map((_, index) => index)).slice(0, mostSites)) {
    const node = path[at] as TreeNode;
    await episode.rollback(node.parent);
    const screen = (await episode.look()).text;
    const offered = offeredOn(screen);
    const detour = error.mode === 'FM-1.3' ? await findDetour(episode, offered, random) : null;
    const site: PlantingSite = {
      action: node.action,
      next: path[at + 1]?.action,
      offered,
      stepsLeft: episode.left('steps'),
      random,
      detour: () => detour,
      // Whether it was a look is known once it is left out: then nothing but the evidence for the finish is missing.
      isLook: () => true,
    };
    const made = error.replace(site);
    if (made === null) continue;
    const wrong = await play(episode, { made, at, path, description: describeStep(node.action, screen) });
    const verdict = await episode.verify();
    if (wrong === null || verdict.pass || (error.mode === 'FM-3.2' && !lacksOnlyEvidence(verdict))) continue;
    episode.leaf({ role: `${plantedRole}${error.mode}`, verdict, from: wrong });
    return;
  }
}

/** Sites that are tried for one error: an error that seldom makes a run fail costs no more than that. */
const mostSites = 6;

interface Played {
  readonly made: Replacement;
  readonly at: number;
  readonly path: readonly TreeNode[];
  readonly description: string;
}

/** Plays the error and what comes after it; the node of the wrong step, null when none was taken. */
async function play(episode: Episode, { made, at, path, description }: Played): Promise<number | null> {
  const rest = made.ends === true ? [] : path.slice(at + 1).map(({ action }) => action);
  const wrong = made.wrong ?? 0;
  let found: number | null = null;
  for (const [index, action] of [...made.actions, ...rest].entries()) {
    if (episode.ended() !== null || episode.left('steps') <= 0) break;
    const own =
      made.thinks === true && index !== wrong ? describeStep(action, (await episode.look()).text) : description;
    const { id } = await episode.plant(action, made.thinks === true ? `Next: ${own}.` : undefined);
    if (index <= wrong) found = id;
  }
  // A run whose finish was left out errs at its last step.
  return found ?? (episode.at() === 0 ? null : episode.at());
}

function lacksOnlyEvidence({ checks, clean }: Verdict): boolean {
  return clean && checks.every(({ pass, id }) => pass || id === 'looked-up');
}

/** What the screen offers, and what it says of each element. */
function offeredOn(screen: string): readonly OfferedAction[] {
  const lines = readScreen(screen);
  const byRef = new Map(lines.flatMap(line => (line.ref === null ? [] : [[line.ref, line] as const])));
  return screenActions(screen, []).flatMap(action => {
    const line = 'ref' in action ? byRef.get(action.ref) : undefined;
    if (line === undefined) return [];
    return [{ action, role: line.role as UiRole, name: line.name, within: namesAround(lines, line) }];
  });
}

function namesAround(lines: readonly ScreenLine[], line: ScreenLine): readonly string[] {
  const names: string[] = [];
  for (let at = line.parent; at >= 0; at = (lines[at] as ScreenLine).parent) {
    const { name } = lines[at] as ScreenLine;
    if (name !== '') names.unshift(name);
  }
  return names;
}

/** Two clicks that lead away and back to this state, tried and rolled back. */
async function findDetour(
  episode: Episode,
  offered: readonly OfferedAction[],
  random: Random,
): Promise<readonly [Action, Action] | null> {
  const here = episode.at();
  const clicks = offered.map(({ action }) => action).filter(({ kind }) => kind === 'click');
  if (episode.left('steps') < 2) return null;
  for (const out of random.shuffle(clicks).slice(0, 3)) {
    await episode.rollback(here);
    const away = await episode.plant(out);
    if (!away.outcome.applied || episode.ended() !== null || away.after === away.before) continue;
    const backs = offeredOn((await episode.look()).text).map(({ action }) => action);
    for (const back of backs.filter(({ kind }) => kind === 'click').slice(0, 6)) {
      await episode.rollback(away.id);
      const returned = await episode.plant(back);
      if (returned.outcome.applied && returned.after === away.before) {
        await episode.rollback(here);
        return [out, back];
      }
    }
  }
  await episode.rollback(here);
  return null;
}
