import type { Json } from '../../../core/json.ts';
import { defineProblem } from '../problem.ts';
import { list, pair } from '../types/collections.ts';
import { unreadable, type Type } from '../types/type.ts';
import { text } from '../types/words.ts';
import { faultOfProof, readLine, type Line, type Sequent } from './kernel.ts';
import { prove, writeLine } from './prove.ts';
import { searchProof } from './search-proof.ts';
import { drawSequent, readSequent, writeSequent, type WrittenSequent } from './sequents.ts';

const rulesText = `Rules, with the lines they use: premise; assume (opens an assumption); and-intro (a, b: a & b); and-left (a & b: a); and-right (a & b: b); or-left (a: a | b); or-right (b: a | b); cases (a | b, assumption a, c, assumption b, c: c); implies-intro (assumption a, b: a -> b); implies-elim (a -> b, a: b); false-elim (false: anything). ~a is a -> false. cases and implies-intro close their assumptions.`;

export const naturalDeduction = defineProblem({
  name: 'natural-deduction',
  subject: 'proofs',
  about: 'A proof by natural deduction, which a kernel checks line by line.',
  input: sequentType(),
  output: proofType(),
  sample: (random, level) => writeSequent(drawSequent(random, level)),
  wordings: [
    x =>
      `Prove the last formula of ${x} from the formulas in its list. Write one line for each step: a formula, a rule, and the numbers of the earlier lines that the rule uses. The last line is the goal, with no open assumption. ${rulesText}`,
    x =>
      `Give a proof by natural deduction. In ${x} the list has the premises, and the formula after it is the goal. Each line of the proof is a formula, the rule that gives it, and the numbers of the lines it uses; the goal comes last and rests on premises alone. ${rulesText}`,
  ],
  solve: given => written(prove(sequentIn(given))),
  // Another search with other rules of choice; the kernel checks both.
  bruteForce: given => written(searchProof(sequentIn(given))),
  bruteForceUpTo: 'medium',
  check(proof, given) {
    const lines = proof.map(readLine);
    return !lines.includes(null) && faultOfProof(sequentIn(given), lines as Line[]) === null;
  },
});

function sequentIn(given: WrittenSequent): Sequent {
  const sequent = readSequent(given);
  if (sequent === null) throw new Error('a formula cannot be read');
  return sequent;
}

function written(lines: readonly Line[] | null): readonly string[] {
  return (lines ?? []).map(writeLine);
}

function sequentType(): Type<WrittenSequent> {
  const formula = text({ characters: 'a-z &|~()>-', longest: 400, of: 'a formula', example: 'p -> (q & r)' });
  const both = pair(list(formula, { shortest: 0, longest: 8 }), formula);
  return {
    ...both,
    name: `premises and a goal that follows from them`,
    holds: (value: Json) => both.holds(value) && isProvable(value as unknown as WrittenSequent),
  };
}

/** Only what has a proof is asked for. */
function isProvable(given: WrittenSequent): boolean {
  const sequent = readSequent(given);
  return sequent !== null && prove(sequent) !== null;
}

const longestProof = 120;

function proofType(): Type<readonly string[]> {
  const line = text({ characters: ' -~', longest: 500, of: 'a line of a proof', example: 'q implies-elim 1 2' });
  const holds = (value: Json): boolean =>
    Array.isArray(value) && value.length > 0 && value.length <= longestProof && value.every(item => line.holds(item));
  return {
    kind: 'list',
    name: 'proof by natural deduction',
    form: 'a proof with one line for each step, such as "1. p & q premise" and then "2. q and-right 1"',
    elements: [line],
    holds,
    write: value => (value as readonly string[]).map((one, at) => `${at + 1}. ${one}`).join('\n'),
    read(given) {
      const lines = given
        .split('\n')
        .map(one => one.trim())
        .filter(one => one !== '' && !one.startsWith('```'));
      const read = lines.map(readLine);
      const wrong = read.indexOf(null);
      if (wrong >= 0)
        return unreadable(
          'wrong-form',
          `line ${wrong + 1} is no formula with a rule: "${(lines[wrong] ?? '').slice(0, 60)}"`,
        );
      return { value: (read as Line[]).map(writeLine) };
    },
    near: value => (value as readonly string[]).slice(0, -1),
  };
}
