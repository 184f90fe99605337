import { describeAction, type Action } from '../core/action.ts';
import type { Decision, OrdinaryPolicy, OrdinaryTeacher, Review, Segment } from '../core/episode/agents.ts';
import { readScreen } from '../core/episode/screen-text.ts';
import type { View } from '../core/episode/view.ts';

/** What a typed line means: an action, or what was expected instead. */
export type ReadLine = { readonly action: Action } | { readonly expected: string };

/** Somebody at a terminal. */
export interface HumanOptions {
  /** Asks for one line. */
  ask(question: string): Promise<string>;
  say(text: string): void;
  /** Reads a line as an action; `roleOf` knows the elements on the screen. */
  readAction(line: string, roleOf: (ref: string) => string | null): ReadLine;
}

/** A person who is shown what a policy is shown. */
export function createHumanPolicy(human: HumanOptions): OrdinaryPolicy {
  return {
    name: 'human',
    patient: true,
    act(view) {
      human.say(`Task: ${view.instruction}`);
      return askForAction(human, view, 'Your step: ');
    },
  };
}

/** A person who is shown each branch, says where it went wrong, and what to do there instead. */
export function createHumanTeacher(human: HumanOptions): OrdinaryTeacher {
  return {
    name: 'human',
    patient: true,
    review(segment) {
      showSegment(human, segment);
      return askForReview(human, segment.steps.length);
    },
    correct({ view, reason, rejected }) {
      human.say('');
      human.say(`Back where it went wrong (${reason}).`);
      if (rejected !== null) human.say(`Rejected here: ${describeAction(rejected)}`);
      return askForAction(human, view, 'The right step: ');
    },
  };
}

async function askForAction({ ask, say, readAction }: HumanOptions, view: View, question: string): Promise<Decision> {
  const { text } = view.observation;
  const roles = new Map(readScreen(text).map(({ ref, role }) => [ref, role]));
  say(text.trimEnd());
  for (;;) {
    const read = readAction(await ask(question), ref => roles.get(ref) ?? null);
    if ('action' in read) return { action: read.action };
    say(read.expected);
  }
}

function showSegment({ say }: HumanOptions, { instruction, context, steps, after, verdict }: Segment): void {
  say('');
  say(`Task: ${instruction}`);
  if (context.length > 0) say(`Before: ${context.join('; ')}`);
  steps.forEach(({ text, thought, applied }, index) => {
    say(`${index + 1}. ${text}${applied ? '' : ' (nothing happened)'}`);
    if (thought !== undefined) say(`   thought: ${thought}`);
  });
  say(after.text.trimEnd());
  if (verdict !== null)
    say(verdict.pass ? 'The verifier passes the finish.' : 'The verifier does not pass the finish.');
}

/** An empty line decides nothing: accepting takes a word. */
async function askForReview({ ask, say }: HumanOptions, length: number): Promise<Review> {
  const steps = length === 1 ? '1' : `1 to ${length}`;
  for (;;) {
    const line = (await ask(`accept, or the number of the first wrong step (${steps}) and why: `)).trim();
    if (/^a(ccept)?$/i.test(line)) return { accept: true };
    const [, number, said] = /^(\d+)\s*(.*)$/.exec(line) ?? [];
    const at = Number(number) - 1;
    if (number === undefined) say('Expected accept, or a number and a reason, such as: 2 wrong folder.');
    else if (at < 0 || at >= length) say(`There is no step ${number}. Expected ${steps}.`);
    else return { accept: false, at, reason: said || (await askForReason({ ask, say })) };
  }
}

async function askForReason({ ask, say }: Pick<HumanOptions, 'ask' | 'say'>): Promise<string> {
  for (;;) {
    const reason = (await ask('Why? ')).trim();
    if (reason !== '') return reason;
    say('Expected a few words: they are shown to whoever corrects the step, and stay in the record.');
  }
}
