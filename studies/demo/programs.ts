import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { EspalierError } from '../../src/core/errors.ts';

export interface Program {
  /** A verb of espalier, and what it is given. */
  readonly args: readonly string[];
  readonly signal: AbortSignal;
  /** Takes each line of its output. */
  onLine?(line: string): void;
}

/** Runs a verb in a process of its own, on one core. */
export async function runProgram({ args, signal, onLine }: Program): Promise<void> {
  const program = fileURLToPath(new URL('../../bin/espalier.js', import.meta.url));
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = (): boolean => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  let complaint = '';
  child.stderr.on('data', (part: Buffer) => (complaint = (complaint + part.toString()).slice(-2000)));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  try {
    for await (const line of createInterface({ input: child.stdout })) onLine?.(line);
    const code = await ended;
    if (code !== 0 && !signal.aborted) throw broken(args, complaint.trim());
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function broken(args: readonly string[], complaint: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'threw',
    message: `espalier ${args.join(' ')} failed: ${complaint}`,
    expected: 'Run it by itself to see more.',
  });
}
