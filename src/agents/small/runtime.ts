import { availableParallelism } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import type { InferenceSession } from 'onnxruntime-node';
import { causeText, EspalierError } from '../../core/errors.ts';
import { callNative } from '../../core/native-calls.ts';
import type { StepScores } from './texts.ts';

/** What the model is given for one prompt. */
interface ModelInput {
  readonly ids: readonly number[];
  readonly marks: ArrayLike<number>;
  readonly references: readonly number[];
}

export type Infer = (input: ModelInput) => Promise<StepScores>;

const inputs = ['ids', 'marks', 'references'] as const;
const outputs = [
  'kind',
  'element',
  'first',
  'first_by_element',
  'last',
  'last_by_element',
  'last_by_first',
] as const satisfies readonly (keyof StepScores)[];

/** More threads gain little at this size. */
const mostThreads = 4;

/** Loads the runtime and the model. Workers run beside each other, so each has one thread. */
export async function openRuntime(file: string): Promise<Infer> {
  const { InferenceSession, Tensor } = await loadOnnxRuntime();
  const threads = isMainThread ? Math.min(mostThreads, availableParallelism()) : 1;
  const options = { intraOpNumThreads: threads, interOpNumThreads: 1 };
  const session = await openSession(() => callNative(() => InferenceSession.create(file, options)));
  requireNames(file, session);
  const integers = (values: ArrayLike<number>) => {
    const data = BigInt64Array.from({ length: values.length }, (_, at) => BigInt(values[at] as number));
    return new Tensor('int64', data, [values.length]);
  };
  return async ({ ids, marks, references }) => {
    const given = { ids: integers(ids), marks: integers(marks), references: integers(references) };
    const found = await callNative(() => session.run(given));
    return Object.fromEntries(outputs.map(name => [name, found[name]?.data])) as unknown as StepScores;
  };

  async function openSession(open: () => Promise<InferenceSession>): Promise<InferenceSession> {
    try {
      return await open();
    } catch (cause) {
      throw unreadable(file, `the runtime cannot read it: ${causeText(cause)}`);
    }
  }
}

async function loadOnnxRuntime(): Promise<typeof import('onnxruntime-node')> {
  try {
    return await import('onnxruntime-node');
  } catch (cause) {
    throw new EspalierError({
      boundary: 'input',
      code: 'unavailable',
      message: `The package onnxruntime-node cannot be loaded: ${causeText(cause)}.`,
      expected:
        'The student small needs it: npm install --ignore-scripts onnxruntime-node@1.30.0. It has binaries for Linux, ' +
        'Windows, and macOS on ARM; elsewhere, ask a small that another machine serves: espalier serve-policy --student small.',
      cause,
    });
  }
}

function requireNames(file: string, { inputNames, outputNames }: InferenceSession): void {
  const missing = [
    ...inputs.filter(name => !inputNames.includes(name)),
    ...outputs.filter(name => !outputNames.includes(name)),
  ];
  if (missing.length > 0) throw unreadable(file, `it has no ${missing.join(', ')}`);
}

function unreadable(file: string, why: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'corrupt-record',
    message: `${file} is not a model that this version of Espalier can use: ${why}.`,
    expected: 'Expected a file that python/recipe/export.py wrote.',
  });
}
