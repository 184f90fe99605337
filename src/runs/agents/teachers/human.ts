import { z } from 'zod';
import { invalidOption, type EspalierError } from '../../../core/errors.ts';
import { defineTeacher, word } from '../agent-entry.ts';

export const human = defineTeacher({
  name: 'human',
  about: 'A person at this terminal.',
  config: z.strictObject({ kind: z.literal('human') }),
  read: word('human'),
  async open(_config, { human: person }) {
    if (person === undefined) throw nobodyThere();
    const { createHumanTeacher } = await import('../../../agents/human.ts');
    return { make: () => createHumanTeacher(person) };
  },
});

function nobodyThere(): EspalierError {
  return invalidOption(
    'The teacher is a person, and nobody can be asked.',
    'Run it in a terminal with espalier collect --teacher human, or choose --teacher planner.',
  );
}
