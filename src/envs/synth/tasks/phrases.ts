import { hash32, type Random } from '../../../core/random.ts';
import type { Entity, Transition } from '../spec/schema.ts';

/** Ways to ask. `{do}` is what is to be done, `{Do}` the same at the start of a sentence. */
const requests = [
  '{Do}.',
  'Please {do}.',
  'Could you {do}?',
  'It is time to {do}.',
  'I need you to {do}.',
  'Go ahead and {do}.',
  '{Do}, please.',
  'Your job: {do}.',
  'We want to {do}. See to it.',
  'Next on the list: {do}.',
  'The boss wants us to {do}.',
  'Would you mind? We have to {do}.',
];

/** Ways to say that something should be in a state. */
export const stateGoals = [
  '{x} should be {state}.',
  'Bring {x} to {state}.',
  'Get {x} to the point where it says {state}.',
  'Take {x} all the way to {state}.',
  'By the end {x} has to be {state}.',
  'Work on {x} until its {status} is {state}.',
  'Set the {status} of {x} to {state}.',
  'Move {x} along to {state}.',
];

export const assurances = [
  'Make sure that {x} is {state}.',
  'Check that {x} is {state}, and put it right if not.',
  'See that {x} ends up {state}; it may be so already.',
  'Verify the {status} of {x}: it has to be {state}.',
  'Is {x} {state} yet? If not, take care of it.',
];

export const fieldChanges = [
  'Set the {label} of {x} to {value}.',
  'Change the {label} to {value} for {x}.',
  'The {label} of {x} has changed to {value}. Update it.',
  'Correct the {label} of {x}: it is {value}.',
  'Update {x}: {label} {value}.',
  'Put {value} down as the {label} of {x}.',
  'The {label} of {x} is now {value}. Enter that.',
  'For {x}, record {value} as {label}.',
];

export const flagsOn = [
  'Tick "{label}" for {x}.',
  'Turn "{label}" on for {x}.',
  'Mark {x} with "{label}".',
  'Note that "{label}" holds for {x}.',
];

export const flagsOff = [
  'Untick "{label}" for {x}.',
  'Turn "{label}" off for {x}.',
  'Take the mark "{label}" off {x}.',
  'Note that "{label}" no longer holds for {x}.',
];

export const linkChanges = [
  'Make {value} the {label} of {x}.',
  'Give {x} a new {label}: {value}.',
  'Assign {value} to {x} as {label}.',
  'From now on the {label} of {x} is {value}.',
  'Hand {x} to {value} ({label}).',
];

export const linkRemovals = [
  'Take the {label} off {x}.',
  'Leave {x} without a {label}.',
  '{x} needs no {label} any more: clear it.',
];

export const creations = [
  'Add {a} called {x}: {fields}.',
  'Create {a} named {x} with {fields}.',
  'We have a new {noun}: {x}, {fields}. Enter it.',
  'Register {x} as a new {noun} ({fields}).',
  'Put a new {noun} on record: {x}; {fields}.',
  'Set up {a}, {x}, with {fields}.',
];

export const removals = [
  'Delete the {noun} {x}.',
  'Remove {x} from the {plural}.',
  'Get rid of the {noun} {x} for good.',
  'Erase {x}; we keep no such {noun}.',
];

export const lookups = [
  'What is the {label} of {x}? Answer with it.',
  'Look up {x} and answer with the {label}.',
  'Tell me the {label} of the {noun} {x}.',
  'Which {label} does {x} have? Answer with exactly that.',
  'I need the {label} of {x}. Answer with nothing else.',
];

export const counts = [
  'How many {plural} have {conditions}? Answer with the number.',
  'Count the {plural} that have {conditions} and answer with the number.',
  'Answer with the number of {plural} with {conditions}.',
  'I want to know how many {plural} there are with {conditions}. Just the number.',
];

export const extremes = [
  'Which {noun} has the {most} {label}? Answer with its {title}.',
  'Find the {noun} with the {most} {label} and answer with the {title}.',
  'Of all {plural}, which one has the {most} {label}? Give its {title}.',
];

/** Some of the ways, other ones for each template, so that two templates do not sound alike. */
export function waysFor(template: string, ways: readonly string[], count = 4): readonly string[] {
  return ways
    .map(way => ({ way, at: hash32(`${template} ${way}`) }))
    .toSorted((left, right) => left.at - right.at)
    .slice(0, count)
    .map(({ way }) => way);
}

/** Fills in a way of saying something. A name at the start stays as it is. */
export function filled(way: string, values: Readonly<Record<string, string>>): string {
  const sentence = way.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  return sentence.replace(/^the /, 'The ');
}

/** Asks for something to be done: `take in "Ada Holm"`. */
export function requested(template: string, doing: string, random: Random): string {
  const way = random.pick(waysFor(template, requests, 5));
  return filled(way, { do: doing, Do: `${doing.charAt(0).toUpperCase()}${doing.slice(1)}` });
}

/** The transition of a record in words: the label of its button, or other words for it. */
export function moveWords({ label, phrases }: Transition, name: string, random: Random): string {
  const verb = random.pick([label, ...phrases]);
  const small = `${verb.charAt(0).toLowerCase()}${verb.slice(1)}`;
  return small.includes('~') ? small.replace('~', name) : `${small} ${name}`;
}

/** A record by its title: plain, quoted, or with the name of its kind. */
export function mention(entity: Entity, title: string, random: Random): string {
  return random.pick([title, `"${title}"`, `the ${entity.singular} ${title}`, `the ${entity.singular} "${title}"`]);
}

/** `a, b and c`. */
export function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}
