import { lacksCertificate, type Certification } from '../../core/episode/certificate.ts';
import { leavesOf, type EpisodeRecord } from '../../core/episode/record.ts';
import type { Verdict } from '../../core/records.ts';

/**
 * Whether the state that a step was taken in is proven: it lies on the way to a certified leaf. Whatever was done there,
 * a step or the one that was rejected for it, is an answer to a prompt that is as recorded.
 */
export function isProven(record: EpisodeRecord, node: number): boolean {
  if (record.end.certification !== 'by-replay') return true;
  const { parent } = record.tree.node(node);
  return leavesOf(record).some(
    leaf =>
      !lacksCertificate(record, leaf.node) &&
      (parent === 0 || record.tree.path(leaf.node).some(({ id }) => id === parent)),
  );
}

/** The verdict on the end of an episode; null where it is not certified. */
export function provenVerdict(record: EpisodeRecord): Verdict | null {
  return lacksCertificate(record, record.end.leaf) ? null : record.end.verdict;
}

/** How the end of an episode is certified; null when it is not. */
export function certifiedBy(record: EpisodeRecord): Certification | null {
  return lacksCertificate(record, record.end.leaf) ? null : record.end.certification;
}

/**
 * The corrections that may be learned from: none of an episode that broke, none that another one replaced, and no finish
 * that the verifier did not pass.
 */
export function standingCorrections({ corrections: all, end, tree }: EpisodeRecord): EpisodeRecord['corrections'] {
  if (end.outcome === 'errored') return [];
  const replaced = new Set(all.map(({ replaces }) => replaces));
  const stood = (node: number): boolean => {
    const { outcome } = tree.node(node);
    const isRefusedFinish = outcome.end === 'terminated' && !(end.outcome === 'passed' && end.leaf === node);
    return outcome.applied && !isRefusedFinish;
  };
  return all.filter(({ node }) => !replaced.has(node) && stood(node));
}
