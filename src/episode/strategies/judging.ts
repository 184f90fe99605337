import type { Attempt, Summary } from './attempts.ts';

/** A way to compare two attempts by what an agent can know of them: above 0 when the first is better. */
type Criterion = (a: Summary, b: Summary, all: readonly Summary[]) => number;

const share = (part: number, whole: number): number => part / Math.max(1, whole);

/** Eight views of an attempt; each is one vote. */
const criteria: readonly Criterion[] = [
  (a, b) => Number(a.finished) - Number(b.finished),
  (a, b, all) => agreement(a, all) - agreement(b, all),
  (a, b) => (a.confidence ?? 0.5) - (b.confidence ?? 0.5),
  (a, b) => share(b.refused, b.steps) - share(a.refused, a.steps),
  (a, b) => share(b.returns, b.steps) - share(a.returns, a.steps),
  (a, b) => (a.value === null || b.value === null ? 0 : a.value - b.value),
  (a, b) => b.steps - a.steps,
  (a, b, all) => (a.finished && b.finished ? agreement(a, all) - agreement(b, all) : 0),
];

/** Attempts that end as this one does. */
function agreement({ ending }: Summary, all: readonly Summary[]): number {
  return all.filter(other => other.ending === ending).length;
}

/** Votes for the first of two, of the given number; a criterion that finds no difference gives each one half. */
export function votesFor(a: Summary, b: Summary, { all, votes }: Ballot): number {
  let won = 0;
  for (let vote = 0; vote < votes; vote++) {
    const preferred = (criteria[vote % criteria.length] as Criterion)(a, b, all);
    won += preferred > 0 ? 1 : preferred < 0 ? 0 : 0.5;
  }
  return won;
}

interface Ballot {
  readonly all: readonly Summary[];
  readonly votes: number;
}

/** The better of two by their votes; the earlier when they tie. */
function better(a: Attempt, b: Attempt, ballot: Ballot): Attempt {
  return votesFor(a.summary, b.summary, ballot) * 2 >= ballot.votes ? a : b;
}

/** The best first: finished before cut short, then agreement, refused and repeated steps, confidence, the shorter, the earlier. */
export function ranked(attempts: readonly Attempt[]): Attempt[] {
  const all = attempts.map(({ summary }) => summary);
  const order = [0, 1, 3, 4, 2, 6].map(at => criteria[at] as Criterion);
  const compare = (a: Attempt, b: Attempt): number => {
    for (const criterion of order) {
      const preferred = criterion(b.summary, a.summary, all);
      if (Math.abs(preferred) > 1e-12) return preferred;
    }
    return 0;
  };
  return attempts.toSorted(compare);
}

export function best(attempts: readonly Attempt[]): Attempt {
  const [first] = ranked(attempts);
  if (first === undefined) throw new Error('There is no attempt to choose from.');
  return first;
}

export interface Tournament {
  /** Candidates of a match. */
  readonly group: number;
  /** Votes of a comparison. */
  readonly votes: number;
}

/** Matches in groups, the winner of each goes on, until one is left. */
export function winnerOf(attempts: readonly Attempt[], { group, votes }: Tournament): Attempt {
  const all = attempts.map(({ summary }) => summary);
  let standing = attempts;
  while (standing.length > 1) {
    const next: Attempt[] = [];
    for (let at = 0; at < standing.length; at += group) {
      const [first, ...others] = standing.slice(at, at + group);
      next.push(others.reduce((winner, other) => better(winner, other, { all, votes }), first as Attempt));
    }
    standing = next;
  }
  const [winner] = standing;
  if (winner === undefined) throw new Error('There is no attempt to choose from.');
  return winner;
}
