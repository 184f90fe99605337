import type { UiNode } from '../../../../core/ui.ts';

/** A name, and a text that has to stand with it. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  /** Names of the other records: what stands with one of them is theirs. */
  readonly others: readonly string[];
}

/** Whether a screen shows a value together with the name of its record: in one element, or in the smallest group. */
export function isTold(root: UiNode, fact: Fact): boolean {
  // Most screens on the way name the record nowhere, and need no closer look.
  return mentions(root, fact.name) && search(root, fact) === 'told';
}

function mentions(node: UiNode, name: string): boolean {
  if (node.name?.includes(name) === true || node.value?.includes(name) === true) return true;
  return node.children?.some(child => mentions(child, name)) === true;
}

type Found = 'no' | 'named' | 'told';

function search(node: UiNode, fact: Fact): Found {
  const own = ownText(node);
  if (node.children === undefined || node.children.length === 0) return judge(own, fact);
  let named = own.includes(fact.name);
  for (const child of node.children) {
    const found = search(child, fact);
    if (found === 'told') return 'told';
    if (found === 'named') named = true;
  }
  if (!named) return 'no';
  // A group that names other records, too, does not say whose the value is.
  const whole = allText(node);
  if (fact.others.some(other => whole.includes(other))) return 'no';
  return judge(whole, fact);
}

function judge(text: string, { name, value }: Fact): Found {
  if (!text.includes(name)) return 'no';
  return holdsWord(text.replaceAll(name, ' '), value) ? 'told' : 'named';
}

/** Whether a text holds a value as words of its own: 20 does not stand in 120. */
function holdsWord(text: string, value: string): boolean {
  const isLetter = (at: number): boolean => /[\p{L}\p{N}]/u.test(text.charAt(at));
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    if (!isLetter(at - 1) && !isLetter(at + value.length)) return true;
  }
  return false;
}

/** What an element says; what a choice offers is not said of the record. */
function ownText({ name = '', value = '' }: UiNode): string {
  return value === '' ? name : `${name} ${value}`;
}

function allText(node: UiNode): string {
  return [ownText(node), ...(node.children ?? []).map(allText)].join('\n');
}
