import type { GroupAnnotation, GroupMember, GroupPart, Signal } from '../signal.ts';

export interface Trial {
  readonly episode: string;
  /** Classes of its steps: what was done and the state after it. */
  readonly nodes: readonly string[];
  readonly passed: boolean;
}

type Profile = Omit<Trial, 'episode'>;

/** A fall of the potential by more than this is a drop that a recovery can follow. */
const drop = 0.1;

/**
 * TopoCurate over the merged trials of a task: recovery, efficiency and diversity of passing trials for supervised training, and
 * how many branches err and how different the passing ones are for reinforcement. The formulas are ours: the authors' are not out.
 */
export const topoCurate: Signal = {
  name: 'topo-curate',
  about:
    'TopoCurate: reflective recovery, semantic efficiency and diversity of trials; error branches and heterogeneity of tasks.',
  labels: {
    recovery: 'episode',
    efficiency: 'episode',
    diversity: 'episode',
    'error-branches': 'group',
    heterogeneity: 'group',
  },
  annotate: () => [],
  group: {
    profile: (_episode, { main, description, passed }): Profile => ({
      nodes: main.map(step => `${description(step)} > ${step.after}`),
      passed: passed === true,
    }),
    compare: members =>
      compare((members as readonly GroupMember<Profile>[]).map(({ episode, profile }) => ({ episode, ...profile }))),
  } satisfies GroupPart,
};

function* compare(trials: readonly Trial[]): Iterable<GroupAnnotation> {
  const graph = mergeTrials(trials);
  for (const trial of trials.filter(({ passed }) => passed)) {
    const said = { episode: trial.episode, node: null } as const;
    yield { ...said, label: 'recovery', value: recoveryOf(trial, graph) };
    if (trial.nodes.length > 0) yield { ...said, label: 'efficiency', value: efficiencyOf(trial, graph) };
    if (trial.nodes.length > 0) yield { ...said, label: 'diversity', value: diversityOf(trial, graph) };
  }
  const group = { episode: null, node: null } as const;
  const errors = errorBranchRatio(graph);
  if (errors !== null) yield { ...group, label: 'error-branches', value: errors };
  const passing = trials.filter(({ passed }) => passed);
  const chains = new Set(passing.map(({ nodes }) => nodes.join('\n')));
  if (passing.length > 0) yield { ...group, label: 'heterogeneity', value: chains.size / passing.length };
}

interface Branch {
  trials: number;
  passed: number;
}

/** Trials merged into one graph. Repeated classes are unfolded by how often they came before, so that there are no cycles. */
export interface TrialGraph {
  /** Share of the trials through a node that passed. */
  potential(node: string): number;
  /** The branches from a node, by where they lead. */
  branches(node: string): ReadonlyMap<string, Branch>;
  readonly sources: readonly string[];
}

const start = 'start';

function unfold(nodes: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return nodes.map(node => {
    const times = (seen.get(node) ?? 0) + 1;
    seen.set(node, times);
    return `${node} #${times}`;
  });
}

export function mergeTrials(trials: readonly Trial[]): TrialGraph {
  const through = new Map<string, Branch>();
  const edges = new Map<string, Map<string, Branch>>();
  const count = (branch: Branch | undefined, passed: boolean): Branch => ({
    trials: (branch?.trials ?? 0) + 1,
    passed: (branch?.passed ?? 0) + Number(passed),
  });
  for (const { nodes, passed } of trials) {
    let from = start;
    for (const node of [start, ...unfold(nodes)]) {
      through.set(node, count(through.get(node), passed));
      if (node === start) continue;
      const out = edges.get(from) ?? new Map<string, Branch>();
      out.set(node, count(out.get(node), passed));
      edges.set(from, out);
      from = node;
    }
  }
  return {
    potential: node => {
      const { trials: all, passed } = through.get(node) ?? { trials: 0, passed: 0 };
      return all === 0 ? 0 : passed / all;
    },
    branches: node => edges.get(node) ?? new Map(),
    sources: [...edges.keys()],
  };
}

/** How much the potential rose again after it had fallen. */
export function recoveryOf({ nodes }: Trial, { potential }: TrialGraph): number {
  const values = [start, ...unfold(nodes)].map(potential);
  let sum = 0;
  for (let at = 1; at + 1 < values.length; at++) {
    const [before, here, next] = [values[at - 1], values[at], values[at + 1]] as [number, number, number];
    if (here < before - drop) sum += Math.max(0, next - here);
  }
  return sum;
}

/** Length of the shortest way to where the trial ended, as a share of its own. */
export function efficiencyOf({ nodes }: Trial, { branches }: TrialGraph): number {
  const goal = nodes.at(-1);
  let front = [start];
  const seen = new Set(front);
  for (let length = 1; front.length > 0; length++) {
    const next = front.flatMap(node => [...branches(node).keys()]).filter(node => !seen.has(node));
    if (next.some(node => node.slice(0, node.lastIndexOf(' #')) === goal)) return length / nodes.length;
    for (const node of next) seen.add(node);
    front = [...new Set(next)];
  }
  return 1;
}

/** How unusual the branches are that a trial took, among those of passing trials. */
export function diversityOf({ nodes }: Trial, { branches }: TrialGraph): number {
  let sum = 0;
  let from = start;
  for (const node of unfold(nodes)) {
    const out = branches(from);
    const passing = [...out.values()].reduce((total, { passed }) => total + passed, 0);
    if (out.size > 1) sum -= Math.log((out.get(node)?.passed as number) / passing);
    from = node;
  }
  return sum / nodes.length;
}

/** Share of the branches at decisions that no passing trial took; null when there is no decision. */
export function errorBranchRatio({ branches, sources }: TrialGraph): number | null {
  const all = sources
    .map(branches)
    .filter(({ size }) => size > 1)
    .flatMap(out => [...out.values()]);
  return all.length === 0 ? null : all.filter(({ passed }) => passed === 0).length / all.length;
}
