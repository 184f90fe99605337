import { actionKey } from '../../core/action.ts';
import type { ModelCall } from '../../core/chat/model.ts';
import { lacksCertificate } from '../../core/episode/certificate.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { TreeNode } from '../../core/tree.ts';
import { candidatesOf, type Candidate } from '../rows/candidate.ts';
import type { CreditStep, CreditTrajectory, Estimator, TrajectoryEnd } from './contract.ts';

/** Null where nobody needs log probabilities: calls are then not read. */
export type ReadCall = ((address: string) => ModelCall) | null;

/**
 * Tries at the same task in the same round are one group, whether they are episodes or branches of one. An estimator that
 * compares rounds gets those of all rounds in one group.
 */
export function creditGroupOf(
  { head }: Pick<EpisodeRecord, 'head'>,
  { comparesRounds = false }: Pick<Estimator, 'comparesRounds'>,
): string {
  return comparesRounds ? `${head.run}/${head.task.id}` : `${head.run}/${head.round}/${head.task.id}`;
}

export function trajectoryId({ head }: Pick<EpisodeRecord, 'head'>, leaf: number): string {
  return `${head.run}/${head.key}#${leaf}`;
}

export function stepId({ head }: Pick<EpisodeRecord, 'head'>, node: number): string {
  return `${head.run}/${head.key}:${node}`;
}

/** Every leaf of an episode as a trajectory. A leaf whose certificate is missing has no reward, whatever its verdict. */
export function trajectoriesOf(record: EpisodeRecord, readCall: ReadCall): readonly CreditTrajectory[] {
  const sampled = readCall === null ? () => ({}) : createSampled(record, readCall);
  return (
    candidatesOf(record)
      // A run with a planted error is nobody's attempt.
      .filter(({ path, role }) => path.length > 0 && !role.startsWith('planted '))
      .map(candidate => {
        const { leaf, path, verdict } = candidate;
        const isKnown = verdict !== null && !lacksCertificate(record, leaf);
        const steps = path.map((node): CreditStep => ({ ...stepOf(record, node), ...sampled(node) }));
        return {
          id: trajectoryId(record, leaf),
          reward: isKnown ? Number(verdict.pass) : null,
          steps,
          ...(isKnown ? { end: endOf(candidate) } : {}),
          generation: record.head.round,
        };
      })
  );
}

function stepOf(record: EpisodeRecord, { id, before, after, action, actor, outcome, memory }: TreeNode): CreditStep {
  return {
    state: before,
    after,
    action: actionKey(action),
    node: stepId(record, id),
    actor: actor.role,
    applied: outcome.applied,
    ...(outcome.role === undefined ? {} : { role: outcome.role }),
    ...(memory === undefined ? {} : { followed: memory.used.length }),
  };
}

function endOf({ path, verdict }: Candidate): TrajectoryEnd {
  const last = path.at(-1);
  const isGivenUp = last?.action.kind === 'finish' && last.action.infeasible === true;
  const by = last?.outcome.end !== 'terminated' ? 'overdue' : isGivenUp ? 'aborted' : 'declared';
  return { progress: verdict?.progress ?? 0, clean: verdict?.clean ?? false, by };
}

/**
 * How likely the policy found its step: over the tokens of the answer that led to it, or as the student says it. The
 * entropy is the estimate from this one sample: minus the log probability.
 */
function createSampled(
  record: EpisodeRecord,
  readCall: NonNullable<ReadCall>,
): (node: TreeNode) => Pick<CreditStep, 'logprob' | 'entropy' | 'tokens' | 'version'> {
  const known = new Map<number, ReturnType<ReturnType<typeof createSampled>>>();
  const read = ({ id, prior, logprob: said, entropy }: TreeNode): ReturnType<ReturnType<typeof createSampled>> => {
    const call = record.callsFor(id).findLast(({ by, question }) => by.role === 'student' && question === 'act');
    if (call === undefined) {
      const logprob = said ?? (prior === undefined || prior === 0 ? null : Math.log(prior));
      return { logprob, entropy: entropy ?? (logprob === null ? null : -logprob), version: record.head.student };
    }
    const { reply } = readCall(call.record);
    const logprobs = reply.tokens?.logprobs ?? null;
    if (logprobs === null || logprobs.length === 0) return { logprob: null, entropy: null, version: reply.version };
    const logprob = logprobs.reduce((sum, value) => sum + value, 0) / logprobs.length;
    return { logprob, entropy: -logprob, tokens: logprobs.length, version: reply.version };
  };
  return node => {
    const found = known.get(node.id) ?? read(node);
    known.set(node.id, found);
    return found;
  };
}
