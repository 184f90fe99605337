import { describeAction, type Action } from '../../core/action.ts';
import type { ChatRequest } from '../../core/chat/chat.ts';
import { toolCallOf } from '../../core/episode/action-tools.ts';
import type { Awaitable } from '../../core/contracts.ts';
import type { ShownSituation } from '../../models/prompt/read-situation.ts';
import type { Random } from '../../core/random.ts';
import { offeredTools, writeAction } from './write-action.ts';
import { readSituation } from './situation.ts';
import { RefusedError, type ServedAnswer, type ServedPolicy } from './served-policy.ts';

interface Choice {
  readonly action: Action;
  readonly logprob: number;
}

/** A policy that scores every action it could take. */
type ScoreActions = (inquiry: {
  readonly situation: ShownSituation;
  readonly temperature: number;
  readonly random: Random;
  allows(action: Action): boolean;
}) => Awaitable<{ readonly taken: Choice; readonly choices: readonly Choice[] } | null>;

export interface ServedStudentOptions extends Pick<ServedPolicy, 'id' | 'version'> {
  readonly weigh: ScoreActions;
}

/** A student for any client: everything it needs is in the chat. */
export function createServedStudent({ id, version, weigh }: ServedStudentOptions): ServedPolicy {
  return {
    id,
    version,
    async answer({ chat, question, random }): Promise<ServedAnswer> {
      if (question !== null && question.question !== 'act') throw notATeacher(id, question.question);
      const temperature = readTemperature(chat);
      const situation = readSituation(chat.messages);
      const offered = offeredTools(chat);
      const allows = (action: Action): boolean => offered === null || offered.has(toolCallOf(action).name);
      const odds = await weigh({ situation, temperature, random, allows });
      if (odds === null) throw nothingToDo(offered);
      const { taken, choices } = odds;
      const likely = ({ action, logprob }: Choice) => ({ text: describeAction(action), logprob });
      return {
        says: writeAction(taken.action, offered),
        odds: { said: likely(taken), all: choices.map(likely) },
      };
    },
  };
}

const defaultTemperature = 1;
/** Smaller probabilities underflow. */
const coldest = 1e-3;

/** Unsupported parts of a request are refused, never ignored. */
function readTemperature({ sampling: { temperature = defaultTemperature, topP = 1 }, format }: ChatRequest): number {
  if (format !== undefined) throw new RefusedError('response_format: this policy answers with actions only.');
  if (topP < 1) throw new RefusedError('top_p: this policy draws from all that it could do. Leave it out, or send 1.');
  if (temperature === 0 || temperature >= coldest) return temperature;
  throw new RefusedError(`temperature: expected 0, which takes the likeliest action, or at least ${coldest}.`);
}

function notATeacher(id: string, question: string): RefusedError {
  return new RefusedError(`The policy "${id}" acts, and does not ${question}. Ask a planner.`);
}

function nothingToDo(offered: ReadonlySet<string> | null): RefusedError {
  const came = offered === null || offered.size === 0 ? 'none' : [...offered].join(', ');
  return new RefusedError(
    `tools: nothing that this policy could do on this screen is among the tools on offer (${came}). Expected click, fill, select and finish.`,
  );
}
