import type { Action } from '../../core/action.ts';
import { EspalierError } from '../../core/errors.ts';
import type { CheckResult, Verdict } from '../../core/records.ts';
import type { InitialFile, Pool, Sandboxes } from '../terminal/sandbox/sandbox.ts';
import type { PlayedWorld } from '../terminal/world/session.ts';
import { changedPaths, emptyTree, withLayer } from '../terminal/world/tree.ts';
import type { WorldState } from '../terminal/world/state.ts';
import { worldOver, type World } from '../terminal/world/world.ts';
import { buildImage, containerLimits, packageFolders, type Built, type Image } from './image/build.ts';
import type { PackageCache } from './image/package-cache.ts';
import { readPytest, readReward, type Reward } from './reward.ts';
import { logFiles, scriptsOf, solutionFiles, solutionScript, testCommand, testFiles } from './task-files.ts';
import type { HarborTask } from './task-folder.ts';

/** Where layers stay, what can be installed, and who makes sandboxes. */
export interface Workshop {
  readonly store: string;
  readonly packages: PackageCache;
  readonly sandboxes: Sandboxes;
}

const buildSeconds = 600;
const usualSeconds = { agent: 600, verifier: 600 } as const;
/** A command of an agent takes at most so long. */
const commandSeconds = 300;

/** Builds the image of a task, or takes it from the store. */
export async function buildTask(task: HarborTask, { store, packages, sandboxes }: Workshop): Promise<Built> {
  if (task.build === null)
    return { image: null, problems: [task.unbuildable ?? 'there is no Dockerfile'], remarks: [] };
  const pool = await sandboxes.openPool();
  try {
    const seconds = task.config?.environment?.build_timeout_sec ?? buildSeconds;
    return await buildImage({ ...task.build, store, packages, pool, seconds, scripts: scriptsOf(task) });
  } finally {
    await pool.close();
  }
}

/** A world of a task: the layers of its image below, those of the agent above. */
export interface HarborWorld extends PlayedWorld {
  readonly world: World;
  /** The state after a script that lies where solutions do; null for none. */
  solve(script: string | null): Promise<WorldState>;
  verify(state: WorldState): Promise<Verified>;
}

export interface Verified {
  readonly verdict: Verdict;
  readonly reward: number | null;
  /** Why there is no reward. */
  readonly problem: string | null;
  /** What the tests printed. */
  readonly output: string;
}

export async function openHarborWorld(task: HarborTask, image: Image, sandboxes: Sandboxes): Promise<HarborWorld> {
  const pool = await sandboxes.openPool();
  const environment = environmentOf(task, image);
  const isIncidental = (): boolean => false;
  const user = await userOf(pool, image);
  const request = { limits: containerLimits(commandSeconds), folders: packageFolders, ...(user === 0 ? {} : { user }) };
  const ground = worldOver({ pool, home: '/root', environment, isIncidental, request });
  const tree = withLayer(emptyTree, sandboxes.root, isIncidental);
  const start = { layers: image.layers, tree, place: { folder: image.folder, exports: '' }, ending: null };
  const world: World = { ...ground, start };
  const verify = (state: WorldState): Promise<Verified> => verified({ task, world, pool, environment }, state);
  return {
    world,
    verify,
    judge: async state => (await verify(state)).verdict,
    solution: solutionActions(task),
    async solve(script) {
      if (script === null) return start;
      const files = (solutionFiles(task) ?? []).map(file =>
        file.path === solutionScript[task.layout] ? { ...file, content: script } : file,
      );
      const laid = await world.withFiles(start, files);
      const limits = containerLimits(task.config?.agent?.timeout_sec ?? usualSeconds.agent);
      const { state } = await world.run(
        laid,
        { kind: 'run', command: `bash /${solutionScript[task.layout]}` },
        { limits },
      );
      // What an agent wrote is what counts: the solution itself is not part of it.
      return { ...state, layers: state.layers.filter(layer => layer !== laid.layers[0]) };
    },
  };
}

function environmentOf({ config }: HarborTask, image: Image): Record<string, string> {
  return {
    HOME: '/root',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    TEST_DIR: '/tests',
    PYTHONDONTWRITEBYTECODE: '1',
    ...image.variables,
    ...filled(config?.environment?.env),
  };
}

/** `${NAME:-word}` is the word: nothing of this process's variables goes in. */
function filled(variables: Readonly<Record<string, string>> = {}): Record<string, string> {
  const entries = Object.entries(variables);
  return Object.fromEntries(entries.map(([name, value]) => [name, value.replaceAll(/\$\{\w+(?::-([^}]*))?\}/g, '$1')]));
}

async function userOf(pool: Pool, { user, layers }: Image): Promise<number> {
  if (/^\d+$/.test(user)) return Number(user);
  if (user === 'root') return 0;
  const { output } = await pool.run(layers, {
    command: { kind: 'run', command: `id -u '${user.replaceAll("'", '')}'` },
    place: { folder: '/', exports: '' },
    environment: { HOME: '/', PATH: '/usr/bin:/bin' },
    limits: containerLimits(commandSeconds),
  });
  const number = Number(output.toString().trim());
  if (Number.isInteger(number) && output.length > 0) return number;
  throw new EspalierError({
    boundary: 'environment',
    code: 'template-failed',
    message: `The Dockerfile ends as the user "${user}", whom the image does not have.`,
    expected: 'Expected USER with a name that a line before has made.',
  });
}

/** Steps that put the solution in place and run it. */
function solutionActions(task: HarborTask): Action[] | null {
  const files = solutionFiles(task);
  if (files === null) return null;
  const call = (command: string): Action => ({ kind: 'call', tool: 'run', input: { command } });
  const writes = files.flatMap(({ path, content }) =>
    content === undefined
      ? []
      : [
          call(
            `mkdir -p "$(dirname '/${path}')" && base64 -d > '/${path}' <<'END'\n${Buffer.from(content as string).toString('base64')}\nEND`,
          ),
        ],
  );
  return [...writes, call(`bash /${solutionScript[task.layout]}`), { kind: 'finish' }];
}

interface Verifying {
  readonly task: HarborTask;
  readonly world: World;
  readonly pool: Pool;
  readonly environment: Readonly<Record<string, string>>;
}

/** Paths that only the verifier has to do with. */
const guarded = /^(?:tests|logs\/verifier|oracle-tests)(?:\/|$)/;
const mostKept = 20;

/**
 * Runs the tests over the final layers of an agent. They lie in a layer of their own that hides what the agent has put there, as does the
 * folder of rewards; no process of the agent is alive, and its variables and its working folder do not count.
 */
async function verified({ task, world, pool, environment }: Verifying, state: WorldState): Promise<Verified> {
  const { start } = world;
  const laid = await pool.lay(parents([...testFiles(task), ...logFiles]));
  const seconds = task.config?.verifier?.timeout_sec ?? usualSeconds.verifier;
  const ran = await pool.run([laid.id, ...state.layers], {
    command: { kind: 'run', command: testCommand[task.layout] },
    place: start.place,
    environment: { ...environment, ...filled(task.config?.verifier?.env) },
    limits: containerLimits(seconds),
    folders: packageFolders,
  });
  const output = ran.output.toString();
  const written = (name: string): string | null =>
    ran.layer?.entries.find(({ path }) => path === `logs/verifier/${name}`)?.content.toString() ?? null;
  const said: Reward =
    ran.ended === 'itself'
      ? task.layout === 'harbor'
        ? readReward(written('reward.json'), written('reward.txt'))
        : readPytest(output)
      : { reward: null, checks: [], problem: `the tests were stopped by the limit on ${ran.ended}` };
  const tampered = changedPaths(start.tree, state.tree).filter(path => guarded.test(path));
  const pass = said.reward !== null && said.reward >= 1;
  const own: CheckResult[] =
    said.checks.length > 0 ? [...said.checks] : [{ id: 'reward', name: 'the tests give the whole reward', pass }];
  const given =
    state.ending?.infeasible === true ? [{ id: 'not-given-up', name: 'the task was not given up', pass: false }] : [];
  const checks = [...own, ...given];
  const verdict: Verdict = {
    pass: pass && given.length === 0 && tampered.length === 0,
    checks,
    progress: Math.max(0, Math.min(1, said.reward ?? 0)),
    clean: tampered.length === 0,
    evidence: {
      sideEffects: tampered.slice(0, mostKept).map(path => `/${path}`),
      answer: state.ending?.answer ?? null,
    },
  };
  return { verdict, reward: said.reward, problem: said.problem, output };
}

/** Files with the folders that they lie in. */
function parents(files: readonly InitialFile[]): InitialFile[] {
  const known = new Set(files.map(({ path }) => path));
  const all = files.flatMap(file => {
    const parts = file.path.split('/').slice(0, -1);
    const folders = parts.map((_, at) => parts.slice(0, at + 1).join('/')).filter(path => !known.has(path));
    for (const path of folders) known.add(path);
    return [...folders.map(path => ({ path })), file];
  });
  return all;
}
