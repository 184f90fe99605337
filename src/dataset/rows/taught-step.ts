import type { TreeNode } from '../../core/tree.ts';
import type { RowRequest } from '../requests/requests.ts';
import type { Row } from './columns.ts';

/** A step with what was asked for it: most tables begin so. */
export const taughtColumns = { messages: 'messages', tools: 'string', request: 'string', action: 'string' } as const;

export function taughtStep(request: RowRequest, { id, action }: Pick<TreeNode, 'id' | 'action'>): Row {
  return {
    messages: [...request.messages, request.answer(id)],
    tools: request.tools,
    request: request.source,
    action: JSON.stringify(action),
  };
}
