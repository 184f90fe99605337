import { createRandom } from '../../../core/random.ts';
import { wilson, type Interval } from '../../stats.ts';
import type { Annotation, ForkWorld, Signal } from '../signal.ts';

/** Continuations from every state. */
const tries = 8;

/** Monte-Carlo process reward: the share of continuations that pass after a step, less the share before it. */
export const monteCarlo: Signal = {
  name: 'monte-carlo',
  about: 'How much a step raises the share of continuations that pass: eight forks from every state, with intervals.',
  labels: { value: 'step', reward: 'step', start: 'episode' },
  needsForks: true,
  annotate: () => [],
  async forks({ tree, end, head }, world) {
    const said: Annotation[] = [];
    const start = await estimate(world, 0, `${head.key} 0`);
    said.push({ node: null, label: 'start', value: start.rate, note: intervalText(start) });
    let before = start;
    for (const { id } of tree.path(end.leaf)) {
      const after = await estimate(world, id, `${head.key} ${id}`);
      said.push({ node: id, label: 'value', value: after.rate, note: intervalText(after) });
      said.push({ node: id, label: 'reward', value: after.rate - before.rate });
      before = after;
    }
    return said;
  },
};

interface PassRate {
  readonly rate: number;
  readonly passed: number;
  readonly n: number;
  readonly interval: Interval;
}

/** How often a continuation from this state passes. An episode that has ended is continued by nothing: its verdict counts. */
async function estimate(world: ForkWorld, node: number, seed: string): Promise<PassRate> {
  const ended = world.at(node);
  if (ended.ended() !== null) {
    const passed = ended.verify().pass ? 1 : 0;
    return { rate: passed, passed, n: 1, interval: { low: passed, high: passed } };
  }
  let passed = 0;
  for (let attempt = 0; attempt < tries; attempt++)
    passed += Number(await world.continueFrom(world.at(node), createRandom(`${seed} ${attempt}`)));
  return { rate: passed / tries, passed, n: tries, interval: wilson(passed, tries) };
}

function intervalText({ passed, n, interval }: PassRate): string {
  return `${passed} of ${n} continuations pass (${interval.low.toFixed(2)} to ${interval.high.toFixed(2)})`;
}
