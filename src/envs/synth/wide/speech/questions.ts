import type { Random } from '../../../../core/random.ts';
import { filled } from '../../tasks/phrases.ts';
import type { Field } from '../../spec/schema.ts';

const anything = [
  'What is the {l} of {x}?',
  'Which {l} does {x} have?',
  'Look up the {l} of {x}.',
  'I need the {l} of {x}.',
  'Tell me the {l} of {x}.',
  '{x}: which {l}?',
  'Find out what {x} has as {l}.',
];
const keepers = ['Who has {x}?', 'Who is in charge of {x}?', 'Whom do I ask about {x}?', 'Who looks after {x}?'];
const people = ['Who is the {l} of {x}?', 'Who is down as the {l} of {x}?', 'Whose name is under {l} for {x}?'];
const days = ['When is the {l} of {x}?', 'On what day is the {l} of {x}?', 'What date does {x} have as {l}?'];
const numbers = ['How high is the {l} of {x}?', 'What number is the {l} of {x}?', 'How much is the {l} of {x}?'];
const stages = [
  'What is the {l} of {x}?',
  'How far is {x}?',
  'In what state is {x}?',
  'Where do we stand with {x}?',
  'Check the {l} of {x}.',
];
const ends = [
  'Answer with it.',
  'Answer with nothing else.',
  'Just give me that.',
  'Answer as it is written there.',
  'Please answer.',
  'Give the exact wording.',
  '',
];
const nameEnds = ['Answer with the name.', 'Answer with the full name.', 'Give me the name.'];

/** A question about a value, by what kind of value it is. */
export function question(
  asked: { field: Field | null; isPerson: boolean; isOnlyPerson?: boolean; label: string; x: string },
  random: Random,
): string {
  const { field, isPerson, isOnlyPerson = false, label, x } = asked;
  const byType =
    field === null
      ? stages
      : isPerson
        ? [...people, ...people, ...anything, ...(isOnlyPerson ? keepers : [])]
        : field.type === 'date'
          ? [...days, ...anything]
          : field.type === 'number'
            ? [...numbers, ...anything]
            : anything;
  const end = random.pick(isPerson ? [...nameEnds, ...ends] : ends);
  return `${filled(random.pick(byType), { x, l: label.toLowerCase() })} ${end}`.trim();
}
