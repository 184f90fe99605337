import { spawn } from 'node:child_process';
import { EspalierError } from '../../core/errors.ts';

const places = ['python3', '/usr/bin/python3', '/usr/local/bin/python3'] as const;

/** Verifiers are written with type hints such as `tuple[bool, str]`, which Python knows since 3.9. */
const probe = `
import sys
if sys.version_info < (3, 9): sys.exit('is Python ' + sys.version.split()[0] + ', older than 3.9')
try: import requests
except ImportError: sys.exit('has no module requests')
print(sys.executable)
`;

/** How long a Python may take to start. */
export const startMilliseconds = 60_000;

/** The path of a Python that has `requests`: the given one, else the first good one of the usual places. */
export async function findPython(python?: string): Promise<string> {
  const reasons: string[] = [];
  for (const place of python === undefined ? places : [python]) {
    const tried = await tryPython(place);
    if ('executable' in tried) return tried.executable;
    reasons.push(`${place} ${tried.reason}`);
  }
  throw new EspalierError({
    boundary: 'verifier',
    code: 'unavailable',
    message: `No Python can run the verifiers: ${reasons.join('; ')}.`,
    expected:
      'Install Python 3.9 or newer with requests (Debian: apt install python3 python3-requests), or name its path.',
  });
}

type Tried = { readonly executable: string } | { readonly reason: string };

function tryPython(place: string): Promise<Tried> {
  return new Promise(resolve => {
    const child = spawn(place, ['-c', probe], { stdio: ['ignore', 'pipe', 'pipe'], timeout: startMilliseconds });
    let [executable, complaint] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (executable += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
    child.on('error', cause => resolve({ reason: causeCode(cause) === 'ENOENT' ? 'is not there' : cause.message }));
    child.on('close', (code, signal) => {
      const last = complaint.trim().split('\n').at(-1);
      resolve(code === 0 ? { executable: executable.trim() } : { reason: last || `ended with ${signal ?? code}` });
    });
  });
}

function causeCode(cause: Error): unknown {
  return 'code' in cause ? cause.code : undefined;
}
