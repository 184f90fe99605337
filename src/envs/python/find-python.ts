import { spawn } from 'node:child_process';
import { z } from 'zod';
import { EspalierError } from '../../core/errors.ts';

const places = ['python3', '/usr/bin/python3', '/usr/local/bin/python3'] as const;

/** Verifiers are written with type hints such as `tuple[bool, str]`, which Python knows since 3.9. */
const probe = `
import json, os, sys
if sys.version_info < (3, 9): sys.exit('is Python ' + sys.version.split()[0] + ', older than 3.9')
try: import requests
except ImportError: sys.exit('has no module requests')
places = [sys.executable, os.path.realpath(sys.executable), sys.prefix, sys.base_prefix, *sys.path[1:]]
print(json.dumps({'executable': sys.executable, 'places': places}))
`;

/** How long a Python may take to start. */
export const startMilliseconds = 60_000;

const pythonSchema = z.object({
  executable: z.string().min(1),
  /** Files and folders that it reads its own parts from. */
  places: z.array(z.string()).readonly(),
});
export type Python = z.infer<typeof pythonSchema>;

/** A Python that has `requests`: the given one, else the first good one of the usual places. */
export async function findPython(python?: string): Promise<Python> {
  const reasons: string[] = [];
  for (const place of python === undefined ? places : [python]) {
    const tried = await tryProgram(place, ['-c', probe]);
    const found = 'output' in tried ? readPython(tried.output) : null;
    if (found !== null) return found;
    reasons.push(`${place} ${'reason' in tried ? tried.reason : 'says nothing of itself'}`);
  }
  throw new EspalierError({
    boundary: 'verifier',
    code: 'unavailable',
    message: `No Python can run the verifiers: ${reasons.join('; ')}.`,
    expected:
      'Install Python 3.9 or newer with requests (Debian: apt install python3 python3-requests), or name its path.',
  });
}

function readPython(output: string): Python | null {
  try {
    return pythonSchema.safeParse(JSON.parse(output)).data ?? null;
  } catch {
    return null;
  }
}

export type Tried = { readonly output: string } | { readonly reason: string };

/** Runs a program to its end; why it failed when it did. */
export function tryProgram(place: string, args: readonly string[]): Promise<Tried> {
  return new Promise(resolve => {
    const child = spawn(place, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: startMilliseconds });
    let [output, complaint] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
    child.on('error', cause => resolve({ reason: causeCode(cause) === 'ENOENT' ? 'is not there' : cause.message }));
    child.on('close', (code, signal) => {
      const last = complaint.trim().split('\n').at(-1);
      resolve(code === 0 ? { output } : { reason: last || `ended with ${signal ?? code}` });
    });
  });
}

function causeCode(cause: Error): unknown {
  return 'code' in cause ? cause.code : undefined;
}
