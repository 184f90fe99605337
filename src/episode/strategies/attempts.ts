import { actionKey } from '../../core/action.ts';
import { describeStep } from '../../core/episode/view.ts';
import type { Verdict } from '../../core/records.ts';
import type { Episode } from '../verbs/episode.ts';
import type { Usable } from '../verbs/questions.ts';
import { decide, failureReason, whyNothing, type Conclusion } from './strategy.ts';

/** What can be said of an attempt without asking the verifier: what a judge may see. */
export interface Summary {
  /** Its steps, one line each. */
  readonly lines: readonly string[];
  readonly steps: number;
  readonly finished: boolean;
  /** Steps that the environment refused. */
  readonly refused: number;
  /** Steps that led to a state which the attempt had been in. */
  readonly returns: number;
  /** Mean of what the student said of its steps: how likely, or how sure; null when it said nothing. */
  readonly confidence: number | null;
  /** What the student said of the last state that it was asked in; null when it said nothing. */
  readonly value: number | null;
  /** The last screen and the last action: attempts that end alike agree. */
  readonly ending: string;
}

/** One way from the start to an end. */
export interface Attempt {
  readonly leaf: number;
  readonly stopped: string | null;
  readonly summary: Summary;
}

/** Attempts of one episode. Verdicts are kept apart from them: who chooses an attempt does not see any. */
export interface Attempts {
  readonly made: readonly Attempt[];
  /** Whether another one may be recorded, and a step be taken for it. */
  mayBegin(): boolean;
  /** Goes on from here to the end of an attempt, and records it. */
  run(lead?: Lead, role?: string): Promise<Attempt>;
  /** Records where the episode stands as the end of an attempt. */
  end(stopped: string | null, role?: string): Promise<Attempt>;
  /** The conclusion of an episode whose result is this attempt. */
  conclude(chosen: Attempt): Conclusion;
}

export function createAttempts(episode: Episode): Attempts {
  const made: Attempt[] = [];
  const verdicts = new Map<Attempt, Verdict>();
  const screens = new Map<number, string>();
  const end: Attempts['end'] = async (stopped, role = 'sample') => {
    const verdict = await episode.verify();
    episode.leaf({ role, verdict, from: null });
    const attempt = { leaf: episode.at(), stopped, summary: await summarise(episode, screens) };
    made.push(attempt);
    verdicts.set(attempt, verdict);
    return attempt;
  };
  return {
    made,
    end,
    run: async (lead = {}, role = 'sample') => end(await follow(episode, lead, screens), role),
    mayBegin: () => episode.left('leaves') > 0 && episode.left('taken') > 0 && episode.left('queries') > 0,
    conclude(chosen) {
      const verdict = verdicts.get(chosen);
      if (verdict === undefined) throw new Error('The attempt is not one of this episode.');
      return { kind: 'verified', leaf: chosen.leaf, verdict, reason: failureReason(verdict, chosen.stopped) };
    },
  };
}

/** How a student is led through an attempt. */
export interface Lead {
  readonly hint?: string | undefined;
  /** Chooses the step in the place of the student; null leaves it to the student. */
  choose?(episode: Episode): Promise<Usable | null>;
}

/** Goes on from here to the end, and says what stopped it; null when it finished. Keeps the screens, by node. */
async function follow(episode: Episode, { hint, choose }: Lead, screens: Map<number, string>): Promise<string | null> {
  while (episode.ended() === null && episode.left('steps') > 0) {
    screens.set(episode.at(), (await episode.look()).text);
    const chosen = (await choose?.(episode)) ?? null;
    const decision = chosen ?? (await decide(episode, hint));
    if (decision === null) return whyNothing(episode);
    await episode.step(decision);
  }
  return episode.ended() === 'terminated' ? null : 'out of steps';
}

async function summarise(episode: Episode, screens: ReadonlyMap<number, string>): Promise<Summary> {
  const path = episode.tree.path(episode.at());
  const seen = new Set([episode.tree.root]);
  let returns = 0;
  for (const { after, outcome } of path) {
    if (outcome.applied && outcome.end === undefined && seen.has(after)) returns++;
    seen.add(after);
  }
  const said = path.flatMap(({ prior, confidence }) => confidence ?? prior ?? []);
  const { text } = await episode.look();
  const last = path.at(-1);
  return {
    lines: path.map(({ parent, action, outcome }) =>
      describeStep(action, screens.get(parent) ?? '', outcome.problem?.message),
    ),
    steps: path.length,
    finished: episode.ended() === 'terminated',
    refused: path.filter(({ outcome }) => !outcome.applied).length,
    returns,
    confidence: said.length === 0 ? null : said.reduce((sum, one) => sum + one, 0) / said.length,
    value: path.findLast(({ value }) => value !== undefined)?.value ?? null,
    ending: `${last === undefined ? '' : actionKey(last.action)}\n${text}`,
  };
}
