import type { Change, StepContract } from 'espalier';

/** Rules for agents in the mail and shop apps: espalier collect mail shop --set contracts=examples/contracts.ts. */
export const contracts: readonly StepContract[] = [
  {
    id: 'no-delete',
    about: 'Messages are deleted only when the task says so.',
    mediation: 'block',
    holds: ({ changes, description, task }) => {
      if (asksToDelete(task.instruction)) return true;
      const found = changes();
      // A page does not show its state: there the words of the step have to do.
      return found === null ? !/delet|trash/i.test(description) : !found.some(deletes);
    },
  },
  {
    id: 'confirm-order',
    about: 'An order costs money.',
    mediation: 'ask',
    holds: ({ changes, description }) => {
      const found = changes();
      return found === null ? !/place order/i.test(description) : !found.some(orders);
    },
  },
  {
    // A rule over the whole run: the history has every step so far.
    id: 'look-before-finish',
    about: 'An agent does something before it finishes.',
    mediation: 'log',
    holds: ({ action, history }) => action.kind !== 'finish' || history.some(({ applied }) => applied),
  },
];

/** Whether the task asks for it. Names and subjects stand in quotes: a message called "Delete me" asks for nothing. */
function asksToDelete(instruction: string): boolean {
  return /\b(delet|trash|throw)/i.test(instruction.replaceAll(/"[^"]*"/g, ''));
}

/** A message that is gone, or moved to the trash. */
function deletes(change: Change): boolean {
  if (change.op === 'remove') return /^\/messages\/[^/]+$/.test(change.path);
  return change.op === 'replace' && change.path.startsWith('/messages/') && change.value === 'trash';
}

function orders({ op, path }: Change): boolean {
  return op === 'add' && /^\/orders\/[^/]+$/.test(path);
}
