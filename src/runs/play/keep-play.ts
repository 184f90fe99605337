import type { Action } from '../../core/action.ts';
import type { Environment, Session } from '../../core/contracts.ts';
import type { OrdinaryPolicy } from '../../core/episode/agents.ts';
import type { EpisodeHead, Outcome } from '../../core/episode/events.ts';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import type { Task } from '../../core/records.ts';
import type { Tree, TreeNode } from '../../core/tree.ts';
import { wrapStateEnvironment } from '../../core/wrap-environment.ts';
import { createTrail } from '../../worlds/trail.ts';
import { runEpisodes } from '../../episode/engine.ts';
import type { Episode } from '../../episode/verbs/episode.ts';
import { failureReason, type Strategy } from '../../episode/strategies/strategy.ts';
import type { Store } from '../../store/store.ts';
import { readConfig, type RunConfig } from '../config/config.ts';
import { absoluteName } from '../environments/names.ts';
import { requireUse } from '../environments/named-tasks.ts';
import {
  beginRound,
  closeAfter,
  findConfig,
  openRunForWriting,
  runNameOf,
  runPaths,
  writeWhole,
} from '../folder/folder.ts';
import type { Host } from '../host/host.ts';

/** What a person can do in a task. */
export interface PlayTable {
  readonly tree: Tree;
  at(): number;
  /** The open session, to look at. */
  session(): Session;
  step(action: Action): Promise<TreeNode>;
  rollback(node: number): Promise<void>;
  /** Whether the budget of the task has a step left. */
  hasSteps(): boolean;
}

export interface KeepPlayOptions {
  /** Folder of the run, as `beginPlay` made it. */
  readonly folder: string;
  readonly environment: Environment;
  readonly task: Task;
  readonly host: Host;
  /** Resolves when the person finished the task, or left it: false. */
  play(table: PlayTable): Promise<boolean>;
}

export interface PlayedTask {
  /** Key of the episode. */
  readonly key: string;
  readonly outcome: Outcome;
}

const playerName = 'player';
const strategyName = 'play';
const round = 1;

/** Makes the run that keeps what a person does. Every task is checked before the first is played. */
export function beginPlay(folder: string, environment: string, tasks: readonly Task[]): void {
  for (const { id, seed } of tasks) requireUse(id, seed, 'collect');
  const name = absoluteName(environment);
  const before = findConfig(folder);
  if (before === null) {
    beginRound(folder, playConfig(folder, [name]));
    return;
  }
  if (!isPlay(before)) throw notAPlay(folder);
  if (before.environments.includes(name)) return;
  const config = playConfig(folder, [...before.environments, name]);
  writeWhole(runPaths(folder).config, `${JSON.stringify(config, null, 2)}\n`);
}

function playConfig(folder: string, environments: readonly string[]): RunConfig {
  return readConfig(
    {
      run: runNameOf(folder),
      round,
      environments,
      student: { kind: 'object', name: playerName },
      strategy: { kind: 'object', name: strategyName },
      concurrency: 1,
    },
    'play',
  );
}

function isPlay({ student, strategy }: RunConfig): boolean {
  return student.kind === 'object' && strategy.kind === 'object' && strategy['name'] === strategyName;
}

/** Lets a person do a task, and keeps it as an episode. A task that was left early is kept as discarded. */
export async function keepPlay(options: KeepPlayOptions): Promise<PlayedTask> {
  const { folder, task, host } = options;
  const store = openRunForWriting(folder);
  try {
    const head = headOf(store, runNameOf(folder), task);
    const seen = watchSession(options.environment);
    const { outcomes } = await runEpisodes({
      plan: [head],
      seed: head.key,
      concurrency: 1,
      journal: store,
      clock: host.clock,
      timers: host.timers,
      createTrail,
      start: () => ({
        environment: seen.environment,
        student: player,
        strategy: createPlayStrategy(seen.session, options),
        limits: { steps: task.budget.steps },
      }),
    });
    const outcome = (Object.keys(outcomes) as Outcome[]).find(name => outcomes[name] > 0);
    if (outcome === undefined) throw new Error('An episode that was played always ends.');
    return { key: head.key, outcome };
  } finally {
    closeAfter(store);
  }
}

/** A task that was played before gets another trial. */
function headOf(store: Store, run: string, task: Task): EpisodeHead {
  const done = [...store.summaries({ run, phase: 'collect', round })].map(({ head }) => head);
  const trial = done.filter(head => head.task.id === task.id).length;
  const index = Math.max(-1, ...done.map(head => head.index)) + 1;
  return {
    run,
    key: `collect/${round}/${task.id}/${trial}`,
    index,
    phase: 'collect',
    round,
    trial,
    task,
    student: playerName,
    teacher: null,
    strategy: strategyName,
  };
}

/** The player acts through the table, so nobody asks this policy. It signs the steps. */
const player: OrdinaryPolicy = {
  name: playerName,
  human: true,
  patient: true,
  act: () => ({ action: null }),
};

/** Keeps the session that was opened last: after a rollback by replay it is another one. */
function watchSession(environment: Environment): { environment: Environment; session(): Session } {
  let latest: Session | null = null;
  return {
    environment: wrapStateEnvironment(environment, { opened: session => (latest = session) }),
    session() {
      if (latest === null) throw new Error('No session is open yet.');
      return latest;
    },
  };
}

function createPlayStrategy(session: () => Session, { play }: KeepPlayOptions): Strategy {
  return {
    name: strategyName,
    asksTeacher: false,
    async run(episode) {
      const isFinished = await play(tableOf(episode, session));
      if (!isFinished) return { kind: 'discarded', leaf: episode.at(), reason: 'left unfinished' };
      const verdict = await episode.verify();
      episode.leaf({ role: 'main', verdict, from: null });
      const stopped = episode.ended() === null ? 'out of steps' : null;
      return { kind: 'verified', leaf: episode.at(), verdict, reason: failureReason(verdict, stopped) };
    },
  };
}

function tableOf(episode: Episode, session: () => Session): PlayTable {
  return {
    tree: episode.tree,
    at: episode.at,
    session,
    step: action => episode.step({ action }),
    rollback: episode.rollback,
    hasSteps: () => episode.left('steps') > 0,
  };
}

function notAPlay(folder: string): EspalierError {
  return invalidOption(
    `${folder} holds a run of espalier collect.`,
    'Expected another folder as --out: a run of its own keeps what a person did.',
  );
}
