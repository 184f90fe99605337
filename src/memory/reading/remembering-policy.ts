import type { Action } from '../../core/action.ts';
import type { Decision, OrdinaryPolicy } from '../../core/episode/agents.ts';
import type { Memory } from '../memory.ts';
import { readHarness } from './harness.ts';
import { createHere, type Advice, type Here, type Reader } from './here.ts';
import { readNotes, toldItems } from './notes.ts';
import { createProgramReader, type RunCode } from './programs.ts';
import { readSkills } from './skills.ts';
import { readExemplars, readGuardrails } from './steps.ts';
import { readTrajectories } from './trajectories.ts';
import { readTransitions } from './transitions.ts';

export interface RememberingOptions {
  readonly policy: OrdinaryPolicy;
  readonly memory: Memory;
  /** Whether the policy reads texts beside its task: notes are told to it. */
  readonly tells: boolean;
  /** Tokens of what it is told. */
  readonly tokens?: number;
  /** `grounded` carries skills out; `guided` only prefers their steps. */
  readonly skills?: 'grounded' | 'guided';
  /** Runs programs of the memory; left out, they are not called. */
  readonly run?: RunCode;
}

/** An item that is fully trusted makes a step e³ = 20 times as likely, or as unlikely. */
const trust = 3;

/** A policy that reads a memory: skills and programs are carried out, guardrails keep it from steps, exemplars prefer some, notes are told. */
export function createRememberingPolicy(options: RememberingOptions): OrdinaryPolicy {
  const { policy, memory, tells, tokens = 300, skills = 'grounded', run } = options;
  const readers: readonly Reader[] = [
    readSkills,
    ...(run === undefined ? [] : [createProgramReader(run)]),
    readTransitions,
    readExemplars,
    readTrajectories,
    readNotes,
    readHarness,
    readGuardrails,
  ];
  return {
    name: `${policy.name} with memory ${memory.version}`,
    ...(policy.patient === undefined ? {} : { patient: policy.patient }),
    async act(view) {
      const here = createHere(memory, view);
      const advice = readers.flatMap(read => read(here)).map(one => asked(one, skills));
      const broken = advice.filter(({ how }) => how === 'broken').map(({ item }) => item);
      const step = carriedOut(advice, here);
      if (step !== null) return { action: step.action, prior: 1, confidence: 1, memory: { used: step.items, broken } };
      const told = tells ? toldItems(memory, here, tokens) : [];
      const notes = told.length === 0 ? {} : { notes: told.map(({ text }) => text).join(' ') };
      const decision = await policy.act({ ...view, ...notes });
      const { chosen, items } = preferred(decision, advice, here);
      const used = [...new Set([...told.map(({ id }) => id), ...items])];
      return used.length + broken.length === 0 ? chosen : { ...chosen, memory: { used, broken } };
    },
  };
}

function asked(advice: Advice, skills: 'grounded' | 'guided'): Advice {
  return advice.how === 'take' && skills === 'guided' ? { ...advice, how: 'prefer' } : advice;
}

/** The step that an item is sure of, the most useful item first. */
function carriedOut(
  advice: readonly Advice[],
  { offered }: Here,
): { readonly action: Action; readonly items: string[] } | null {
  const sure = advice.filter(({ how }) => how === 'take').toSorted((a, b) => b.weight - a.weight);
  for (const { line } of sure) {
    const action = offered(line);
    if (action !== null) return { action, items: sure.filter(one => one.line === line).map(({ item }) => item) };
  }
  return null;
}

interface Preferred {
  readonly chosen: Decision;
  /** Items that spoke for the step that is taken, or against the one that is not. */
  readonly items: readonly string[];
}

function preferred(decision: Decision, advice: readonly Advice[], { lineOf }: Here): Preferred {
  if (decision.action === null || advice.length === 0) return { chosen: decision, items: [] };
  const own = { action: decision.action, prior: decision.prior ?? 1 };
  const weighed = [own, ...(decision.alternatives ?? [])].map(({ action, prior }) => {
    const said = advice.filter(({ line }) => line === lineOf(action));
    const most = (how: Advice['how']): number =>
      Math.max(0, ...said.flatMap(one => (one.how === how ? [one.weight] : [])));
    return { action, prior, said, score: prior * Math.exp(trust * (most('prefer') - most('avoid'))) };
  });
  const best = weighed.reduce((top, one) => (one.score > top.score ? one : top));
  const isOwn = best.action === own.action;
  const spoke = best.said.filter(({ how }) => how === 'prefer');
  const against = isOwn ? [] : (weighed[0]?.said ?? []).filter(({ how }) => how === 'avoid');
  const items = [...spoke, ...against].map(({ item }) => item);
  if (isOwn) return { chosen: decision, items };
  // What the student said of its own choice is not true of this one.
  const { logprob: _logprob, confidence: _confidence, thought: _thought, ...rest } = decision;
  return { chosen: { ...rest, action: best.action, prior: best.prior }, items };
}
