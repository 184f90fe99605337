/** A problem that passes the checks, to be changed. */
export function problemSkeleton(name: string): string {
  return source.replaceAll('$NAME', name);
}

const source = `// A problem of your own: a question with one right answer, drawn by seed and checked by an oracle.
//
//   espalier check ./$NAME.ts     does it obey the laws, do both solutions agree?
//   espalier tasks ./$NAME.ts     see its questions
//   espalier play ./$NAME.ts      answer one yourself
import { byLevel, defineProblem, problemTypes } from 'espalier';

const { integer } = problemTypes;
const largest = byLevel(400, 5000, 50_000);

export const problem = defineProblem({
  name: '$NAME',
  subject: 'mine',
  about: 'How many square numbers there are up to a number.',
  // The types say what fits: an answer of another problem can be the input of this one.
  input: integer({ low: 1, high: 1_000_000 }),
  output: integer({ low: 1, high: 1000 }),
  sample: (random, level) => random.between(10, largest[level]),
  // The question in several wordings; x is the input, or a reference to the result of an earlier step.
  wordings: [
    x => \`How many square numbers (1, 4, 9, …) are not greater than \${x}?\`,
    x => \`Count the whole numbers from 1 on whose square is at most \${x}.\`,
  ],
  solve: number => Math.floor(Math.sqrt(number)),
  // A second solution that shares nothing with the first: espalier check compares them.
  bruteForce(number) {
    let root = 0;
    while ((root + 1) * (root + 1) <= number) root++;
    return root;
  },
});
`;
