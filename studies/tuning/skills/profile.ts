import type { Bottleneck, Knob } from '../knobs.ts';
import type { Observed, Profile, Skill } from './skill.ts';

/** Shares and times from which on something is taken for a bottleneck. */
const thresholds = { logWaits: 0.2, readShare: 0.05, slowMilliseconds: 5 };

/** Runs the workload once as it is, and keeps the knobs that can help against what it waited for. */
export const profile: Skill<readonly Knob[], Profile> = {
  name: 'profile',
  refuses: knobs => (knobs.length === 0 ? 'this version has none of the knobs' : null),
  async run(bench, knobs) {
    const observed = await bench.observe();
    const bottlenecks = bottlenecksOf(observed);
    return { bottlenecks, observed, knobs: knobs.filter(({ against }) => bottlenecks.includes(against)) };
  },
};

/** What the load waited for. Where nothing stands out, plans are what is left. */
export function bottlenecksOf({ logWaits, temporaryBytes, readShare, milliseconds }: Observed): Bottleneck[] {
  const found: Bottleneck[] = [];
  if (logWaits >= thresholds.logWaits) found.push('commits');
  if (temporaryBytes > 0) found.push('memory');
  if (readShare >= thresholds.readShare) found.push('reads');
  if (milliseconds >= thresholds.slowMilliseconds && !found.includes('commits')) found.push('plans');
  return found.length === 0 ? ['plans'] : found;
}
