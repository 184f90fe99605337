import type { Action } from '../core/action.ts';
import type { JsonObject } from '../core/json.ts';
import { isStateSession, type Environment, type Session } from '../core/contracts.ts';
import type { TreeNode } from '../core/tree.ts';
import type { Trail } from '../core/episode/trail.ts';
import { createTrail } from '../kernel/trail.ts';
import { checkLines, describeStep, elementOn, showTask, verdictWord } from './describe.ts';
import { createSystemHost } from '../system/host.ts';
import { openEnvironment, openTask } from '../runs/environments/open-environment.ts';
import { count } from '../core/text.ts';
import { columns, type ExitCode, type Output, wrap } from './output.ts';
import { moves, readMove, type Move, type Show } from './play-input.ts';

/** Where the lines of the player come from. */
export interface Input {
  readonly lines: AsyncIterable<string>;
  /** Asks for a line, where someone is there to be asked. */
  prompt(text: string): void;
  close(): void;
}

export interface PlayRequest {
  readonly environment: string;
  readonly template?: string | undefined;
  readonly seed: number;
}

export async function play(output: Output, openInput: () => Input, request: PlayRequest): Promise<ExitCode> {
  const environment = await openEnvironment(request.environment, { host: createSystemHost() });
  try {
    return await playIn(environment, output, { openInput, request });
  } finally {
    await environment.close?.();
  }
}

interface Sitting {
  openInput(): Input;
  readonly request: PlayRequest;
}

async function playIn(environment: Environment, output: Output, { openInput, request }: Sitting): Promise<ExitCode> {
  const task = await openTask(environment, request.template, request.seed);
  const trail = await createTrail(environment, task);
  const game: Game = { output, environment, trail };
  showTask(output, task);
  await showScreen(game);
  output.line(output.paint.dim('help lists what you can type'));
  // Only now is somebody listening: lines that come earlier would be lost.
  const input = openInput();
  try {
    return await takeMoves(game, input);
  } finally {
    input.close();
    await trail.session().close();
  }
}

interface Game {
  readonly output: Output;
  readonly environment: Environment;
  readonly trail: Trail;
}

/** The steps on the way to here that did something. */
function taken({ trail }: Game): readonly TreeNode[] {
  return trail.tree.path(trail.at()).filter(({ outcome }) => outcome.applied);
}

async function takeMoves(game: Game, input: Input): Promise<ExitCode> {
  const { output, trail } = game;
  const { steps: budget } = trail.session().task.budget;
  const ask = (): void => input.prompt(`${taken(game).length}/${budget} › `);
  ask();
  for await (const line of input.lines) {
    const move = await meaningOf(trail.session(), line);
    if (move.kind === 'quit') return leave(output, 0);
    if (move.kind === 'act' && (await act(game, move.action))) return tellVerdict(game);
    if (move.kind === 'undo') await goBack(game, move.steps);
    if (move.kind === 'show') await show(game, move.what);
    if (move.kind === 'unclear') output.line(output.paint.yellow(move.expected));
    ask();
  }
  return leave(output, 1);
}

/** Before the task was finished: by choice, or because the input ended. */
function leave(output: Output, code: ExitCode): ExitCode {
  output.line(output.paint.dim('left unfinished'));
  return code;
}

async function meaningOf(session: Session, line: string): Promise<Move> {
  const ref = /\be?([1-9]\d*)\b/.exec(line)?.[1];
  const element = ref === undefined ? null : await elementOn(session, `e${ref}`);
  return readMove(line, () => element?.role ?? null);
}

/** Takes the step; true when it ended the episode. */
async function act(game: Game, action: Action): Promise<boolean> {
  const { output, trail } = game;
  const { paint } = output;
  const told = await describeStep(trail.session(), action, paint);
  const { outcome } = await trail.step(action, { role: 'human', name: 'player' });
  if (!outcome.applied) {
    output.line(paint.yellow(outcome.problem?.message ?? 'That did nothing.'));
    return false;
  }
  output.line(`${paint.dim(`${taken(game).length}.`)} ${told}`);
  if (outcome.result !== undefined) output.line(JSON.stringify(outcome.result, null, 2));
  if (outcome.problem !== undefined) output.line(paint.yellow(outcome.problem.message));
  if (outcome.end !== undefined) return true;
  await showScreen(game);
  return false;
}

async function goBack(game: Game, steps: number): Promise<void> {
  const { output, trail } = game;
  const { paint } = output;
  const path = taken(game);
  const first = path.at(-steps);
  if (first === undefined) {
    const have = path.length === 0 ? 'No step was taken yet.' : `Only ${count(path.length, 'step')} can be undone.`;
    output.line(paint.yellow(have));
    return;
  }
  const { digest } = await trail.rollback(first.parent);
  const place = steps === path.length ? 'at the start' : `after step ${path.length - steps}`;
  output.line(`${paint.green('↶')} back ${place} ${paint.dim(`digest ${digest.slice(0, 12)}, as recorded`)}`);
  await showScreen(game);
}

async function show(game: Game, what: Show): Promise<void> {
  const { output, trail, environment } = game;
  const { paint } = output;
  if (what === 'screen') return showScreen(game);
  if (what === 'checks') return checkLines(await trail.session().verify(), paint).forEach(line => output.line(line));
  if (what === 'plan') return suggest(game);
  if (what === 'tools') {
    for (const { name, description, input } of environment.tools) {
      output.line(`${paint.bold(name)} ${wrap(argumentsOf(input), output.width - name.length - 1, '    ')}`);
      output.line(paint.dim(`    ${wrap(description, output.width - 4, '    ')}`));
    }
    return undefined;
  }
  const rows = moves.map(([typed, meaning]) => [paint.bold(typed), paint.dim(meaning)]);
  for (const line of columns(rows)) output.line(line);
}

/** The members of a tool's input with their types; `?` marks what may be left out. */
function argumentsOf(input: JsonObject): string {
  const required = Array.isArray(input['required']) ? input['required'] : [];
  return Object.entries((input['properties'] ?? {}) as Record<string, JsonObject>)
    .map(([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`)
    .join(', ');
}

function typeOf({ enum: choices, type, anyOf }: JsonObject): string {
  if (Array.isArray(anyOf)) return anyOf.map(option => typeOf(option as JsonObject)).join(' or ');
  if (!Array.isArray(choices)) return typeof type === 'string' ? type : 'any';
  const shown = choices.slice(0, 3).join(' | ');
  return choices.length > 3 ? `${shown} | …` : shown;
}

async function suggest({ output, trail }: Game): Promise<void> {
  const { paint } = output;
  const session = trail.session();
  if (!isStateSession(session)) return output.line(paint.yellow('The planner needs a world whose state is at hand.'));
  const { actionsOf, timedPlan } = await import('./plan.ts');
  output.progress('planning …');
  const { plan } = timedPlan(session, {});
  const [next] = actionsOf(plan);
  if (next === undefined || plan.outcome !== 'solved')
    return output.line(paint.yellow('The planner finds no way from here: undo a step.'));
  output.line(
    `${paint.dim('planner:')} ${await describeStep(session, next, paint)} ${paint.dim(`(${count(plan.cost, 'step')} to go)`)}`,
  );
}

async function tellVerdict({ output, trail }: Game): Promise<ExitCode> {
  const verdict = await trail.session().verify();
  output.line();
  for (const line of checkLines(verdict, output.paint)) output.line(line);
  output.line();
  output.line(verdictWord(verdict, output.paint));
  return verdict.pass ? 0 : 1;
}

async function showScreen({ output, trail }: Game): Promise<void> {
  const { paint } = output;
  const { text } = await trail.session().observe();
  output.line();
  for (const line of text.trimEnd().split('\n')) output.line(line.replace(/\[e\d+\]/, ref => paint.cyan(ref)));
  output.line();
}
