import { causeText } from '../../../core/errors.ts';
import type { Admission } from '../../../worlds/admission.ts';
import { createRandom } from '../../../core/random.ts';
import { checkAnswer, seededInstance, workedOut } from '../instance.ts';
import { levels, type Level, type Problem } from '../problem.ts';
import { questionOf, type Step } from '../script.ts';
import { sameValue } from '../types/type.ts';
import { fewestInstances, guessable, repetitive, type Answered } from '../variety.ts';
import type { ProblemTemplate } from './environment.ts';

interface Trial {
  readonly problem: Problem;
  readonly level: Level;
  readonly instances: readonly Drawn[];
}

interface Drawn extends Answered {
  readonly steps: readonly Step[];
}

interface Rung {
  readonly name: string;
  readonly law: string;
  /** Null when it holds, else what is wrong. */
  fault(trial: Trial): string | null;
}

const nearAnswers = 4;
const hugeAnswer = '7'.repeat(1_000_000);
const neverRight = ['', 'NaN', 'undefined', 'null', 'Infinity', '\u0661\u0662', '\uff14\uff12', hugeAnswer];

/** Sends problems up the ladder: each level of each is a template. */
export function* admitProblems(templates: readonly ProblemTemplate[], seeds: number): Generator<Admission> {
  for (const { id, problem, level } of templates) yield admission(id, { problem, level }, seeds);
}

function admission(template: string, { problem, level }: Pick<Trial, 'problem' | 'level'>, seeds: number): Admission {
  const rejected = (rung: string, law: string, detail: string): Admission => ({
    template,
    admitted: false,
    rung,
    law,
    detail,
  });
  let trial: Trial;
  try {
    trial = { problem, level, instances: drawMany(problem, level, Math.max(fewestInstances, seeds)) };
  } catch (cause) {
    return rejected('parses', 'PROB-10', causeText(cause));
  }
  for (const { name, law, fault } of rungs) {
    try {
      const detail = fault(trial);
      if (detail !== null) return rejected(name, law, detail);
    } catch (cause) {
      return rejected(name, law, causeText(cause));
    }
  }
  return { template, admitted: true, rung: null, law: null, detail: `${trial.instances.length} instances` };
}

function drawMany(problem: Problem, level: Level, count: number): Drawn[] {
  return Array.from({ length: count }, (_, seed) => {
    const instance = seededInstance(problem, seed + 1, level);
    const steps = workedOut(problem, instance);
    return { instance, steps, last: steps.at(-1) as Step };
  });
}

const rungs: readonly Rung[] = [
  { name: 'deterministic', law: 'PROB-10', fault: notDeterministic },
  { name: 'oracle passes', law: 'PROB-10', fault: oracleFails },
  { name: 'brute force agrees', law: 'PROB-5', fault: disagreement },
  { name: 'wrong answers fail', law: 'PROB-10', fault: wrongPasses },
  { name: 'answers differ', law: 'PROB-10', fault: ({ instances }) => guessable(instances) },
  { name: 'questions differ', law: 'PROB-10', fault: ({ instances }) => repetitive(instances) },
];

function notDeterministic({ problem, level, instances }: Trial): string | null {
  const again = drawMany(problem, level, instances.length);
  const index = instances.findIndex(({ steps }, at) => questionOf(steps) !== questionOf((again[at] as Drawn).steps));
  return index < 0 ? null : `seed ${index + 1} gave two different questions`;
}

function oracleFails({ instances }: Trial): string | null {
  for (const { last } of instances) {
    const written = last.type.write(last.value).trim();
    const outcome = checkAnswer(last, written);
    if (outcome.kind !== 'right')
      return `the right answer ${JSON.stringify(written.slice(0, 80))} is taken as ${outcome.kind}`;
  }
  return null;
}

function disagreement({ problem, level, instances }: Trial): string | null {
  if (levels.indexOf(level) > levels.indexOf(problem.bruteForceUpTo)) return null;
  for (const { instance, last } of instances) {
    const { value } = workedOut(problem, instance, 'brute-force').at(-1) as Step;
    if (sameValue(value, last.value) || last.accepts?.(value) === true) continue;
    return `solve says ${last.type.write(last.value)}, bruteForce says ${last.type.write(value)} for ${JSON.stringify(instance.input)}`;
  }
  return null;
}

function wrongPasses({ problem, instances }: Trial): string | null {
  const random = createRandom(`wrong ${problem.name}`);
  for (const { last } of instances) {
    const junk = neverRight.find(answer => checkAnswer(last, answer).kind === 'right');
    if (junk !== undefined) return `the answer ${JSON.stringify(junk.slice(0, 40))} passes`;
    // Where several answers are right, a nearby one may be.
    if (last.accepts !== undefined) continue;
    for (let count = 0; count < nearAnswers; count++) {
      const near = last.type.near(last.value, random);
      if (sameValue(near, last.value)) return `${last.type.name} gives a value itself as a nearby one`;
      if (checkAnswer(last, last.type.write(near).trim()).kind === 'right')
        return `${last.type.write(near)} passes in place of ${last.type.write(last.value)}`;
    }
  }
  return null;
}
