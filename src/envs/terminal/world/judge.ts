import { ownChecks } from '../../../core/check-ids.ts';
import type { CheckResult, Ending, Verdict } from '../../../core/records.ts';
import type { Check, TerminalTask } from './definition.ts';
import { changedPaths, contentHash, createMatcher, nodeAt, type FileTree } from './tree.ts';
import type { WorldState } from './state.ts';
import type { World } from './world.ts';

/**
 * Judges a state. Files are looked at from outside, by their hashes; a command of a check runs by itself over the files of the world and
 * hidden files of its own. Nothing of the agent is there when the result is compared.
 */
export async function judge(world: World, task: TerminalTask, state: WorldState): Promise<Verdict> {
  const { home, start } = world;
  const checks: CheckResult[] = [];
  for (const check of task.checks)
    checks.push({ id: check.id, name: check.name, pass: await holds(world, { check, state }) });
  checks.push(...endingChecks(task, state.ending));
  const [isAllowed, isDenied] = [createMatcher(task.allow), createMatcher(task.deny ?? [])];
  const root = `${home.slice(1)}/`;
  const relative = (path: string): string => (path.startsWith(root) ? path.slice(root.length) : `/${path}`);
  const sideEffects = changedPaths(start.tree, state.tree)
    .map(relative)
    .filter(path => !isAllowed(path) || isDenied(path));
  const passed = checks.filter(({ pass }) => pass).length;
  return {
    pass: passed === checks.length && sideEffects.length === 0,
    checks,
    progress: passed / checks.length,
    clean: sideEffects.length === 0,
    evidence: {
      sideEffects: sideEffects.slice(0, mostSideEffects).map(path => path.toWellFormed()),
      answer: state.ending?.answer ?? null,
    },
  };
}

const mostSideEffects = 20;

function endingChecks({ answer }: TerminalTask, ending: Ending | null): CheckResult[] {
  const givenUp = ending?.infeasible === true ? [{ ...ownChecks.notGivenUp, pass: false }] : [];
  if (answer === undefined) return givenUp;
  return [...givenUp, { id: 'answer', name: 'the answer is right', pass: ending?.answer?.trim() === answer }];
}

interface Judged {
  readonly check: Check;
  readonly state: WorldState;
}

async function holds(world: World, { check, state }: Judged): Promise<boolean> {
  if (check.kind === 'run') return runHolds(world, check, state);
  const place = `${world.home}/${check.path}`;
  const node = nodeAt(state.tree, place);
  switch (check.kind) {
    case 'text':
      if (node?.kind !== 'file') return false;
      return node.hash === contentHash(check.text) || sameText(await textAt(world, state, place), check.text);
    case 'mode':
      return node !== undefined && 'mode' in node && node.mode === check.mode;
    case 'link':
      return node?.kind === 'link' && node.target === check.target;
    case 'folder':
      return node?.kind === 'folder';
    case 'absent':
      return node === undefined || node.kind === 'gone';
    default:
      return isUnchanged(world.start.tree, state.tree, place);
  }
}

function isUnchanged(before: FileTree, after: FileTree, path: string): boolean {
  const [old, now] = [nodeAt(before, path), nodeAt(after, path)];
  return old !== undefined && now !== undefined && changedPaths(old, now).length === 0;
}

async function textAt(world: World, state: WorldState, path: string): Promise<string | null> {
  const { ran } = await world.run(fresh(world, state), { kind: 'read', path });
  return ran.exitCode === 0 ? ran.output.toString() : null;
}

async function runHolds(
  world: World,
  { command, output, exitCode = 0, files }: Extract<Check, { kind: 'run' }>,
  state: WorldState,
): Promise<boolean> {
  const given = files === undefined ? state : await world.withFiles(state, files);
  const { ran } = await world.run(fresh(world, given), { kind: 'run', command });
  return ran.ended === 'itself' && ran.exitCode === exitCode && sameText(ran.output.toString(), output);
}

/** Where the agent stood and what it exported does not count. */
function fresh({ start }: World, state: WorldState): WorldState {
  return { ...state, place: start.place };
}

function sameText(found: string | null, wanted: string): boolean {
  return found !== null && bare(found) === bare(wanted);
}

function bare(text: string): string {
  return text
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')
    .trimEnd();
}
