import { createRandom } from '../../src/core/random.ts';
import { baseProblems } from '../../src/envs/problems/catalog.ts';
import { randomCompositions } from '../../src/envs/problems/compose/random-compositions.ts';
import { checkAnswer, drawInstance, workedOut, type DrawnInstance } from '../../src/envs/problems/instance.ts';
import { levels, type Level, type Problem } from '../../src/envs/problems/problem.ts';
import { questionOf, type Step } from '../../src/envs/problems/script.ts';
import { sameValue } from '../../src/envs/problems/types/type.ts';
import { relations } from '../../src/envs/retrieval/relations.ts';
import { listed } from '../../src/envs/retrieval/sample-question.ts';
import { createRetrievalPlace } from '../../src/envs/retrieval/retrieval-environment.ts';
import { figure, timings, type Bench } from '../measure.ts';
import { secondsForTasks, verdictOverheads } from './code.ts';

const compositions = 200;
const samples = 1_000_000;

/** Questions and programming tasks that are drawn and verified; and how often two solutions of a problem differ. */
export const problemsBench: Bench = {
  group: 'problems',
  onDemand: true,
  figures: [
    'problems.base',
    'problems.depth3',
    'problems.search',
    'code.verdict',
    'adr.tasks-10k',
    'problems.disagree',
  ],
  async *run(_options, news) {
    yield figure('problems.base', '1/s', rates(baseProblems));
    const depth3 = [...randomCompositions({ problems: baseProblems, depth: 3, count: compositions, seed: 7 })];
    yield figure('problems.depth3', '1/s', rates(depth3));
    yield figure(
      'problems.search',
      'ms',
      searchTimes(text => news.progress(text)),
    );
    yield figure('code.verdict', 'ms', verdictOverheads());
    news.progress('drawing programming tasks …');
    yield figure('adr.tasks-10k', 's', [secondsForTasks()]);
    news.progress('');
    yield figure('problems.disagree', 'count', [countDisagreements(text => news.progress(text))]);
  },
};

const documents = 100_000;
const searches = 2000;

/** Milliseconds of searches as agents make them: a name from the library, alone or with a word of a question. */
function searchTimes(progress: (text: string) => void): number[] {
  progress(`indexing ${documents} documents …`);
  const { index, library } = createRetrievalPlace({ seed: 7, documents });
  progress('');
  const random = createRandom('searches');
  const { entities } = library.graph;
  return Array.from({ length: searches }, () => {
    const { name } = random.pick(entities);
    const query = random.chance(0.5) ? name : `${name} ${random.pick(relations).keyword}`;
    const start = performance.now();
    const found = index.search(query, listed);
    const milliseconds = performance.now() - start;
    if (found.length === 0) throw new Error(`nothing was found for ${query}`);
    return milliseconds;
  });
}

interface Trial {
  readonly problem: Problem;
  readonly level: Level;
}

function trialsOf(problems: readonly Problem[]): Trial[] {
  return problems.flatMap(problem => levels.map(level => ({ problem, level })));
}

/** Instances a second: sampled, worked out, written as a question, answered and verified. */
function rates(problems: readonly Problem[]): number[] {
  // Every problem at every level as often as any other.
  const trials = createRandom('order').shuffle(trialsOf(problems));
  return timings(round => {
    const { problem, level } = trials[round % trials.length] as Trial;
    const steps = workedOut(problem, drawn(problem, round, level));
    const last = steps.at(-1) as Step;
    const isRight = questionOf(steps) !== '' && checkAnswer(last, last.type.write(last.value).trim()).kind === 'right';
    if (!isRight) throw new Error(`the right answer of ${problem.name} did not pass`);
  }).map(seconds => 1 / seconds);
}

const draws = 8;

/** A composition may find no instance for one seed: the next one is taken, and its time counts. */
function drawn(problem: Problem, round: number, level: Level): DrawnInstance {
  for (let attempt = 0; attempt < draws; attempt++) {
    const random = createRandom(`${round}/${attempt}`);
    const instance = problem.draw(random, level);
    if (instance !== null) return { ...instance, wording: round };
  }
  throw new Error(`${problem.name} found no instance in ${draws} draws`);
}

/** Samples on which the oracle and the brute-force solution of a base problem differ. */
function countDisagreements(progress: (text: string) => void): number {
  const trials = trialsOf(baseProblems).filter(
    ({ problem, level }) => levels.indexOf(level) <= levels.indexOf(problem.bruteForceUpTo),
  );
  let differing = 0;
  for (let sample = 0; sample < samples; sample++) {
    if (sample % 20_000 === 0)
      progress(`comparing two solutions: ${sample} of ${samples} samples, ${differing} differ …`);
    const { problem, level } = trials[sample % trials.length] as Trial;
    const instance = drawInstance(problem, createRandom(`sample ${sample}`), level);
    const oracle = workedOut(problem, instance).at(-1) as Step;
    const brute = workedOut(problem, instance, 'brute-force').at(-1) as Step;
    const agree = sameValue(brute.value, oracle.value) || oracle.accepts?.(brute.value) === true;
    if (!agree) differing++;
  }
  progress('');
  return differing;
}
