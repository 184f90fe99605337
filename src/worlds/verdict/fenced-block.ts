export interface FencedBlock {
  /** The word after the first fence, such as `python`; empty where there is none. */
  readonly tag: string;
  readonly text: string;
}

const fence = '```';

/**
 * The first fenced block of an answer; null when there is none. Each character is looked at a few times at most: a pattern that tries every
 * fence again would take hours for megabytes of them, and hold up everything else meanwhile.
 */
export function fencedBlock(answer: string): FencedBlock | null {
  const start = answer.indexOf(fence);
  const line = start < 0 ? -1 : answer.indexOf('\n', start + fence.length);
  const end = line < 0 ? -1 : answer.indexOf(fence, line + 1);
  if (end < 0) return null;
  const [tag = ''] = /^[a-z0-9]*/.exec(answer.slice(start + fence.length, line)) ?? [];
  return { tag, text: answer.slice(line + 1, end) };
}
