import type { Action } from '../core/action.ts';
import type { Decision, OrdinaryPolicy } from '../core/episode/agents.ts';
import { screenActions, textsIn } from '../core/episode/screen-actions.ts';
import { describeStep, type View } from '../core/episode/view.ts';
import { headingOn } from './heading.ts';
import type { NewItem } from './item.ts';
import type { Memory, MemorySituation } from './memory.ts';
import { generalLine, literalsOf, withLiterals, withSlots } from './slots.ts';

export interface RememberingOptions {
  readonly policy: OrdinaryPolicy;
  readonly memory: Memory;
  /** Whether the policy reads texts beside its task: notes are told to it. */
  readonly tells: boolean;
  /** Tokens of what it is told. */
  readonly tokens?: number;
}

/** Least probability of an action that an exemplar may prefer. */
const leastPrior = 0.05;

/** A policy that reads a memory: a skill is carried out, a guardrail keeps it from a step, an exemplar prefers one, notes are told. */
export function createRememberingPolicy(options: RememberingOptions): OrdinaryPolicy {
  const { policy, memory, tells, tokens = 300 } = options;
  const kinds = new Set(memory.items.filter(({ retired }) => retired === null).map(({ content }) => content.kind));
  return {
    name: `${policy.name} with memory ${memory.version}`,
    ...(policy.patient === undefined ? {} : { patient: policy.patient }),
    async act(view) {
      const literals = literalsOf(view.instruction);
      const screen = view.observation.text;
      const heading = withSlots(headingOn(screen), literals);
      const situation: MemorySituation = {
        environment: null,
        instruction: withSlots(view.instruction, literals),
        heading,
      };
      const action = kinds.has('skill') ? skilled(memory, situation, { view, literals }) : null;
      if (action !== null) return { action, prior: 1, confidence: 1, thought: 'a skill from memory' };
      const notes = tells ? memory.read(situation, { most: 3, tokens, kinds: ['note'] }) : [];
      const told = notes.map(({ content }) => withLiterals(content.text, literals) ?? content.text);
      const instruction =
        told.length === 0 ? view.instruction : `${view.instruction}\n\nFrom memory: ${told.join(' ')}`;
      const decision = await policy.act({ ...view, instruction });
      return preferred(decision, { memory, situation, screen, literals, kinds });
    },
  };
}

interface Here {
  readonly view: View;
  readonly literals: readonly string[];
}

/** The next step of a skill for this task; null when there is none, the way has left it, or the screen does not offer it. */
function skilled(memory: Memory, { instruction }: MemorySituation, { view, literals }: Here): Action | null {
  const skill = memory.items.find(
    ({ content, retired }) => retired === null && content.kind === 'skill' && content.pattern === instruction,
  );
  if (skill === undefined || skill.content.kind !== 'skill') return null;
  const { lines } = skill.content;
  const isOnWay = view.history.every((line, at) => generalLine(line, literals) === lines[at]);
  const next = lines[view.history.length];
  return !isOnWay || next === undefined ? null : offered(next, { view, literals });
}

/** The one action on the screen that a line describes; null when there is none, or several. */
function offered(line: string, { view: { instruction, observation }, literals }: Here): Action | null {
  const actions: Action[] = [...screenActions(observation.text, textsIn(instruction)), { kind: 'finish' }];
  const fitting = actions.filter(action => generalLine(describeStep(action, observation.text), literals) === line);
  return fitting.length === 1 ? (fitting[0] as Action) : null;
}

interface Preference {
  readonly memory: Memory;
  readonly situation: MemorySituation;
  readonly screen: string;
  readonly literals: readonly string[];
  readonly kinds: ReadonlySet<NewItem['kind']>;
}

function preferred(decision: Decision, { memory, situation, screen, literals, kinds }: Preference): Decision {
  if (decision.action === null) return decision;
  const { alternatives = [] } = decision;
  const lineOf = (action: Action): string => generalLine(describeStep(action, screen), literals);
  const linesIn = (kind: 'guardrail' | 'exemplar', most: number): Set<string> => {
    if (!kinds.has(kind)) return new Set();
    const items = memory.read(situation, { most, tokens: 2000, kinds: [kind] });
    return new Set(
      items.flatMap(({ content }) =>
        content.kind === kind && content.heading === situation.heading ? [content.line] : [],
      ),
    );
  };
  const [blocked, shown] = [linesIn('guardrail', 12), linesIn('exemplar', 4)];
  const weighed = [{ action: decision.action, prior: decision.prior ?? 1 }, ...alternatives].filter(
    ({ action }) => !blocked.has(lineOf(action)),
  );
  const right = weighed.find(({ action, prior }) => prior >= leastPrior && shown.has(lineOf(action))) ?? weighed[0];
  if (right === undefined || right.action === decision.action) return decision;
  return { ...decision, action: right.action, prior: right.prior };
}
