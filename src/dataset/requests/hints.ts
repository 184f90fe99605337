import type { Action } from '../../core/action.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { Json } from '../../core/json.ts';
import type { TreeNode } from '../../core/tree.ts';

/**
 * Whether a step, or one before it, says a text that only its hint had: neither the task nor any screen up to there shows it. Without
 * the hint nobody could have known it, so a row of this step would teach to make things up, or show what was told.
 */
export function comesFromHint(record: EpisodeRecord, node: number): boolean {
  return record.tree.path(node).some(step => step.hint !== undefined && repeatsHint(record, step, step.hint));
}

function repeatsHint(record: EpisodeRecord, { id: node, action, parent }: TreeNode, hint: string): boolean {
  const { tree, head } = record;
  // The word that stands before a hint is told with it.
  const told = `hint: ${hint}`.toLowerCase();
  const texts = textsOf(action).filter(text => told.includes(text.toLowerCase()));
  if (texts.length === 0) return false;
  const screens = [...tree.path(parent).map(({ id }) => record.screen(id)), record.screen(node)];
  const seen = [head.task.instruction, ...screens].join('\n').toLowerCase();
  return texts.some(text => !seen.includes(text.toLowerCase()));
}

/** A step without its hint, and without a thought that speaks of it or repeats five words of it. */
export function withoutHint(step: TreeNode): TreeNode {
  const { hint, thought, ...rest } = step;
  if (hint === undefined) return step;
  return thought === undefined || isOf(hint, thought) ? rest : { ...rest, thought };
}

function isOf(hint: string, thought: string): boolean {
  if (/\bhint/i.test(thought)) return true;
  const [told, said] = [wordsOf(hint), ` ${wordsOf(thought).join(' ')} `];
  return told.some((_, at) => at + 5 <= told.length && said.includes(` ${told.slice(at, at + 5).join(' ')} `));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** What the agent wrote or chose in a step. */
function textsOf(action: Action): readonly string[] {
  switch (action.kind) {
    case 'fill':
    case 'type':
      return [action.text];
    case 'select':
      return [action.option];
    case 'finish':
      return action.answer === undefined ? [] : [action.answer];
    case 'call':
      return stringsIn(action.input);
    default:
      return [];
  }
}

function stringsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
