import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { causeText, EspalierError } from '../../../src/core/errors.ts';
import { splitWords } from '../../../src/envs/harbor/image/dockerfile.ts';
import { openSmall, smallNamed } from '../../../src/runs/agents/students/small.ts';

interface TeachOptions {
  /** As somebody typed it; no shell reads it. */
  readonly command: string;
  /** Folder of this student, for the command to keep what it taught. */
  readonly out: string;
  readonly seed: number;
  /** Files of rows; none for the model as it ships. */
  readonly rows: readonly string[];
  readonly signal: AbortSignal;
}

/** The model that a command has taught. */
export type TaughtModel = Awaited<ReturnType<typeof openSmall>>['model'];

/** Asks the command for a model, and the model whether it is there. */
export async function teachModel({ command, out, seed, rows, signal }: TeachOptions): Promise<TaughtModel> {
  const [program = '', ...words] = splitWords(command);
  const given = [...words, '--out', out, '--seed', String(seed), ...rows];
  const { how, said, complained } = await run(program, given, signal);
  signal.throwIfAborted();
  const failure = (problem: string): EspalierError => notTaught([program, ...given].join(' '), problem);
  if (how !== 'exit code 0') throw failure(`ended with ${how}${lastLines(complained)}`);
  const line = said.trim().split('\n').at(-1)?.trim() ?? '';
  const named = line.startsWith('small:') && line !== 'small:' ? smallNamed(line) : null;
  if (named === null) throw failure(`named no student: its last line was "${line}"`);
  try {
    return (await openSmall(named.folder)).model;
  } catch (cause) {
    throw failure(`named ${line}, which does not answer: ${causeText(cause)}`);
  }
}

interface Ended {
  /** `exit code 3`, or the signal that ended it. */
  readonly how: string;
  readonly said: string;
  readonly complained: string;
}

/** What it started in the background may hold its streams open: they are read for so long after its end. */
const lingerMilliseconds = 500;

async function run(program: string, words: readonly string[], signal: AbortSignal): Promise<Ended> {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'], signal });
  const [said, complained] = [textOf(child.stdout), textOf(child.stderr)];
  const closed = once(child, 'close').catch(() => undefined);
  try {
    const [code, ended] = (await once(child, 'exit')) as [number | null, string | null];
    await Promise.race([closed, once(AbortSignal.timeout(lingerMilliseconds), 'abort')]);
    return { how: code === null ? String(ended) : `exit code ${code}`, said: said(), complained: complained() };
  } catch (cause) {
    return { how: `an error: ${causeText(cause)}`, said: '', complained: '' };
  } finally {
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function textOf(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    text = (text + chunk).slice(-20_000);
  });
  return () => text;
}

const mostLines = 12;

function lastLines(text: string): string {
  const lines = text.trim().split('\n').slice(-mostLines).join('\n');
  return lines === '' ? ', and said nothing' : `, and said:\n${lines}\n`;
}

function notTaught(command: string, problem: string): EspalierError {
  return new EspalierError({
    boundary: 'policy',
    code: 'unavailable',
    message: `search.teach taught no student: ${command} ${problem}.`,
    expected:
      'Expected that its last line of output is small:<folder> or small:http://127.0.0.1:<port>. Run it by hand and mend it; then --resume goes on.',
  });
}
