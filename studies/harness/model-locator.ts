import {
  harnessComponents,
  type HarnessComponent,
  type HarnessEvidence,
} from '../../src/analysis/harness/locate-fault.ts';
import { findObjects } from '../../src/core/chat/answer-json.ts';
import type { ChatRequest } from '../../src/core/chat/chat.ts';
import { fence } from '../../src/core/chat/fence.ts';
import type { Model } from '../../src/core/chat/model.ts';
import type { StoredEpisode } from '../../src/core/episode/journal.ts';

/** Failed episodes of each harness that a model reads. */
const mostEpisodes = 6;

const about: Readonly<Record<HarnessComponent, string>> = {
  prompt: 'what the agent is told: the instruction is cut or wrong',
  tool: 'what carries out its steps: one kind of step does not work',
  memory: 'what it remembers of the steps before',
  parser: 'what reads its answers: some are misread',
  budget: 'how many steps it may take',
};

const format: NonNullable<ChatRequest['format']> = {
  name: 'ranking',
  schema: {
    type: 'object',
    properties: {
      reason: { type: 'string', description: 'What the traces show, in a sentence.' },
      ranked: {
        type: 'array',
        items: { type: 'string', enum: [...harnessComponents] },
        description: 'Every component once, the likeliest fault first.',
      },
    },
    required: ['reason', 'ranked'],
    additionalProperties: false,
  },
};

/** Lets a model rank the components by the same traces that our votes are taken from; null where its answer is no ranking. */
export async function locateByModel(
  model: Model,
  evidence: HarnessEvidence,
  signal: AbortSignal,
): Promise<readonly HarnessComponent[] | null> {
  const { reply } = await model.complete({ messages: messagesFor(evidence), format, sampling: {} }, signal);
  return readRanking(reply.message.content);
}

function messagesFor({ suspect, healthy }: HarnessEvidence): ChatRequest['messages'] {
  const parts = harnessComponents.map(component => `- ${component}: ${about[component]}`).join('\n');
  const system = [
    'Agents act on screens through a harness. One of its components is broken:',
    parts,
    'You see episodes of the broken harness, and of the same one while it worked, on the same tasks.',
    'Answer with JSON: {"reason": "…", "ranked": [every component once, the likeliest fault first]}.',
  ].join('\n');
  const content = `Broken: ${toldOf(suspect)}\n\nWorking: ${toldOf(healthy)}`;
  return [
    { role: 'system', content: system },
    { role: 'user', content: [{ type: 'text', text: content }] },
  ];
}

/** How many passed, and some that failed, step by step. */
function toldOf(episodes: readonly StoredEpisode[]): string {
  const failed = episodes.filter(({ end }) => end.outcome !== 'passed');
  const traces = failed.slice(0, mostEpisodes).map(traceOf).join('\n');
  return `${episodes.length - failed.length} of ${episodes.length} passed.\n${traces}`;
}

function traceOf({ head, events, end }: StoredEpisode): string {
  const steps = events.flatMap(event => {
    if (event.kind !== 'step') return [];
    const { applied, problem } = event.node.outcome;
    return [`${event.text}${applied && problem === undefined ? '' : ` (refused: ${problem?.message ?? ''})`}`];
  });
  return fence('done', [`Task: ${head.task.instruction}`, ...steps, `Ended: ${end.reason ?? end.outcome}`].join('\n'));
}

function readRanking(text: string): readonly HarnessComponent[] | null {
  const ranked = findObjects(text).at(-1)?.value['ranked'];
  if (!Array.isArray(ranked)) return null;
  const named = harnessComponents.filter(component => ranked.includes(component));
  const isWhole = named.length === harnessComponents.length && ranked.length === harnessComponents.length;
  return isWhole ? (ranked as readonly HarnessComponent[]) : null;
}
