import { createRandom } from '../../core/random.ts';
import type { Sandboxes } from '../terminal/sandbox/sandbox.ts';
import type { WorldState } from '../terminal/world/state.ts';
import { createWorld, type World } from '../terminal/world/world.ts';
import type { Commit } from './history.ts';
import { applyCommand, readPatch, spoil, type Hunk } from './patch.ts';
import { isOfTests, startBefore, type Project } from './project.ts';
import { canariesOf, groupsOf, runTests, type TestGroup } from './test-runs.ts';

/** What a commit gives: a task, or why it gives none. */
export interface Found {
  readonly commit: string;
  /** Null when it is a task. */
  readonly reason: string | null;
  readonly task: FoundTask | null;
}

export interface FoundTask {
  /** Lines of results by group of tests: those that the commit makes pass, and those that pass before and after it. */
  readonly groups: Readonly<Record<string, { readonly gained: readonly string[]; readonly kept: readonly string[] }>>;
  /** Commands that apply the parts of the commit that its tests need, one a step. */
  readonly oracle: readonly string[];
  readonly changed: readonly string[];
  /** Spoilt solutions that fail. */
  readonly mutants: readonly (readonly string[])[];
  readonly mutantsTried: number;
  readonly mutantsFailed: number;
  /** Parts of the commit that no test needs. */
  readonly partsLeftOut: number;
}

const mostFiles = 20;
const mostLines = 600;
const mostParts = 12;
const mostMutants = 4;
const leastKilled = 0.5;

class NoTask extends Error {}

/** Runs the tests before and after a commit, and finds what of it they need. */
export async function mineCommit(project: Project, commit: Commit, sandboxes: Sandboxes): Promise<Found> {
  try {
    return { commit: commit.id, reason: null, task: await mined(project, commit, sandboxes) };
  } catch (cause) {
    if (cause instanceof NoTask) return { commit: commit.id, reason: cause.message, task: null };
    throw cause;
  }
}

interface Mining {
  readonly project: Project;
  readonly world: World;
  readonly groups: readonly TestGroup[];
}

async function mined(project: Project, commit: Commit, sandboxes: Sandboxes): Promise<FoundTask> {
  const { hunks, changed } = partsOf(project, commit);
  const groups = groupsOf(project, commit, changed);
  const world = await createWorld(sandboxes, {
    ...startBefore(project, commit),
    instruction: '',
    checks: [],
    allow: [],
    oracle: [],
    mutants: [],
  });
  const mining = { project, world, groups };
  try {
    const after = await stateWith(mining, hunks);
    if (after === null) throw new NoTask('its patch does not apply');
    const wanted = await wantedLines(mining, after);
    const needed = await neededParts(mining, hunks, wanted);
    const { mutants, tried, failed } = await triedMutants(mining, needed, { wanted, seed: commit.id });
    if (failed < tried * leastKilled) throw new NoTask(`its tests notice ${failed} of ${tried} mistakes in it`);
    return {
      groups: wanted,
      oracle: needed.map(applyCommand),
      changed: [...new Set(needed.map(({ path }) => path))],
      mutants,
      mutantsTried: tried,
      mutantsFailed: failed,
      partsLeftOut: hunks.length - needed.length,
    };
  } finally {
    await world.close();
  }
}

/** The parts of a commit that are no tests; what cannot be a task is thrown before anything runs. */
function partsOf(project: Project, commit: Commit): { readonly hunks: Hunk[]; readonly changed: string[] } {
  const { history, runner } = project;
  const changes = history.changes(commit);
  const changed = changes.map(({ path }) => path);
  const tests = changes.filter(({ path, kind }) => kind !== 'removed' && runner.isTest(path));
  if (tests.length === 0) throw new NoTask('it changes no tests');
  const sources = changed.filter(path => !isOfTests(project, path));
  if (sources.length === 0) throw new NoTask('it changes tests alone');
  if (sources.length > mostFiles) throw new NoTask(`it changes ${sources.length} files beside tests`);
  const patch = history.patch(commit, sources);
  if (/^(?:GIT binary patch|Binary files)/m.test(patch)) throw new NoTask('it changes files that are no text');
  if (patch.split('\n').length > mostLines) throw new NoTask(`its patch has more than ${mostLines} lines`);
  return { hunks: readPatch(patch), changed };
}

async function stateWith({ world }: Mining, hunks: readonly Hunk[]): Promise<WorldState | null> {
  let state = world.start;
  for (const hunk of hunks) {
    const { ran, state: next } = await world.run(state, { kind: 'run', command: applyCommand(hunk) });
    if (ran.exitCode !== 0) return null;
    state = next;
  }
  return state;
}

type Wanted = FoundTask['groups'];

/** Tests that pass after the commit, twice: those that did not before, and those that did. */
async function wantedLines({ project, world, groups }: Mining, after: WorldState): Promise<Wanted> {
  const wanted: Record<string, { gained: string[]; kept: string[] }> = {};
  for (const group of groups) {
    const now = await runTests(project, group, { world, state: after });
    if (now.lines === null) throw new NoTask('its tests take too long');
    const lines = now.lines;
    if (!canariesOf(project, group).every(line => lines.has(line))) {
      // Neighbours that do not run here are left out; its own tests must.
      if (group.id === 'other-tests') continue;
      throw new NoTask(`its tests do not run here: ${now.said.split('\n').at(-1) ?? ''}`.slice(0, 200));
    }
    const again = await runTests(project, group, { world, state: after });
    const passing = [...lines].filter(line => line.startsWith('pass') && again.lines?.has(line) === true);
    const before = await runTests(project, group, { world, state: world.start });
    const kept = passing.filter(line => before.lines?.has(line) === true);
    wanted[group.id] = { kept, gained: passing.filter(line => !kept.includes(line)) };
    if (group.id === 'tests-of-the-change' && kept.length === passing.length)
      throw new NoTask('no test fails before it and passes after it');
  }
  return wanted;
}

async function passes({ project, world, groups }: Mining, state: WorldState | null, wanted: Wanted): Promise<boolean> {
  if (state === null) return false;
  for (const group of groups) {
    const lines = wanted[group.id];
    if (lines === undefined) continue;
    const { lines: found } = await runTests(project, group, { world, state });
    if (
      found === null ||
      ![...lines.kept, ...lines.gained, ...canariesOf(project, group)].every(line => found.has(line))
    )
      return false;
  }
  return true;
}

const prose = /\.(?:md|txt|rst|adoc)$/i;

/** The parts that the tests need: without any one of these they fail. */
async function neededParts(mining: Mining, hunks: readonly Hunk[], wanted: Wanted): Promise<Hunk[]> {
  const pass = async (some: readonly Hunk[]): Promise<boolean> => passes(mining, await stateWith(mining, some), wanted);
  const code = hunks.filter(({ path }) => !prose.test(path));
  let kept = code.length < hunks.length && (await pass(code)) ? code : [...hunks];
  if (kept.length > mostParts) throw new NoTask(`its patch has ${kept.length} parts`);
  if (!(await pass(kept))) throw new NoTask('its tests are flaky');
  for (const path of new Set(kept.map(hunk => hunk.path))) {
    const rest = kept.filter(hunk => hunk.path !== path);
    if (rest.length > 0 && (await pass(rest))) kept = rest;
  }
  for (let before = -1; before !== kept.length; ) {
    before = kept.length;
    for (const hunk of kept) {
      const rest = kept.filter(each => each !== hunk);
      if (rest.length > 0 && (await pass(rest))) kept = rest;
    }
  }
  return kept;
}

interface Tried {
  readonly mutants: string[][];
  readonly tried: number;
  readonly failed: number;
}

async function triedMutants(
  mining: Mining,
  needed: readonly Hunk[],
  { wanted, seed }: { readonly wanted: Wanted; readonly seed: string },
): Promise<Tried> {
  const all = needed.flatMap((hunk, at) => spoil(hunk).map(spoilt => needed.with(at, spoilt)));
  const chosen = createRandom(`mutants ${seed}`).shuffle(all).slice(0, mostMutants);
  const mutants: string[][] = [];
  for (const mutant of chosen)
    if (!(await passes(mining, await stateWith(mining, mutant), wanted))) mutants.push(mutant.map(applyCommand));
  return { mutants, tried: chosen.length, failed: mutants.length };
}
