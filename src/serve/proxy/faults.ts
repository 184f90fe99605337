import { z } from 'zod';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import { createRandom } from '../../core/random.ts';

const kinds = ['429', '500', 'slow', 'truncated', 'cut'] as const;

/** A fault that is injected into a call. */
export const faultSchema = z.strictObject({
  kind: z.enum(kinds),
  /** How long a slow one waits before it is passed on. */
  milliseconds: z.int().nonnegative().optional(),
  /** How much of the answer a truncated or cut one gets. */
  share: z.number().gt(0).lt(1).optional(),
});
export type Fault = z.infer<typeof faultSchema>;

/** The share of calls that get each fault. */
export interface FaultPlan {
  readonly seed: string;
  readonly shares: readonly { readonly kind: Fault['kind']; readonly share: number; readonly milliseconds: number }[];
}

const longestWait = 600_000;
const usualWait = 2000;

/** Reads `429:0.1,slow:0.2:1500,cut:0.05`: kinds, the share of calls that each befalls, and how long a slow one waits. */
export function readFaults(text: string, seed: string): FaultPlan {
  const shares = text.split(',').map(word => readFault(word.trim()));
  const repeated = shares.find(({ kind }, index) => shares.findIndex(other => other.kind === kind) !== index);
  if (repeated !== undefined) throw invalid(`The fault "${repeated.kind}" is named twice in "${text}".`);
  const sum = shares.reduce((total, { share }) => total + share, 0);
  if (sum > 1 + 1e-9) throw invalid(`The shares of the faults "${text}" add up to ${sum}, more than all calls.`);
  return { seed, shares };
}

function readFault(word: string): FaultPlan['shares'][number] {
  const [name = '', share = '', wait, ...rest] = word.split(':');
  const kind = kinds.find(known => known === name);
  const milliseconds = wait === undefined ? usualWait : Number(wait);
  const isWaitRight =
    wait === undefined || (kind === 'slow' && /^\d+$/.test(wait) && milliseconds <= longestWait && rest.length === 0);
  if (kind === undefined || !/^(0?\.\d+|[01](\.0*)?)$/.test(share) || !isWaitRight)
    throw invalid(`"${word}" is no fault.`);
  return { kind, share: Number(share), milliseconds };
}

function invalid(message: string): EspalierError {
  return invalidOption(
    message,
    `Expected kinds with the share of calls they befall, such as 429:0.1,slow:0.2:1500,cut:0.05; kinds are ${kinds.join(', ')}, and a slow one may say its milliseconds.`,
  );
}

/** The fault of the call with this name, the same for the same seed. Null for most calls. */
export function drawFault({ seed, shares }: FaultPlan, call: string): Fault | null {
  const random = createRandom(`${seed}/faults/${call}`);
  let left = random.next();
  for (const { kind, share, milliseconds } of shares) {
    left -= share;
    if (left >= 0) continue;
    if (kind === 'slow') return { kind, milliseconds };
    return kind === 'truncated' || kind === 'cut' ? { kind, share: 0.2 + 0.6 * random.next() } : { kind };
  }
  return null;
}
