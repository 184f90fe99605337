import type { StepContract } from 'espalier';

/** Rules for agents in the mail and shop apps: espalier collect mail shop --contracts examples/contracts.ts. */
export const contracts: readonly StepContract[] = [
  {
    id: 'no-delete',
    about: 'Messages are deleted only when the task says so.',
    mediation: 'block',
    holds: ({ deed, task }) => !/"(Delete|Empty trash)/i.test(deed) || /delet|trash|bin/i.test(task.instruction),
  },
  {
    id: 'confirm-order',
    about: 'An order costs money.',
    mediation: 'ask',
    holds: ({ deed }) => !deed.includes('"Place order"'),
  },
  {
    // A rule over the whole run: the history has every step so far.
    id: 'look-before-finish',
    about: 'An agent does something before it finishes.',
    mediation: 'log',
    holds: ({ action, history }) => action.kind !== 'finish' || history.some(({ applied }) => applied),
  },
];
