import { checkIds, uncleanId } from '../../../core/check-ids.ts';
import type { EpisodeRecord } from '../../../core/episode/record.ts';
import { isJsonObject } from '../../../core/json.ts';

/** A check of the verdict that does not hold. */
export interface FailedCheck {
  readonly id: string;
  /** In words, with the values of the task. */
  readonly name: string;
}

/** What a task wanted and did not get. */
export interface Wanted {
  readonly failed: readonly FailedCheck[];
  /** The record that the task names; null when it names none. */
  readonly record: string | null;
  /** Values by the label of their field, where the task has them so. */
  readonly fields: ReadonlyMap<string, string>;
}

export function wantedIn(episode: EpisodeRecord): Wanted {
  const fields = fieldsOf(episode);
  return { failed: failedIn(episode), record: recordOf(episode, fields), fields };
}

function failedIn({ head, end: { verdict } }: EpisodeRecord): readonly FailedCheck[] {
  if (verdict === null) return [];
  const ids = checkIds(verdict.checks, head.task.parameters);
  const failed = verdict.checks.flatMap(({ pass, name }, index) => {
    const id = ids[index] as string;
    return pass ? [] : [{ id, name: name || id }];
  });
  const { sideEffects } = verdict.evidence;
  const paths = sideEffects.length === 0 ? '' : `, but ${sideEffects.slice(0, 3).join(', ')} was`;
  return verdict.clean ? failed : [...failed, { id: uncleanId, name: `nothing else is changed${paths}` }];
}

/** Parameters such as `fields: { Slots: "4" }`: what a form has to hold. */
function fieldsOf({ head }: EpisodeRecord): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const group of Object.values(head.task.parameters))
    if (isJsonObject(group))
      for (const [label, value] of Object.entries(group))
        if (typeof value === 'string' || typeof value === 'number') found.set(label, String(value));
  return found;
}

/** The first parameter that the instruction says; without parameters, the first text in quotes. */
function recordOf({ head }: EpisodeRecord, fields: Wanted['fields']): string | null {
  const { instruction, parameters } = head.task;
  const said = instruction.toLowerCase();
  const isField = (text: string): boolean => fields.has(text) || [...fields.values()].includes(text);
  const named = Object.values(parameters).filter(value => typeof value === 'string');
  const quoted = [...instruction.matchAll(/"([^"]+)"/g)].map(match => match[1] as string);
  const candidates = Object.keys(parameters).length === 0 ? quoted : named;
  return candidates.find(text => text.length > 2 && said.includes(text.toLowerCase()) && !isField(text)) ?? null;
}
