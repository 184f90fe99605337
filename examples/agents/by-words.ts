// A student and a teacher of your own, for any pages: they know nothing but words.
//
//   espalier collect wai:apps/gmail --student examples/agents/by-words.ts --teacher examples/agents/by-words.ts --out runs/gmail
import { screenActions, textsIn, type Action, type Policy, type Teacher, type View } from 'espalier';

/** Prefers what shares words with the instruction, and what was not done yet. */
export const policy: Policy = {
  name: 'by words',
  act(view) {
    // Nothing tells it that it is done: it tries for a while, and then says so.
    const action: Action = view.random.chance(0.1) ? { kind: 'finish' } : choose(view, 1);
    return { action };
  },
};

/** Rejects the first step that did nothing or led back to where the student was before; shows the likeliest one instead. */
export const teacher: Teacher = {
  name: 'nothing in vain',
  review({ steps, visited, end, verdict }) {
    const seen = new Set(visited);
    for (const [at, { applied, action }] of steps.entries()) {
      const after = steps[at + 1]?.before ?? end;
      if (action.kind === 'finish' && verdict?.pass !== true) return reject(at, 'the task is not done');
      if (!applied || seen.has(after)) return reject(at, 'nothing came of it');
      seen.add(after);
    }
    return { accept: true };
  },
  correct: ({ view }) => ({ action: choose(view, 0) }),
};

function reject(at: number, reason: string) {
  return { accept: false, at, reason } as const;
}

/** The action whose line has the most words of the instruction; `luck` lets others have a chance. */
function choose({ instruction, observation, history, random }: View, luck: number): Action {
  const lines = new Map(observation.text.split('\n').map(line => [/\[(e\d+)\]/.exec(line)?.[1] ?? '', wordsOf(line)]));
  const asked = wordsOf(instruction);
  const done = new Set(history.flatMap(step => [...wordsOf(step)]));
  const rate = (action: Action): number => {
    const own = 'ref' in action ? (lines.get(action.ref) ?? new Set<string>()) : new Set<string>();
    const shared = [...own].filter(word => asked.has(word)).length;
    const stale = [...own].every(word => done.has(word)) ? 1 : 0;
    return shared - stale + luck * random.next() * 2;
  };
  const offered = screenActions(observation.text, textsIn(instruction));
  const rated = offered.map(action => ({ action, rating: rate(action) }));
  return rated.toSorted((left, right) => right.rating - left.rating)[0]?.action ?? { kind: 'finish' };
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{L}{3,}/gu) ?? []);
}
