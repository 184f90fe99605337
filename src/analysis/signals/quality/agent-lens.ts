import type { GroupAnnotation, GroupMember, GroupPart, Signal } from '../signal.ts';
import { intentsOf, targetOf, type Intent } from './intents.ts';

interface Profile {
  /** Intent and target of each step. */
  readonly symbols: readonly string[];
  readonly passed: boolean;
  readonly mechanisms: readonly Mechanism[];
}

/** Ways in which a pass can be luck. */
export type Mechanism = 'regression-cycle' | 'blind-retry' | 'missing-verification' | 'temporal-disorder' | 'late-luck';

/** What each mechanism takes off the quality, and the cut-offs of the tiers: definitions of ours. */
const weights: Readonly<Record<Mechanism, number>> = {
  'regression-cycle': 0.3,
  'blind-retry': 0.3,
  'missing-verification': 0.2,
  'temporal-disorder': 0.2,
  'late-luck': 0.3,
};
const solidFrom = 0.5;
const idealFrom = 0.8;
/** A path whose coverage by the other passing runs is below this passed in a way of its own. */
const coveredFrom = 0.3;
/** Passing runs that a task must have before paths are compared. */
const fewestPasses = 2;

/** AgentLens: how a pass came about: lucky, solid or ideal. */
export const agentLens: Signal = {
  name: 'agent-lens',
  version: 2,
  about: 'AgentLens: passes as lucky, solid or ideal, by five mechanisms of luck and the prefix tree of passing runs.',
  labels: {
    'regression-cycle': 'step',
    'blind-retry': 'step',
    'missing-verification': 'episode',
    'temporal-disorder': 'episode',
    'late-luck': 'episode',
    coverage: 'episode',
    quality: 'episode',
    lucky: 'episode',
    tier: 'episode',
  },
  *annotate(_episode, trace) {
    for (const [index, step] of trace.main.entries()) {
      const isBlind = trace.main
        .slice(0, index)
        .some(
          (other, at) =>
            other.before === step.before &&
            trace.description(other) === trace.description(step) &&
            noNews(trace.main, at, index),
        );
      if (isBlind)
        yield {
          node: step.id,
          label: 'blind-retry',
          note: 'the same action in the same state, nothing learned between',
        };
      const isCycle =
        step.after !== step.before &&
        trace.main.slice(0, Math.max(0, index - 1)).some(({ after }) => after === step.after);
      if (isCycle) yield { node: step.id, label: 'regression-cycle', note: 'comes back to a state that was left' };
    }
  },
  group: {
    profile: (_episode, trace): Profile => {
      const intents = intentsOf(trace.main, trace);
      const symbols = trace.main.map((step, index) => `${intents[index]} ${targetOf(trace.description(step)) ?? ''}`);
      return {
        symbols,
        passed: trace.passed === true,
        mechanisms: trace.passed === true ? mechanismsOf(trace.main, intents) : [],
      };
    },
    compare: members => compare(members as readonly GroupMember<Profile>[]),
  } satisfies GroupPart,
};

type Path = readonly { readonly before: string; readonly after: string; readonly action: unknown }[];

/** Whether nothing but stalls lies between two steps. */
function noNews(path: Path, from: number, to: number): boolean {
  return path.slice(from, to).every(({ before, after }) => before === after);
}

/** The mechanisms that a path shows by itself. */
export function mechanismsOf(path: Path, intents: readonly Intent[]): readonly Mechanism[] {
  const found: Mechanism[] = [];
  const states = path.map(({ after }) => after);
  if (states.some((state, at) => states[at - 1] !== state && states.slice(0, Math.max(0, at - 1)).includes(state)))
    found.push('regression-cycle');
  const keys = path.map(({ before, action }) => `${before} ${JSON.stringify(action)}`);
  if (keys.some((key, at) => keys.slice(0, at).some((other, from) => other === key && noNews(path, from, at))))
    found.push('blind-retry');
  const [edited, looked] = [intents.indexOf('implementation'), intents.indexOf('exploration')];
  if (edited >= 0 && intents.lastIndexOf('verification') < intents.lastIndexOf('implementation'))
    found.push('missing-verification');
  if (edited >= 0 && (looked < 0 || looked > edited)) found.push('temporal-disorder');
  return found;
}

function* compare(members: readonly GroupMember<Profile>[]): Iterable<GroupAnnotation> {
  const passing = members.filter(({ profile }) => profile.passed);
  for (const member of passing) {
    const { episode, profile } = member;
    const others = passing.filter(other => other !== member).map(other => other.profile.symbols);
    const coverage = others.length + 1 < fewestPasses ? null : coverageOf(profile.symbols, others);
    const isOwnWay = coverage !== null && coverage < coveredFrom;
    const shown = [...profile.mechanisms, ...(isOwnWay ? (['late-luck'] as const) : [])];
    const mechanisms = isShortestWork(profile.symbols, others) ? shown.filter(name => wasteful.has(name)) : shown;
    const said = { episode, node: null } as const;
    for (const name of mechanisms)
      if (name !== 'regression-cycle' && name !== 'blind-retry') yield { ...said, label: name };
    if (coverage !== null) yield { ...said, label: 'coverage', value: coverage };
    const quality = qualityOf(mechanisms);
    yield { ...said, label: 'quality', value: quality };
    yield { ...said, label: 'lucky', value: Number(quality < solidFrom) };
    yield {
      ...said,
      label: 'tier',
      value: quality < solidFrom ? 0 : quality < idealFrom ? 1 : 2,
      note: tierOf(quality),
    };
  }
}

/** What no run does that takes the shortest way; the other mechanisms only say that a run did not look around. */
const wasteful: ReadonlySet<Mechanism> = new Set(['regression-cycle', 'blind-retry']);

/**
 * Whether a passing run is as short as the shortest one known and changes only what another passing run changes as well.
 * A run that changes nothing may be a guess.
 */
function isShortestWork(symbols: readonly string[], others: readonly (readonly string[])[]): boolean {
  const edits = symbols.filter(symbol => symbol.startsWith('implementation '));
  if (edits.length === 0 || others.length === 0) return false;
  const known = new Set(others.flat());
  return others.every(other => other.length >= symbols.length) && edits.every(edit => known.has(edit));
}

export function qualityOf(mechanisms: readonly Mechanism[]): number {
  return mechanisms.reduce((rest, name) => rest - weights[name], 1);
}

export function tierOf(quality: number): 'lucky' | 'solid' | 'ideal' {
  if (quality < solidFrom) return 'lucky';
  return quality < idealFrom ? 'solid' : 'ideal';
}

/** Share of a path that is a prefix of another passing one: how far the prefix tree of the others accepts it. */
export function coverageOf(symbols: readonly string[], others: readonly (readonly string[])[]): number {
  if (symbols.length === 0) return 1;
  const matched = others.map(other => {
    const parted = symbols.findIndex((symbol, at) => other[at] !== symbol);
    return parted < 0 ? symbols.length : parted;
  });
  return Math.max(0, ...matched) / symbols.length;
}
