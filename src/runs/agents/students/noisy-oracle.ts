import { z } from 'zod';
import { EspalierError } from '../../../core/errors.ts';
import type { Json } from '../../../core/json.ts';
import { defineStudent } from '../agent-entry.ts';

const defaultAccuracy = 0.8;

export const noisyOracle = defineStudent({
  name: 'noisy-oracle',
  about:
    'Solves each part of a problem right with a probability, such as noisy-oracle:0.8; for problem: and races: alone.',
  config: z.strictObject({ kind: z.literal('noisy-oracle'), accuracy: z.number().min(0).max(1) }),
  read(text) {
    const found = /^noisy-oracle(?::(0|1|0?\.\d{1,6}))?$/.exec(text);
    return found === null ? null : { kind: 'noisy-oracle', accuracy: Number(found[1] ?? defaultAccuracy) };
  },
  suits: { environment: /^(problem|races):/, expected: 'problem:gcd or races:SEQUENTIAL(gcd,prime-factors)' },
  async open({ accuracy }) {
    const { problemNames } = await import('../../../envs/problems/catalog.ts');
    const { parseExpression } = await import('../../../envs/problems/compose/parse.ts');
    const { noisyAnswer } = await import('../../../envs/problems/compose/difficulty.ts');
    return {
      identity: `noisy-oracle-${accuracy}`,
      make: () => ({
        name: 'noisy-oracle',
        privileged: true,
        act({ random }, { task }) {
          const { problem: name, input, parameters, wording } = task.parameters;
          if (typeof name !== 'string' || input === undefined || parameters === undefined) throw noProblem(task.id);
          const problem = parseExpression(name, problemNames);
          const instance = { input, parameters, wording: Number(wording) };
          const answer = noisyAnswer(problem, instance, { accuracy: () => accuracy, random });
          return { action: { kind: 'finish', answer: written(answer, value => problem.output.write(value)) } };
        },
      }),
    };
  },
});

/** A solver whose mistake leads nowhere says so. */
function written(answer: Json | null, write: (value: Json) => string): string {
  return answer === null ? 'unknown' : write(answer).trim();
}

function noProblem(task: string): EspalierError {
  return new EspalierError({
    boundary: 'policy',
    code: 'unsupported',
    message: `Task ${task} is no question of a built-in problem.`,
    expected: 'Expected an environment such as problem:gcd or races:SEQUENTIAL(gcd,prime-factors).',
  });
}
