import type { Action } from '../../core/action.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { Json } from '../../core/json.ts';
import type { TreeNode } from '../../core/tree.ts';

/**
 * Whether a step, or one before it, says a text, or a word of some length or a number, that only its hint had: neither the task nor
 * any screen up to there shows it. Without the hint nobody could have known it, so a row of this step would teach to make things up,
 * or show what was told.
 */
export function comesFromHint(record: EpisodeRecord, node: number): boolean {
  return record.tree.path(node).some(step => textsOf(step.action).some(text => isTold(record, step, text)));
}

/** A step without its hint, and without a thought that speaks of it, repeats five words of it or says what only it had. */
export function withoutHint(record: EpisodeRecord, step: TreeNode): TreeNode {
  const { hint, thought, ...rest } = step;
  if (hint === undefined) return step;
  return thought === undefined || isOf(hint, thought) || isTold(record, step, thought) ? rest : { ...rest, thought };
}

function isTold({ tree, head, screen }: EpisodeRecord, { id, parent, hint }: TreeNode, text: string): boolean {
  if (hint === undefined) return false;
  // The word that stands before a hint is told with it.
  const told = `hint: ${hint}`.toLowerCase();
  const toldWords = new Set(wordsOf(told));
  const words = wordsOf(text).filter(word => toldWords.has(word) && (word.length > 3 || /\d/.test(word)));
  const isWhole = told.includes(text.toLowerCase());
  if (!isWhole && words.length === 0) return false;
  const screens = [...tree.path(parent).map(step => screen(step.id)), screen(id)];
  const seen = [head.task.instruction, ...screens].join('\n').toLowerCase();
  if (isWhole && !seen.includes(text.toLowerCase())) return true;
  const seenWords = new Set(wordsOf(seen));
  return words.some(word => !seenWords.has(word));
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
