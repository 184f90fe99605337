import { z } from 'zod';
import type { EpisodeHead, EpisodeEvent } from '../../../core/episode/events.ts';
import type { StoredEpisode } from '../../../core/episode/journal.ts';
import { contractIncidents, contractProblem } from '../../../core/step-contracts/step-contract.ts';
import { satisfaction } from './contract.ts';

const whole = z.int().nonnegative();
const share = z.number().min(0).max(1);

/** How the contracts of a run were kept, by whoever acted. */
export const contractCountSchema = z.strictObject({
  phase: z.enum(['collect', 'evaluate']),
  round: whole,
  student: z.string(),
  /** Episodes in which contracts were in force, and those in which no step broke one. What was stopped counts as kept. */
  episodes: z.int().positive(),
  kept: whole,
  /** 95 % interval of the share that is kept. */
  low: share,
  high: share,
  /** Whether the lower end is at least 0.95. */
  isEnough: z.boolean(),
  contracts: z
    .array(
      z.strictObject({
        id: z.string(),
        /** Steps that broke it and were taken, steps that were stopped, and episodes with either. */
        broken: whole,
        stopped: whole,
        episodes: whole,
      }),
    )
    .readonly(),
});
export type ContractCount = z.infer<typeof contractCountSchema>;

type Rule = { -readonly [Key in keyof ContractCount['contracts'][number]]: ContractCount['contracts'][number][Key] };

interface Tally {
  readonly head: Pick<EpisodeHead, 'phase' | 'round' | 'student'>;
  readonly rules: Map<string, Rule>;
  episodes: number;
  kept: number;
}

/** Counts how contracts that were held at run time were kept. Episodes without contracts count nowhere. */
export function countContracts(episodes: Iterable<StoredEpisode>): readonly ContractCount[] {
  const tallies = new Map<string, Tally>();
  for (const { head, events } of episodes) {
    const steps = events.filter(event => event.kind === 'step');
    const inForce = contractsInForce(steps);
    if (inForce.length === 0) continue;
    const { phase, round, student } = head;
    const key = JSON.stringify([phase, round, student]);
    const tally = tallies.get(key) ?? { head: { phase, round, student }, rules: new Map(), episodes: 0, kept: 0 };
    tallies.set(key, tally);
    addEpisode(tally, inForce, steps);
  }
  return [...tallies.values()].map(({ head, rules, episodes: n, kept }) => {
    const { interval, isEnough } = satisfaction(kept, n);
    return {
      ...head,
      episodes: n,
      kept,
      low: interval.low,
      high: interval.high,
      isEnough,
      contracts: [...rules.values()],
    };
  });
}

type StepEvent = Extract<EpisodeEvent, { kind: 'step' }>;

/** Ids of the contracts that an episode was held to. */
function contractsInForce(steps: readonly StepEvent[]): readonly string[] {
  const said = steps.flatMap(({ node }) => node.outcome.incidents ?? []);
  const list = said.find(({ kind }) => kind === contractIncidents.inForce)?.detail ?? '';
  return list === '' ? [] : list.split(', ');
}

function addEpisode(tally: Tally, inForce: readonly string[], steps: readonly StepEvent[]): void {
  const touched = new Set<string>();
  let isKept = true;
  for (const id of inForce) if (!tally.rules.has(id)) tally.rules.set(id, { id, broken: 0, stopped: 0, episodes: 0 });
  for (const { node } of steps) {
    const isStopped = node.outcome.problem?.code === contractProblem;
    for (const { kind, detail } of node.outcome.incidents ?? []) {
      const rule = kind === contractIncidents.broken ? tally.rules.get(detail) : undefined;
      if (rule === undefined) continue;
      if (isStopped) rule.stopped++;
      else rule.broken++;
      if (!isStopped) isKept = false;
      if (!touched.has(detail)) rule.episodes++;
      touched.add(detail);
    }
  }
  tally.episodes++;
  tally.kept += Number(isKept);
}
