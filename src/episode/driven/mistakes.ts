import type { SessionEnd } from '../../core/contracts.ts';
import type { EpisodeHead } from '../../core/episode/events.ts';
import { EspalierError } from '../../core/errors.ts';
import { parseRecord } from '../../core/records.ts';
import { remarksSchema, type Tree } from '../../core/tree.ts';
import { blame } from '../cursor/deadline.ts';
import type { EpisodeResult } from '../cursor/result.ts';
import type { DrivenRemarks } from './contract.ts';

/** What whoever drives an episode did wrong: told, and nothing ends. */

export function requireNode(tree: Tree, node: number): void {
  try {
    tree.digest(node);
  } catch (cause) {
    throw mistake(
      `There is no node ${String(node)} to go back to.`,
      'Expected the id of a step, or 0 for the start.',
      cause,
    );
  }
}

export function noAction(action: unknown): EspalierError {
  return mistake(`${textOf(action)} is not an action.`, 'Expected an action such as { "kind": "click", "ref": "e1" }.');
}

/** As the journal takes it. */
const mostOfRequest = 320;

/** Checked before the step is taken: the store would refuse bad remarks after it. */
export function readRemarks(given: unknown): DrivenRemarks {
  if (given === undefined) return {};
  if (typeof given !== 'object' || given === null)
    throw mistake(`The remarks of a step are ${textOf(given)}.`, 'Expected an object, such as { "thought": "…" }.');
  const { seen, request, ...remarks } = given as Record<string, unknown>;
  if (seen !== undefined && typeof seen !== 'string')
    throw mistake(`\`seen\` is ${textOf(seen)}.`, 'Expected the text that the agent saw instead of the screen.');
  if (request !== undefined && (typeof request !== 'string' || request.length > mostOfRequest))
    throw mistake(`\`request\` is ${textOf(request)}.`, `Expected a text of at most ${mostOfRequest} characters.`);
  return {
    ...parseRecord(remarksSchema, remarks, { what: 'remarks object of the step', code: 'invalid-action' }),
    seen,
    request,
  };
}

/** The start of a value as JSON. What is nested too deeply, or turns back on itself, has none. */
function textOf(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 200);
  } catch {
    return 'A value that cannot be written as JSON';
  }
}

export function noMoreSteps(key: string, end: SessionEnd | null): EspalierError {
  const why = end === 'terminated' ? 'its agent has finished' : 'no steps are left';
  return mistake(`No step can be taken in ${key}: ${why}.`, 'Expected a finish, or a rollback to an earlier step.');
}

export function alreadyEnded(
  key: string,
  { outcome, reason }: Pick<EpisodeResult, 'outcome' | 'reason'>,
): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'already-ended',
    message: `The episode ${key} has ended: ${outcome}${reason === null ? '' : `, ${reason}`}.`,
    expected: 'Open another one.',
  });
}

export function cannot(task: string, what: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unsupported',
    message: `The world of task ${task} cannot ${what}.`,
    expected: 'Expected a world whose state is kept in this process, such as a built-in app.',
  });
}

export function driverBroke({ strategy }: Pick<EpisodeHead, 'strategy'>, cause: unknown): EspalierError {
  return blame(cause, { boundary: 'strategy', who: `The driver "${strategy}"` });
}

function mistake(message: string, expected: string, cause?: unknown): EspalierError {
  return new EspalierError({ boundary: 'input', code: 'invalid-action', message, expected, cause });
}
