import type { Signal } from '../signal.ts';
import { localise } from '../localise.ts';
import { signsOf, type SignKind } from './signs.ts';

/** Module and type of the AgentDebug taxonomy that a sign stands for. */
const types: Readonly<Record<SignKind, string>> = {
  'invalid-action': 'action.invalid_action',
  'outside-role': 'action.misalignment',
  'bad-parameter': 'action.parameter_error',
  'impossible-action': 'planning.impossible_action',
  'unseen-value': 'memory.hallucination',
  'off-target': 'planning.constraint_ignorance',
  ambiguous: 'action.misalignment',
  'no-effect': 'planning.inefficient_plan',
  'leads-back': 'planning.inefficient_plan',
  forgotten: 'memory.memory_retrieval_failure',
  repeat: 'planning.inefficient_plan',
  'ignored-refusal': 'reflection.outcome_misinterpretation',
  'contradicts-thought': 'action.misalignment',
  'withheld-answer': 'memory.over_simplification',
  'wrong-answer': 'reflection.outcome_misinterpretation',
  'gave-up': 'reflection.causal_misattribution',
  'no-verification': 'reflection.progress_misjudge',
  'wrong-verification': 'reflection.outcome_misinterpretation',
  'no-termination': 'system.step_limit',
};

/** At the first step there is nothing to remember or to reflect on yet. */
const atFirstStep: Readonly<Record<string, string>> = {
  memory: 'action.parameter_error',
  reflection: 'planning.impossible_action',
};

/** What broke outside of the agent, by the boundary that the record names. */
const system: Readonly<Record<string, string>> = {
  environment: 'system.environment_error',
  policy: 'system.llm_limit',
  budget: 'system.llm_limit',
  verifier: 'system.tool_execution_error',
};

/** AgentDebug: errors by module, and the earliest one whose correction would save the episode. */
export const agentDebug: Signal = {
  name: 'agent-debug',
  version: 3,
  about: 'AgentDebug: errors of memory, reflection, planning, action and system, and the earliest critical step.',
  labels: {
    ...Object.fromEntries([...Object.values(types), ...Object.values(system)].map(type => [type, 'step' as const])),
    critical: 'step',
  },
  *annotate(episode, trace) {
    const { end } = episode;
    if (end.outcome === 'errored') {
      yield { node: null, label: system[end.boundary ?? ''] ?? 'system.environment_error' };
      return;
    }
    if (trace.passed === true) return;
    const first = trace.main[0]?.id;
    for (const { node, kind, note } of signsOf(episode, trace)) {
      const type = types[kind];
      const module = type.slice(0, type.indexOf('.'));
      yield { node, label: node === first ? (atFirstStep[module] ?? type) : type, note };
    }
    const found = localise(episode, undefined, trace);
    if (found === null || found.node === null) return;
    const sure = found.confidence === undefined ? '' : ` (${Math.round(found.confidence * 100)} %)`;
    yield { node: found.node, label: 'critical', note: `a guess from the record${sure}: ${found.reason}` };
  },
  *forks(episode, world) {
    const found = localise(episode, world);
    // Where forks decide nothing, the guess stands alone.
    if (found?.by === 'forks' && found.node !== null)
      yield {
        node: found.node,
        label: criticalByForks.label,
        value: criticalByForks.value,
        note: `tried by forks: ${found.reason}`,
      };
  },
};

/** How the step is annotated that forks found: the guess has no value. */
export const criticalByForks = { signal: 'agent-debug', label: 'critical', value: 1 } as const;
