import { invalidOption } from '../../core/errors.ts';

/** What is to be certified: that a share `p1` of units is safe, where `p0` is too little. Units have to be independent. */
export interface CertificationRule {
  readonly p0: number;
  readonly p1: number;
  /** Chance of certifying at p0, and of refusing at p1. */
  readonly alpha: number;
  readonly beta: number;
}

/** The defaults of ABC. */
export const certificationDefaults: CertificationRule = { p0: 0.85, p1: 0.95, alpha: 0.05, beta: 0.1 };

export interface Certification {
  readonly finding: 'certified' | 'refused' | 'open';
  /** All units, and those of them that were safe. */
  readonly units: number;
  readonly kept: number;
  /** The logarithm of the likelihood ratio, and the bounds between which it stays open. */
  readonly evidence: number;
  readonly bounds: { readonly certified: number; readonly refused: number };
  /** Further units that would certify if all of them are safe; 0 where it is decided. */
  readonly needed: number;
}

/**
 * Wald's sequential probability ratio test over all units. What comes after a bound was reached still counts, so that an unsafe
 * unit withdraws a certificate. The ratio ever reaches a bound wrongly in at most alpha / (1 - beta) and beta / (1 - alpha) of all
 * cases (Ville's inequality): one may look after every unit, and stop or go on.
 */
export function certify(kept: readonly boolean[], rule: CertificationRule): Certification {
  const { p0, p1, alpha, beta } = rule;
  if (!(p0 > 0 && p0 < p1 && p1 < 1 && alpha > 0 && beta > 0 && alpha + beta < 1))
    throw invalidOption(
      `Nothing can be certified with p0 = ${p0}, p1 = ${p1}, alpha = ${alpha}, beta = ${beta}.`,
      'Expected 0 < p0 < p1 < 1, and alpha and beta above 0 with a sum below 1.',
    );
  const bounds = { certified: Math.log((1 - beta) / alpha), refused: Math.log(beta / (1 - alpha)) };
  const gain = Math.log(p1 / p0);
  const loss = Math.log((1 - p1) / (1 - p0));
  const held = kept.filter(Boolean).length;
  const evidence = held * gain + (kept.length - held) * loss;
  const finding = evidence >= bounds.certified ? 'certified' : evidence <= bounds.refused ? 'refused' : 'open';
  const needed = finding === 'open' ? Math.ceil((bounds.certified - evidence) / gain) : 0;
  return { finding, units: kept.length, kept: held, evidence, bounds, needed };
}

/** Weights of ABC: of broken contracts, and of another behaviour. */
const driftWeights = { contracts: 0.6, behaviour: 0.4 } as const;

/** How often something was done, by its name. */
export type Behaviour = ReadonlyMap<string, number>;

/** How far a candidate has drifted from a release: 0 where it keeps all contracts and does the same things as often, 1 at the most. */
export function drift(keptShare: number, own: Behaviour, reference: Behaviour): number {
  const { contracts, behaviour } = driftWeights;
  return contracts * (1 - keptShare) + behaviour * divergence(own, reference);
}

/** Jensen and Shannon's divergence of two distributions, in bits: 0 for equal ones, 1 for such that share nothing. */
export function divergence(left: Behaviour, right: Behaviour): number {
  const [p, q] = [left, right].map(shares) as [Map<string, number>, Map<string, number>];
  if (p.size === 0 || q.size === 0) return 0;
  let sum = 0;
  for (const name of new Set([...p.keys(), ...q.keys()])) {
    const [a, b] = [p.get(name) ?? 0, q.get(name) ?? 0];
    const middle = (a + b) / 2;
    for (const share of [a, b]) if (share > 0) sum += (share / 2) * Math.log2(share / middle);
  }
  return Math.max(0, Math.min(1, sum));
}

function shares(counts: Behaviour): Map<string, number> {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return new Map([...counts].map(([name, count]) => [name, count / all]));
}
