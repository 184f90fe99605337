import { actionKey } from '../../core/action.ts';
import type { Episode } from '../verbs/episode.ts';
import { isUsable, type Usable } from '../verbs/questions.ts';

/** An action that the student would take here, and how likely it is to take it. */
export type Proposal = Usable & { readonly prior: number };

/** What a student says of one state. */
export interface Outlook {
  /** The likeliest first. */
  readonly proposals: readonly Proposal[];
  /** What it expects of this state, in a unit of its own; null when it does not say. */
  readonly value: number | null;
}

interface ProposalOptions {
  /** Actions at most. */
  readonly width: number;
  /** Questions at most, to a student that says only what it would do. */
  readonly samples: number;
  readonly hint?: string | undefined;
}

/**
 * The student's actions here with their probabilities. A student that says what else it weighed is asked once; another is asked
 * several times, and an action is as likely as the share of answers that name it. Empty when nothing usable came.
 */
export async function propose(episode: Episode, { width, samples, hint }: ProposalOptions): Promise<Outlook> {
  const found = new Map<string, Proposal>();
  let value: number | null = null;
  let answers = 0;
  for (let asked = 0; asked < samples && episode.left('queries') > 0; asked++) {
    const decision = await episode.act(hint);
    if (!isUsable(decision)) continue;
    value ??= decision.value ?? null;
    const { alternatives = [], ...taken } = decision;
    if (alternatives.length > 0) {
      for (const one of [taken, ...alternatives]) addTo(found, one, one.prior ?? 1);
      return { proposals: ranked(found, 1, width), value };
    }
    answers++;
    addTo(found, taken, 1);
  }
  return { proposals: ranked(found, Math.max(1, answers), width), value };
}

/** One action may be weighed in several places of the screen, or named by several answers. */
function addTo(found: Map<string, Proposal>, decision: Usable, weight: number): void {
  const key = actionKey(decision.action);
  const known = found.get(key);
  found.set(key, { ...(known ?? decision), prior: (known?.prior ?? 0) + weight });
}

function ranked(found: ReadonlyMap<string, Proposal>, total: number, width: number): Proposal[] {
  const shares = [...found.values()].map(one => ({ ...one, prior: Math.min(1, one.prior / total) }));
  return shares.toSorted((a, b) => b.prior - a.prior).slice(0, width);
}

/** Values of a student's own unit as shares from 0 to 1 of those seen so far; 0.5 for what it does not say. */
export interface ValueScale {
  /** Takes a value that was seen. */
  see(value: number | null): void;
  share(value: number | null): number;
}

export function createValueScale(): ValueScale {
  let [least, most] = [Infinity, -Infinity];
  return {
    see(value) {
      if (value === null) return;
      least = Math.min(least, value);
      most = Math.max(most, value);
    },
    share: value => (value === null || !(most > least) ? 0.5 : (value - least) / (most - least)),
  };
}
