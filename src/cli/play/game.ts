import type { Action } from '../../core/action.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { isStateSession, type Environment } from '../../core/contracts.ts';
import type { TreeNode } from '../../core/tree.ts';
import type { PlayTable } from '../../runs/play/keep-play.ts';
import { checkLines, describeStep, elementOn, verdictWord } from '../terminal/describe.ts';
import { count } from '../../core/text.ts';
import { columns, type Output, wrap } from '../terminal/output.ts';
import type { LineSource } from '../terminal/line-source.ts';
import { moves, opensBlock, readMove, type Move, type Show } from './play-input.ts';

/** A person at a task. */
export interface Game {
  readonly output: Output;
  readonly environment: Environment;
  readonly table: PlayTable;
  readonly lines: LineSource;
}

/** The steps on the path to here that had an effect. */
function taken({ table }: Game): readonly TreeNode[] {
  return table.tree.path(table.at()).filter(({ outcome }) => outcome.applied);
}

/** Plays until the task is finished or the person leaves. */
export async function playGame(game: Game): Promise<'finished' | 'quit' | 'no-more-lines'> {
  const { output, table, lines } = game;
  const { steps: budget } = table.session().task.budget;
  for (;;) {
    lines.prompt(`${taken(game).length}/${budget} › `);
    const line = await nextMove(lines);
    if (line === null) return leave(output, 'no-more-lines');
    const move = await meaningOf(game, line);
    if (move.kind === 'quit') return leave(output, 'quit');
    if (move.kind === 'act' && (await act(game, move.action))) return tellVerdict(game);
    if (move.kind === 'undo') await goBack(game, move.steps);
    if (move.kind === 'show') await show(game, move.what);
    if (move.kind === 'unclear') output.line(output.paint.yellow(move.expected));
  }
}

/** A line, or several where an answer opens a fenced block: the block ends it. Null when there are no more lines. */
async function nextMove(lines: LineSource): Promise<string | null> {
  let move = await lines.next();
  while (move !== null && opensBlock(move)) {
    lines.prompt('… ');
    const line = await lines.next();
    move = line === null ? null : `${move}\n${line}`;
  }
  return move;
}

function leave<T>(output: Output, how: T): T {
  output.line(output.paint.dim('left unfinished'));
  return how;
}

async function meaningOf({ table, environment }: Game, line: string): Promise<Move> {
  const ref = /\be?([1-9]\d*)\b/.exec(line)?.[1];
  const element = ref === undefined ? null : await elementOn(table.session(), `e${ref}`);
  return readMove(line, () => element?.role ?? null, environment.tools);
}

/** Takes the step. True when the episode ended. */
async function act(game: Game, action: Action): Promise<boolean> {
  const { output, table } = game;
  const { paint } = output;
  const told = await describeStep(table.session(), action, paint);
  const { outcome } = await table.step(action);
  if (!outcome.applied) {
    output.line(paint.yellow(outcome.problem?.message ?? 'That did nothing.'));
    return isOver(game);
  }
  output.line(`${paint.dim(`${taken(game).length}.`)} ${told}`);
  if (outcome.result !== undefined) output.line(resultText(outcome.result));
  if (outcome.problem !== undefined) output.line(paint.yellow(outcome.problem.message));
  if (outcome.end !== undefined) return true;
  await showScreen(game);
  return isOver(game);
}

/** Texts of several lines as they are, below what else a tool said. */
function resultText(result: Json): string {
  if (!isJsonObject(result)) return JSON.stringify(result, null, 2);
  const isLong = (value: Json | undefined): value is string => typeof value === 'string' && value.includes('\n');
  const rest = Object.entries(result).filter(([, value]) => !isLong(value));
  const texts = Object.values(result).filter(isLong);
  if (texts.length === 0) return JSON.stringify(result, null, 2);
  return [
    ...rest.map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
    ...texts.map(text => text.trimEnd()),
  ].join('\n');
}

/** An episode that is kept ends when its steps are used up. */
function isOver({ output, table }: Game): boolean {
  if (table.hasSteps()) return false;
  output.line(output.paint.yellow('The step budget of the task is used up.'));
  return true;
}

async function goBack(game: Game, steps: number): Promise<void> {
  const { output, table } = game;
  const { paint } = output;
  const path = taken(game);
  const first = path.at(-steps);
  if (first === undefined) {
    const have = path.length === 0 ? 'No step was taken yet.' : `Only ${count(path.length, 'step')} can be undone.`;
    output.line(paint.yellow(have));
    return;
  }
  await table.rollback(first.parent);
  const digest = table.tree.digest(first.parent);
  const place = steps === path.length ? 'at the start' : `after step ${path.length - steps}`;
  output.line(`${paint.green('↶')} back ${place} ${paint.dim(`digest ${digest.slice(0, 12)}, as recorded`)}`);
  await showScreen(game);
}

async function show(game: Game, what: Show): Promise<void> {
  const { output, table, environment } = game;
  const { paint } = output;
  if (what === 'screen') return showScreen(game);
  if (what === 'checks') return checkLines(await table.session().verify(), paint).forEach(line => output.line(line));
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

/** The members of a tool's input with their types; `?` marks optional ones. */
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

async function suggest({ output, table }: Game): Promise<void> {
  const { paint } = output;
  const session = table.session();
  if (!isStateSession(session)) return output.line(paint.yellow('The planner needs a world whose state is at hand.'));
  const { actionsOf, timedPlan } = await import('../environments/plan.ts');
  output.progress('planning …');
  const { plan } = timedPlan(session, {});
  const [next] = actionsOf(plan);
  if (next === undefined || plan.outcome !== 'solved')
    return output.line(paint.yellow('The planner finds no way from here: undo a step.'));
  output.line(
    `${paint.dim('planner:')} ${await describeStep(session, next, paint)} ${paint.dim(`(${count(plan.cost, 'step')} to go)`)}`,
  );
}

async function tellVerdict({ output, table }: Game): Promise<'finished'> {
  const verdict = await table.session().verify();
  output.line();
  for (const line of checkLines(verdict, output.paint)) output.line(line);
  output.line();
  output.line(verdictWord(verdict, output.paint));
  return 'finished';
}

export async function showScreen({ output, table }: Game): Promise<void> {
  const { paint } = output;
  const { text } = await table.session().observe();
  output.line();
  for (const line of text.trimEnd().split('\n')) output.line(line.replace(/\[e\d+\]/, ref => paint.cyan(ref)));
  output.line();
}
