import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../core/random.ts';
import { checkAnswer, seededInstance, workedOut } from '../instance.ts';
import { levels } from '../problem.ts';
import { readFormula, writeFormula, type Formula } from './formula.ts';
import { faultOfProof, readLine, type Line, type Sequent } from './kernel.ts';
import { prove } from './prove.ts';
import { searchProof } from './search-proof.ts';
import { drawSequent, writeSequent } from './sequents.ts';
import { shorten } from './shorten.ts';
import { naturalDeduction } from './natural-deduction.ts';

const formula = (text: string): Formula => readFormula(text) as Formula;
const sequent = (...texts: string[]): Sequent => {
  const read = texts.map(formula);
  return { premises: read.slice(0, -1), goal: read.at(-1) as Formula };
};
const lines = (...texts: string[]): Line[] => texts.map(text => readLine(text) as Line);

describe('formulas', () => {
  it('[PROOF-1] are written as they are read', () => {
    for (const text of ['p', '~p', '~~p', 'p & (q | r)', '(p -> q) -> r', '~(p & q) -> (~p | ~q)', 'false'])
      expect(writeFormula(formula(text))).toBe(text);
    expect(writeFormula(formula('p -> q -> r & s | t'))).toBe('p -> (q -> ((r & s) | t))');
    for (const text of ['', 'p q', 'p &', '(p', 'p)', '->', 'P', 'pq', '~', 'p & & q', '('.repeat(500)])
      expect(readFormula(text)).toBeNull();
  });
});

describe('the kernel', () => {
  const swap = sequent('p & q', 'q & p');
  it('[PROOF-1] accepts proofs written by hand', () => {
    expect(
      faultOfProof(swap, lines('p & q premise', 'q and-right 1', 'p and-left 1', 'q & p and-intro 2 3')),
    ).toBeNull();
    // p | q, ~p, so q: by cases.
    const proof = lines(
      '1. p | q premise',
      '2. ~p premise',
      '3. p assume',
      '4. false implies-elim 2 3',
      '5. q false-elim 4',
      '6. q assume',
      '7. q cases 1, 3, 5, 6, 6',
    );
    expect(faultOfProof(sequent('p | q', '~p', 'q'), proof)).toBeNull();
    expect(faultOfProof(sequent('p -> p'), lines('p assume', 'p -> p implies-intro 1 1'))).toBeNull();
  });

  it.each([
    ['an open assumption', sequent('p'), ['p assume'], 'rests on an assumption'],
    ['a premise that is none', swap, ['q & p premise'], 'does not follow by premise'],
    ['a line from later', swap, ['q and-right 2', 'p & q premise'], 'does not stand before'],
    ['a line that uses itself', swap, ['q & p and-intro 1 1'], 'does not stand before'],
    ['another goal', swap, ['p & q premise', 'q and-right 1'], 'not the goal'],
    ['nothing', swap, [], 'not the goal'],
    ['the converse', sequent('p -> q', 'q', 'p'), ['p -> q premise', 'q premise', 'p implies-elim 1 2'], 'follow'],
    ['too few lines used', swap, ['p & q premise', 'q and-right 1', 'q & p and-intro 2'], 'follow'],
    [
      'an implication from a premise',
      sequent('p', 'q', 'p -> q'),
      ['p premise', 'q premise', 'p -> q implies-intro 1 2'],
      'follow',
    ],
    [
      'one case of two',
      sequent('p | q', 'p'),
      ['p | q premise', 'p assume', 'q assume', 'p cases 1 2 2 3 2'],
      'rests on an assumption',
    ],
    [
      'an assumption of the first case used in the second',
      sequent('p | q', 'p & q'),
      ['p | q premise', 'p assume', 'q assume', 'p & q and-intro 2 3', 'p & q cases 1 2 4 3 4'],
      'rests on an assumption',
    ],
  ] as const)('[PROOF-1] refuses %s', (...[, wanted, proof, fault]) => {
    expect(faultOfProof(wanted, lines(...proof))).toContain(fault);
  });
});

describe('lines of proofs', () => {
  it('[PROOF-1] are read in time in proportion to their length', () => {
    const start = performance.now();
    for (const text of [`p${' '.repeat(100_000)}x`, `p premise${' 1'.repeat(50_000)} x`])
      expect(readLine(text)).toBeNull();
    expect(performance.now() - start).toBeLessThan(1000);
    expect(readLine('3) p -> q implies-elim 1, 2')).toMatchObject({ rule: 'implies-elim', uses: [1, 2] });
    for (const text of ['p premise1', 'ppremise', 'p premise 1,', 'premise']) expect(readLine(text)).toBeNull();
  });
});

describe('provers', () => {
  it('[PROOF-2] find proofs that the kernel accepts, by two searches', () => {
    for (const level of levels)
      for (let seed = 0; seed < 60; seed++) {
        const drawn = drawSequent(createRandom(`${level} ${seed}`), level);
        const proof = prove(drawn);
        expect(proof === null ? 'no proof' : faultOfProof(drawn, proof)).toBeNull();
        if (level === 'hard') continue;
        const other = searchProof(drawn);
        expect(other === null ? 'no proof' : faultOfProof(drawn, other)).toBeNull();
      }
  });

  it('[PROOF-2] prove nothing that a truth table refutes', () => {
    let [proved, refused] = [0, 0];
    for (let seed = 0; seed < 400; seed++) {
      const random = createRandom(`any ${seed}`);
      const any = (depth: number): Formula => {
        if (depth === 0 || random.chance(0.2))
          return random.chance(0.1) ? { kind: 'false' } : { kind: 'atom', name: random.pick(['p', 'q', 'r']) };
        return { kind: random.pick(['and', 'or', 'implies'] as const), left: any(depth - 1), right: any(depth - 1) };
      };
      const drawn = { premises: [any(2), any(2)], goal: any(2) };
      const proof = prove(drawn);
      if (proof === null) {
        refused++;
        continue;
      }
      proved++;
      expect(isValid(drawn)).toBe(true);
      expect(faultOfProof(drawn, proof)).toBeNull();
    }
    expect(proved).toBeGreaterThan(40);
    expect(refused).toBeGreaterThan(40);
    for (const classical of [sequent('p | ~p'), sequent('~~p', 'p'), sequent('((p -> q) -> p) -> p')])
      expect([prove(classical), isValid(classical)]).toEqual([null, true]);
    expect(prove(sequent('~~(p | ~p)'))).not.toBeNull();
  });

  it('[PROB-20] write each term once, so that a proof is never longer than its type allows', () => {
    // Sample 479,432 of a million: 143 lines before, and at most 120 are a proof.
    const drawn = sequent('t | t', '((t | t) | r) -> (u | r)', '(u | r) & (t | t)');
    const proof = prove(drawn) as Line[];
    expect(faultOfProof(drawn, proof)).toBeNull();
    expect(proof.length).toBeLessThan(30);
    const given = { input: writeSequent(drawn), parameters: {}, wording: 0 };
    const [step] = workedOut(naturalDeduction, given);
    expect(step?.type.holds(step.value)).toBe(true);
  });

  it('[PROB-20] leave no line that nothing uses, and none twice under the same assumptions', () => {
    const wordy = lines(
      'p & q premise',
      'p and-left 1',
      'q and-right 1',
      'p assume',
      'p and-left 1',
      'p -> p implies-intro 4 5',
      'q and-right 1',
      'q & p and-intro 7 5',
    );
    const goal = sequent('p & q', 'q & p');
    expect(shorten(wordy)).toEqual(lines('p & q premise', 'p and-left 1', 'q and-right 1', 'q & p and-intro 3 2'));
    expect(faultOfProof(goal, shorten(wordy))).toBeNull();
    // The same formula under another assumption is another line: the second must stay open.
    const open = lines('p assume', 'p -> p implies-intro 1 1', 'p assume');
    expect(faultOfProof(sequent('p'), shorten(open))).toContain('rests on an assumption');
  });

  it('[PROOF-2] answer the problem, and a changed line fails', () => {
    for (const level of levels) {
      const [step] = workedOut(naturalDeduction, seededInstance(naturalDeduction, 5, level));
      if (step === undefined) throw new Error('no step');
      const answer = step.type.write(step.value);
      expect(checkAnswer(step, answer)).toEqual({ kind: 'right' });
      expect(checkAnswer(step, `\`\`\`\n${answer}\n\`\`\``)).toEqual({ kind: 'right' });
      expect(checkAnswer(step, answer.split('\n').slice(0, -1).join('\n')).kind).not.toBe('right');
      expect(checkAnswer(step, answer.replaceAll('premise', 'assume')).kind).toBe('wrong');
      expect(checkAnswer(step, 'It follows.').kind).toBe('unreadable');
    }
  });
});

/** Whether a sequent holds in every row of the truth table. */
function isValid({ premises, goal }: Sequent): boolean {
  const atoms = [...new Set([...premises, goal].flatMap(atomsOf))];
  return Array.from({ length: 2 ** atoms.length }, (_, row) => row).every(row => {
    const holds = (one: Formula): boolean => {
      if (one.kind === 'atom') return ((row >> atoms.indexOf(one.name)) & 1) === 1;
      if (one.kind === 'false') return false;
      if (one.kind === 'and') return holds(one.left) && holds(one.right);
      if (one.kind === 'or') return holds(one.left) || holds(one.right);
      return !holds(one.left) || holds(one.right);
    };
    return !premises.every(holds) || holds(goal);
  });
}

function atomsOf(one: Formula): string[] {
  if (one.kind === 'atom') return [one.name];
  return one.kind === 'false' ? [] : [...atomsOf(one.left), ...atomsOf(one.right)];
}
