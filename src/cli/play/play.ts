import type { Environment } from '../../core/contracts.ts';
import type { Task } from '../../core/records.ts';
import { createTrail } from '../../worlds/trail.ts';
import { namedTasks } from '../../runs/environments/named-tasks.ts';
import { exactTask, openTask } from '../../runs/environments/open-environment.ts';
import { invalidOption } from '../../core/errors.ts';
import { beginPlay, keepPlay, type PlayedTask } from '../../runs/play/keep-play.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { openWithProgram, type ProgramFlags } from '../terminal/browser-program.ts';
import { showTask } from '../terminal/describe.ts';
import type { ExitCode, Output } from '../terminal/output.ts';
import { playGame, showScreen, type Game } from './game.ts';
import { createLineSource, type Input, type LineSource } from '../terminal/line-source.ts';

export interface PlayRequest extends ProgramFlags {
  readonly environment: string;
  readonly template?: string | undefined;
  readonly seed?: number | undefined;
  readonly tasks?: readonly string[] | undefined;
  /** Folder of the run that keeps the episodes. */
  readonly out?: string | undefined;
}

/** Lets a person do one task, or several in a row. */
export async function play(output: Output, openInput: () => Input, request: PlayRequest): Promise<ExitCode> {
  const environment = await openWithProgram(request.environment, request);
  const lines = createLineSource(openInput);
  try {
    const tasks = await tasksOf(environment, request);
    if (request.out !== undefined) beginPlay(request.out, request.environment, tasks);
    let code: ExitCode = 0;
    for (const task of tasks) {
      const ended = await playTask({ output, environment, lines }, task, request.out);
      if (ended === 'quit') return code;
      if (ended === 'no-more-lines') return 1;
      if (ended === 'failed') code = 1;
    }
    return code;
  } finally {
    lines.close();
    await environment.close?.();
  }
}

async function tasksOf(environment: Environment, { template, seed, tasks }: PlayRequest): Promise<Task[]> {
  if (tasks === undefined) return [await openTask(environment, template, seed)];
  if (template !== undefined || seed !== undefined)
    throw invalidOption('--tasks and a template or --seed both say which tasks to play.', 'Expected one of them.');
  const choices = namedTasks(new Map([[environment.id, environment]]), tasks, 'collect');
  return Promise.all(choices.map(({ template: { id }, seed: own }) => exactTask(environment, id, own as number)));
}

interface Setting {
  readonly output: Output;
  readonly environment: Environment;
  readonly lines: LineSource;
}

type Ended = 'passed' | 'failed' | 'quit' | 'no-more-lines';

async function playTask(setting: Setting, task: Task, out: string | undefined): Promise<Ended> {
  showTask(setting.output, task);
  return out === undefined ? playOnce(setting, task) : playAndKeep(setting, task, out);
}

async function begin(game: Game): Promise<void> {
  await showScreen(game);
  game.output.line(game.output.paint.dim('help lists what you can type'));
}

/** Nothing is kept. */
async function playOnce(setting: Setting, task: Task): Promise<Ended> {
  const trail = await createTrail(setting.environment, task);
  const game: Game = {
    ...setting,
    table: {
      tree: trail.tree,
      at: trail.at,
      session: trail.session,
      step: action => trail.step(action, { role: 'human', name: 'player' }),
      rollback: async node => void (await trail.rollback(node)),
      hasSteps: () => true,
    },
  };
  try {
    await begin(game);
    const ended = await playGame(game);
    if (ended !== 'finished') return ended;
    return (await trail.session().verify()).pass ? 'passed' : 'failed';
  } finally {
    await trail.session().close();
  }
}

/** Keeps the steps of the person as an episode of a run. */
async function playAndKeep(setting: Setting, task: Task, out: string): Promise<Ended> {
  const { output, environment } = setting;
  const result: { ended: Awaited<ReturnType<typeof playGame>> } = { ended: 'quit' };
  const kept: PlayedTask = await keepPlay({
    folder: out,
    environment,
    task,
    host: createSystemHost(),
    async play(table) {
      const game: Game = { ...setting, table };
      await begin(game);
      result.ended = await playGame(game);
      return result.ended === 'finished';
    },
  });
  output.line();
  output.line(`Kept as ${output.paint.bold(kept.key)}: ${kept.outcome}.`);
  output.line(output.paint.dim(`Next: espalier inspect ${out}, espalier export ${out}`));
  if (result.ended !== 'finished') return result.ended;
  return kept.outcome === 'passed' ? 'passed' : 'failed';
}
