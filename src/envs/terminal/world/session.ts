import type { Action } from '../../../core/action.ts';
import type { Candidate, Session, Snapshot } from '../../../core/contracts.ts';
import { EspalierError } from '../../../core/errors.ts';
import type { StepOutcome, Task, Verdict } from '../../../core/records.ts';
import { createScreen, type UiNode } from '../../../core/ui.ts';
import { malformation } from '../../../worlds/resolve.ts';
import { hasEnded, sessionClosed } from '../../../worlds/session.ts';
import { lifeEnded } from './terminals.ts';
import { callTool } from './tools.ts';
import { nodeAt, type FileNode } from './tree.ts';
import type { WorldState } from './state.ts';
import type { World } from './world.ts';

/** A world with its task: who judges it, and what solves it. */
export interface PlayedWorld {
  readonly world: World;
  judge(state: WorldState): Promise<Verdict>;
  /** Actions that solve it; null when nobody knows any. */
  readonly solution: readonly Action[] | null;
}

/** What the sessions of one opened task share. */
export interface OpenTerminal extends PlayedWorld {
  readonly task: Task;
  /** Verdicts by digest: laws, plans and reviews ask for the same one many times. */
  readonly verdicts: Map<string, Promise<Verdict>>;
  /** Told when a session opens and when it closes. */
  readonly count: { sessions: number };
  onLastClosed(): Promise<void>;
}

interface TerminalSnapshot extends Snapshot {
  readonly world: World;
  readonly state: WorldState;
  /** Which session took it: what lives in a terminal belongs to one. */
  readonly by: object;
}

/** A session in a terminal world. Its state is a value: forks and snapshots copy nothing. */
export function createTerminalSession(open: OpenTerminal, start: WorldState): Session {
  const { task, world, verdicts, count, solution } = open;
  let [state, isClosed] = [start, false];
  const itself = {};
  count.sessions++;
  const now = (): WorldState => {
    if (isClosed) throw sessionClosed(task.id);
    return state;
  };
  return {
    task,
    observe: () => ({ text: createScreen(screenOf(world, now())).text }),
    ended: () => (now().ending === null ? null : 'terminated'),
    candidates: () => (now().ending === null ? candidatesIn(state) : []),
    async step(action): Promise<StepOutcome> {
      const before = now();
      const { state: next, outcome } = await taken(world, before, action);
      state = next;
      return outcome;
    },
    digest: () => world.digest(now()),
    verify() {
      const digest = world.digest(now());
      const known = verdicts.get(digest) ?? open.judge(world.apart(state));
      verdicts.set(digest, known);
      return known;
    },
    snapshot: (): TerminalSnapshot => ({ owner: task.id, world, state: now(), by: itself }),
    async restore(snapshot) {
      const left = now();
      const given = snapshot as Partial<TerminalSnapshot> | null | undefined;
      if (given?.world !== world || given.state === undefined) throw foreignSnapshot(task.id);
      const isWhole = given.by === itself ? world.isWhole(given.state) : hasNoLife(given.state);
      if (!isWhole) throw lifeEnded(task.id);
      state = given.state;
      if (state.terminal?.version !== left.terminal?.version) await world.leave(left);
    },
    fork(options) {
      if (options?.unchecked !== true && !hasNoLife(now())) throw lifeEnded(task.id);
      return createTerminalSession(open, world.apart(now()));
    },
    ...(solution === null ? {} : { solution: () => [...solution] }),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await world.leave(state);
      if (--count.sessions === 0) await open.onLastClosed();
    },
  };
}

function hasNoLife({ terminal }: WorldState): boolean {
  return (terminal?.id ?? 0) === 0;
}

export const noScreen = { code: 'invalid-action', message: 'There is no screen here: call a tool, or finish.' };

async function taken(
  world: World,
  state: WorldState,
  action: Action,
): Promise<{ readonly state: WorldState; readonly outcome: StepOutcome }> {
  const problem = state.ending === null ? malformation(action) : hasEnded;
  if (problem !== null) return { state, outcome: { applied: false, problem } };
  if (action.kind === 'finish') {
    const ending = { answer: action.answer ?? null, infeasible: action.infeasible === true };
    return { state: { ...state, ending }, outcome: { applied: true, end: 'terminated' } };
  }
  if (action.kind !== 'call') return { state, outcome: { applied: false, problem: noScreen } };
  return callTool(world, state, action);
}

const mostShown = 40;

/** The working folder, and what is known to lie in it: a function of the state. */
export function screenOf({ home }: Pick<World, 'home'>, { tree, place, terminal }: WorldState): UiNode {
  const node = nodeAt(tree, place.folder);
  const names =
    node?.kind === 'folder' ? Object.entries(node.names).toSorted(([one], [other]) => (one < other ? -1 : 1)) : [];
  const shown = names
    .slice(0, mostShown)
    .map(([name, entry]): UiNode => ({ role: 'listitem', name: entryText(name, entry).toWellFormed() }));
  const rest = names.length - shown.length;
  const more: UiNode[] = rest === 0 ? [] : [{ role: 'listitem', name: `and ${rest} more` }];
  const list: UiNode[] = names.length === 0 ? [] : [{ role: 'list', name: 'Files', children: [...shown, ...more] }];
  const folder = place.folder === home ? '~' : place.folder.replace(`${home}/`, '~/');
  const lines = terminal?.screen.split('\n') ?? [];
  const shell: UiNode[] =
    terminal === undefined
      ? []
      : [{ role: 'list', name: 'Screen', children: lines.map((name): UiNode => ({ role: 'listitem', name })) }];
  const children: UiNode[] = [{ role: 'text', name: `Working folder ${folder.toWellFormed()}` }, ...list, ...shell];
  return { role: 'page', name: 'Terminal', children };
}

function entryText(name: string, node: FileNode): string {
  if (node.kind === 'folder') return `${name}/`;
  if (node.kind === 'link') return `${name} -> ${node.target}`;
  return node.kind === 'file' ? `${name}, ${node.size} bytes` : name;
}

/** Commands that anybody might try in this folder: what random agents choose from. */
export function candidatesIn({ tree, place }: WorldState): Candidate[] {
  const node = nodeAt(tree, place.folder);
  const names = node?.kind === 'folder' ? Object.entries(node.names).filter(([name]) => name.isWellFormed()) : [];
  const commands = names.slice(0, mostShown).flatMap(([name, { kind }]) => {
    const quoted = `'${name.replaceAll("'", String.raw`'\''`)}'`;
    if (kind === 'folder') return [`ls -A ${quoted}`, `cd ${quoted}`];
    return kind === 'file' ? [`cat ${quoted}`, `rm -f ${quoted}`, `cp ${quoted} ${quoted}.copy`] : [];
  });
  return ['pwd', 'ls -A', 'cd ..', 'mkdir -p new', 'echo text >> notes.txt', ...commands].map(command => ({
    action: { kind: 'call', tool: 'run', input: { command } },
    name: command,
  }));
}

export function foreignSnapshot(task: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'foreign-snapshot',
    message: `A snapshot from elsewhere was given to a session of task ${task}.`,
    expected: 'Restore a snapshot in the session that took it, or in a fork of it.',
  });
}
