/** What authors write about a command that goes by the label of its button: "Put on sale: a batch, with baker." */
const labelled = /^(?<label>[^.:;]+): (?<object>(?:an?|several) [^,.:;]+?)(?:, with (?<members>[^.]+))?\.?$/;

const again = / again$/;
/** Words after a verb that belong behind its object: "take down", "bring home", "put on sale", "mark as away". */
const behindObject =
  /^(?:away|back|down|in|off|on|out|over|through|up|home|aside|ready|sick|as|for|to|into|onto|from|under|\p{Ll}+ed)\b/u;
const endsOpen = /\b(?:to|of|for|with|into|at|after|about)$/;
const edits = /^(?:Change|Edit|Modify|Update|Revise|Amend)$/;
const sets = /^(?:Adjust|Assign|Change|Choose|Correct|Edit|Enter|Fix|Pick|Save|Set|Switch|Update|Write)$/;

/** Such a label with its object as a sentence; null when an author writes sentences. */
export function sentenceOfLabel(about: string): string | null {
  const { label: whole = '', object = '', members = '' } = labelled.exec(about)?.groups ?? {};
  if (object === '') return null;
  const tail = again.test(whole) ? ' again' : '';
  const label = whole.replace(again, '');
  const asked = members === '' ? [] : members.split(', ');
  return `${withObject(label, object, asked)}${tail}`;
}

/** What the author calls the members of the input: "…, with code, estimate" names the second of two so. */
export function namedMembers(about: string, keys: readonly string[]): ReadonlyMap<string, string> {
  const asked = labelled.exec(about)?.groups?.['members']?.split(', ') ?? [];
  const own = keys.filter(key => !/^ids?$/.test(key));
  return new Map(asked.length === own.length ? own.map((key, index) => [key, asked[index] as string]) : []);
}

function withObject(label: string, object: string, asked: readonly string[]): string {
  const [verb = '', ...words] = label.split(' ');
  const rest = words.join(' ');
  if (rest === '') return ofVerb(verb, object, asked);
  if (/^(?:Write|Get) back$/.test(label)) return `${label} to ${object}`;
  if (label === 'Sign up') return `Sign up for ${object}`;
  if (verb === 'New') return `Create a ${rest} for ${object}`;
  if (label === 'Give a new name') return `Rename ${object}`;
  if (/^(?:Add|Attach|Leave|Post)$/.test(verb) && words.length === 1)
    return `${verb} a ${rest} ${verb === 'Post' || verb === 'Leave' ? 'on' : 'to'} ${object}`;
  // "Look into a request", "blow the whistle on a match".
  if (endsOpen.test(rest) || (words.length > 2 && rest.endsWith(' on'))) return `${label} ${object}`;
  if (behindObject.test(rest)) return `${verb} ${object} ${rest}`;
  const isMember = asked.includes(rest) || (asked.length === 1 && sets.test(verb) && !/^an? /.test(rest));
  if (isMember && !/^(?:message|reminder)$/.test(rest))
    return `${verb === 'Set' ? 'Set' : 'Change'} the ${rest} of ${object}`;
  if (/^(?:\p{Ll}+ing|and)\b/u.test(rest)) return `${label} ${object}`;
  if (asked.length === 0 && !/\b(?:an?|the) /.test(rest)) return `${label} ${object}`;
  const named = /^(?:message|reminder|defect|problem|comment|note)$/.test(rest) ? `a ${rest}` : rest;
  return `${verb} ${named} for ${object}`;
}

function ofVerb(verb: string, object: string, asked: readonly string[]): string {
  if (asked.length > 0 && edits.test(verb)) return `Change the details of ${object}`;
  if (/^(?:Reply|Answer)$/.test(verb)) return `Reply to ${object}`;
  if (verb === 'Send' && asked.join() === 'message') return `Send a message about ${object}`;
  if (/^(?:Reserve|Book|Request)$/.test(verb) && asked.some(member => /^(?:for|person|visitor)$/.test(member)))
    return `${verb} places for ${object}`.replace(/^Request places/, 'Make a request');
  return `${verb} ${object}`;
}
