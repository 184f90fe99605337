import { readLook } from '../../worlds/wrappers/looks.ts';
import { chains } from './chain-template.ts';

/** What tasks of a grid ask for, from the least to the most. */
export const tiers = ['one command', 'two commands', 'three commands'] as const;

interface GridPlace {
  readonly tier: (typeof tiers)[number];
  readonly look: string;
  /** The same in all looks. Tasks of several commands ask for other commands each: every one is a template of its own. */
  readonly template: string;
  readonly task: string;
}

/** Whether a template stands in a grid: what others did before is no tier. */
export function isInGrid(template: string): boolean {
  return chains.every(({ id, made }) => id !== template || made === 0);
}

/** Where a task of `forge:<app>,grid=yes` stands; null for tasks of no grid. */
export function gridPlace({ template: id, task: own }: Record<'template' | 'task', string>): GridPlace | null {
  const found = readLook(id);
  if (found === null) return null;
  const { look, template } = found;
  const task = own.replace(`/${id}/`, `/${template}/`);
  const { length = 1 } = chains.find(chain => chain.id === template) ?? {};
  return { tier: tiers[length - 1] as GridPlace['tier'], look, template: length > 1 ? task : template, task };
}
