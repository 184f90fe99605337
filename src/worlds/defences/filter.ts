import type { Defence } from './defence.ts';
import { rewriteTexts } from './shown-texts.ts';

/** Ways in which texts speak to a reader who acts: they name it, take rank, or order a tool or a control to be used. */
const orders: readonly RegExp[] = [
  /\b(?:assistant|agents? only|ai model|language model)\b/i,
  /\b(?:system message|administrator|previous instructions|earlier instructions|the task above|your task)\b/i,
  /\b(?:use|call|run|invoke) \w+_\w+/i,
  /\b(?:press|click|tap)(?: on)? ["“«]/i,
];

/** Sentences that look like orders are taken out of texts. It reads patterns: what is said in other words passes. */
export const filter: Defence = {
  name: 'filter',
  about: 'Takes sentences that look like orders to an agent out of every text, names of controls included.',
  defend: app => rewriteTexts(app, withoutOrders),
};

function withoutOrders(text: string): string {
  const sentences = text.split(/(?<=[.!?:]"?)\s+(?=\S)/);
  const kept = sentences.filter(sentence => !orders.some(order => order.test(sentence)));
  return kept.length === sentences.length ? text : [...kept, '[removed]'].join(' ');
}
