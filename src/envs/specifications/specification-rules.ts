import type { ToolInfo } from '../../core/contracts.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { CheckResult, Ending, Verdict } from '../../core/records.ts';
import type { UiNode } from '../../core/ui.ts';
import { createMemory } from '../../worlds/app/memory.ts';
import { lastTryScreen } from '../../worlds/rules/last-try-screen.ts';
import { refusal, type Move, type Rules } from '../../worlds/rules/rule-session.ts';
import { answerVerdict } from '../../worlds/verdict/answer-verdict.ts';
import { fencedBlock } from '../../worlds/verdict/fenced-block.ts';
import { referenceOf } from './described-function.ts';
import { judgeSpecification, specificationLimits, type Judged, type Pair } from './judge.ts';
import { examplesOf, hiddenPairs, type Specified } from './pairs.ts';

export type SpecificationState = {
  /** The specification that was tried last, and what it made of the examples. */
  readonly last: { readonly specification: string; readonly result: string } | null;
};

export const specificationTools: readonly ToolInfo[] = [
  {
    name: 'try_specification',
    description: 'Says what a specification makes of the examples of the task.',
    input: {
      type: 'object',
      properties: { specification: { type: 'string', minLength: 1, maxLength: specificationLimits.source } },
      required: ['specification'],
      additionalProperties: false,
    },
  },
];

const rememberedVerdicts = 64;

/** The rules of one function: specifications are tried on the examples, and the answer is judged on hidden pairs. */
export function specificationRules(specified: Specified): Omit<Rules<SpecificationState>, 'task' | 'digest'> {
  let made: readonly Pair[] | null = null;
  const hidden = (): readonly Pair[] => (made ??= hiddenPairs(specified));
  const remember = createMemory<CheckResult[]>(rememberedVerdicts);
  const verdict = (ending: Ending | null): Verdict => {
    const source = sourceIn(ending?.answer ?? '');
    return answerVerdict(
      ending,
      remember(source, () => checksOf(judgeSpecification(source, hidden()), hidden())),
    );
  };
  const reference = referenceOf(specified.described, specified.parameters);
  return {
    initial: { last: null },
    call: (state, tool, input) => called({ state, tool, input }, () => examplesOf(specified)),
    screen,
    candidates: () => [],
    verdict: (_state, ending) => verdict(ending),
    guide: () => ({ unmet: 0, unmetChecks: 0, clean: true, finish: { kind: 'finish', answer: reference } }),
  };
}

/** A specification that says the same of everything is called neither complete nor sound: it knows nothing of the function. */
function checksOf({ fault, rejected, accepted, isConstant }: Judged, pairs: readonly Pair[]): CheckResult[] {
  const right = pairs.filter(({ isRight }) => isRight).length;
  const tells = fault === null && !isConstant;
  return [
    {
      id: 'specification-runs',
      name: `the specification says true or false of every pair${fault === null ? '' : ` (${fault})`}`,
      pass: fault === null,
    },
    {
      id: 'complete',
      name: `it accepts every right output${tells ? ` (it rejects ${rejected} of ${right})` : ''}`,
      pass: tells && rejected === 0,
    },
    {
      id: 'sound',
      name: `it rejects every wrong output${tells ? ` (it accepts ${accepted} of ${pairs.length - right})` : ''}`,
      pass: tells && accepted === 0,
    },
  ];
}

interface Call {
  readonly state: SpecificationState;
  readonly tool: string;
  readonly input: JsonObject;
}

function called({ state, tool, input }: Call, examples: () => readonly Pair[]): Move<SpecificationState> {
  if (tool !== 'try_specification')
    return { state, outcome: refusal('unknown-command', `There is no tool "${tool}".`) };
  const { specification, ...more } = input;
  const isRead = typeof specification === 'string' && specification.trim() !== '' && Object.keys(more).length === 0;
  if (!isRead || specification.length > specificationLimits.source) {
    const message = `Expected a specification of 1 to ${specificationLimits.source} characters.`;
    return { state, outcome: refusal('not-allowed', message) };
  }
  const result = tried(sourceIn(specification), examples());
  return { state: { last: { specification, result } }, outcome: { applied: true, result } };
}

function tried(source: string, examples: readonly Pair[]): string {
  const lines = examples.map(pair => {
    const { fault, rejected, accepted } = judgeSpecification(source, [pair]);
    const wrong = pair.isRight ? 'rejects this right output' : 'accepts this wrong output';
    return `${pairText(pair)}: ${fault ?? (rejected + accepted === 0 ? 'as it should be' : wrong)}`;
  });
  return lines.join('\n');
}

export function pairText({ input, output }: { readonly input: Json; readonly output: Json }): string {
  return `input ${JSON.stringify(input)}, output ${JSON.stringify(output)}`;
}

/** The specification in an answer: a fenced block, or the whole. */
function sourceIn(answer: string): string {
  return (fencedBlock(answer)?.text ?? answer).trim();
}

function screen({ last }: SpecificationState): UiNode {
  if (last === null) return { role: 'page', name: 'No specification was tried yet' };
  return lastTryScreen({ what: 'specification', text: last.specification, result: last.result });
}
