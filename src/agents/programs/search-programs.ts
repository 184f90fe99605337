import { atoms } from './atoms.ts';
import type { Atom } from './atoms/atom.ts';
import type { LineScores, ProgramModel } from './program-model.ts';
import type { Input } from './read-line.ts';
import { kindOf, type Data, type Kind, type Value } from './value.ts';

/** A program that ran on the values of a line. */
export interface Program extends Value {
  readonly score: number;
  /** Features of the program, each as often as it has it. */
  readonly features: readonly number[];
  readonly atom: string;
  /** As a reader would write it: `sum(digits(50))`. */
  text(): string;
}

export interface ProgramSearch {
  readonly inputs: readonly Input[];
  readonly scores: LineScores;
  readonly model: ProgramModel;
  /** Programs that are built on at each size. */
  readonly width: number;
  /** Is told how many programs ran. */
  onRun(count: number): void;
}

/** A longer program needs a reason. */
const costOfAtom = 1;
const longestList = 300;
const byTakes = {
  unary: groupByFirst(atoms.filter(({ takes }) => takes.length === 1)),
  binary: groupByFirst(atoms.filter(({ takes }) => takes.length === 2)),
  ternary: groupByFirst(atoms.filter(({ takes }) => takes.length === 3)),
};

function groupByFirst(list: readonly Atom[]): ReadonlyMap<Kind, readonly Atom[]> {
  return Map.groupBy(list, ({ takes }) => takes[0] as Kind);
}

/** Best-first by size: inputs, then atoms over them, then atoms over the best of those, three deep. */
export function searchPrograms(search: ProgramSearch): Program[] {
  const { inputs, width } = search;
  const leaves = inputs.map(input => leafOf(input, search));
  const one = [...applied(leaves, leaves, search), ...chosen(leaves, search)];
  const bestOne = best(one, width);
  const pairs = best(one, Math.ceil(width / 4));
  const two = [
    ...unary(bestOne, search),
    ...binary(bestOne, leaves, search),
    ...binary(leaves, bestOne, search),
    ...binary(pairs, pairs, search),
  ];
  const bestTwo = best(two, Math.ceil(width / 2));
  const three = [...unary(bestTwo, search), ...binary(bestTwo, leaves, search)];
  const found = [...leaves, ...one, ...two, ...three];
  search.onRun(found.length);
  return found;
}

function best(programs: readonly Program[], count: number): Program[] {
  return programs.toSorted((a, b) => b.score - a.score).slice(0, count);
}

function leafOf(input: Input, { scores, model }: ProgramSearch): Program {
  const feature = model.featureId(`is ${input.feature}`);
  const { kind, data, text } = input;
  return {
    kind,
    data,
    score: scores[feature] as number,
    features: [feature],
    atom: `input ${input.feature}`,
    text: () => text,
  };
}

function applied(some: readonly Program[], others: readonly Program[], search: ProgramSearch): Program[] {
  return [...unary(some, search), ...binary(some, others, search)];
}

function unary(programs: readonly Program[], search: ProgramSearch): Program[] {
  return programs.flatMap(program =>
    (byTakes.unary.get(program.kind) ?? []).flatMap(atom => run(atom, [program], search)),
  );
}

function binary(some: readonly Program[], others: readonly Program[], search: ProgramSearch): Program[] {
  return some.flatMap(first =>
    (byTakes.binary.get(first.kind) ?? []).flatMap(atom =>
      others.flatMap(second => (second.kind === atom.takes[1] ? run(atom, [first, second], search) : [])),
    ),
  );
}

/** Choices among earlier results. */
function chosen(leaves: readonly Program[], search: ProgramSearch): Program[] {
  const earlier = leaves.filter(({ atom }) => atom.startsWith('input earlier'));
  if (earlier.length < 3) return [];
  return earlier.flatMap(condition =>
    (byTakes.ternary.get(condition.kind) ?? []).flatMap(atom =>
      earlier.flatMap(yes =>
        earlier.flatMap(no => {
          const fits = yes.kind === atom.takes[1] && no.kind === atom.takes[2];
          return fits && yes !== no && yes !== condition && no !== condition
            ? run(atom, [condition, yes, no], search)
            : [];
        }),
      ),
    ),
  );
}

function run(atom: Atom, parts: readonly Program[], { scores, model }: ProgramSearch): Program[] {
  const data = atom.run(...parts.map(part => part.data));
  // Rounding a whole number changes nothing: such steps would pile up.
  if (data === undefined || isTooLarge(data) || (parts.length === 1 && data === parts[0]?.data)) return [];
  const own = [
    model.featureId(atom.name),
    ...parts.map((part, index) => model.featureId(`${atom.name}.${index} ${part.atom}`)),
  ];
  let score = -costOfAtom;
  for (const feature of own) score += scores[feature] as number;
  for (const part of parts) score += part.score;
  return [
    {
      kind: kindOf(data),
      data,
      score,
      features: [...own, ...parts.flatMap(part => part.features)],
      atom: atom.name,
      text: () => `${atom.name}(${parts.map(part => part.text()).join('; ')})`,
    },
  ];
}

function isTooLarge(data: Data): boolean {
  return (
    (typeof data === 'number' && !Number.isFinite(data)) || (typeof data === 'object' && data.length > longestList)
  );
}
