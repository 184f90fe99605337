import { z } from 'zod';
import { describeAction, type Action } from '../core/action.ts';
import type { EpisodeRecord } from '../core/episode/record.ts';
import { boxSchema, imageKindSchema } from '../core/records.ts';
import type { TreeNode } from '../core/tree.ts';

const pointSchema = z.strictObject({ x: z.number(), y: z.number() });

/** The screenshot that a step was taken on, by its address, and the step as it can be drawn on it. */
export const drawnShotSchema = imageKindSchema.extend({
  hash: z.string(),
  /** An element, or a point without size; null when the step was aimed at no place. */
  target: boxSchema.nullable(),
  gesture: z.enum(['click', 'hover', 'drag', 'scroll', 'write', 'press', 'other']),
  /** Where a drag ends, or a scroll would take the pointer. */
  to: pointSchema.nullable(),
  /** What was written, pressed or done. */
  label: z.string().nullable(),
});
export type DrawnShot = z.infer<typeof drawnShotSchema>;

export function drawShot(record: EpisodeRecord, { id, action }: TreeNode): DrawnShot | null {
  const shot = record.shot(id);
  return shot === null ? null : { ...shot, to: null, label: null, ...gestureOf(action) };
}

function gestureOf(action: Action): Pick<DrawnShot, 'gesture'> & Partial<DrawnShot> {
  switch (action.kind) {
    case 'click':
      return { gesture: 'click' };
    case 'click-at':
      return { gesture: 'click', label: clickLabel(action) };
    case 'hover-at':
      return { gesture: 'hover' };
    case 'drag':
      return { gesture: 'drag', to: action.to };
    case 'scroll':
      return { gesture: 'scroll', to: { x: action.x + action.dx, y: action.y + action.dy } };
    case 'fill':
    case 'type':
      return { gesture: 'write', label: action.text };
    case 'select':
      return { gesture: 'write', label: action.option };
    case 'press':
      return { gesture: 'press', label: action.key };
    default:
      return { gesture: 'other', label: describeAction(action) };
  }
}

/** What a ring alone does not say. */
function clickLabel({ button, double }: Extract<Action, { kind: 'click-at' }>): string | null {
  const words = [...(double ? ['double'] : []), ...(button === 'right' ? ['right'] : [])];
  return words.length === 0 ? null : `${words.join(' ')} click`;
}
