import type { StateFeatures } from '../reading/situation.ts';

/** What messages of a role say: 0 nothing, 1 something, 2 something that the instruction speaks of. */
export function noticeOf(role: 'alert' | 'status', { elements, mentions, told }: StateFeatures): number {
  let found = 0;
  for (const line of elements) {
    if (line.role !== role || line.name === '') continue;
    const isTold = mentions.some(({ text }) => line.name.includes(text)) || line.words.some(word => told.has(word));
    found = Math.max(found, isTold ? 2 : 1);
  }
  return found;
}

/** Fields of open forms that hold something mentioned, up to two: what was entered there is not stored yet. */
export function unsavedFields({ elements, fields, mentions }: StateFeatures): number {
  let count = 0;
  for (const { value, isSearch, group } of fields) {
    if (value === null || value === '' || isSearch) continue;
    const around = elements[group]?.role;
    if ((around === 'form' || around === 'dialog') && mentions.some(({ text }) => text === value)) count++;
  }
  return Math.min(count, 2);
}
