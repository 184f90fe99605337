import type { ModelCall, RecordCall } from '../../core/chat/model.ts';
import type { Decision } from '../../core/episode/agents.ts';
import type { Semaphore } from '../../core/semaphore.ts';
import type { Budget } from '../cursor/budget.ts';
import type { Guard, Responder } from '../cursor/deadline.ts';
import { createCallRecorder } from './call-recorder.ts';
import type { Turns } from '../cursor/turns.ts';
import type { QuestionOrder } from './question-order.ts';

export interface AskingOptions {
  readonly guard: Guard;
  readonly budget: Budget;
  readonly order: QuestionOrder;
  /** Left out, questions wait for none of other episodes. */
  readonly slots?: Semaphore | undefined;
  /** Left out, answers that are there at once follow each other without a pause. */
  readonly turns?: Turns | undefined;
}

interface AgentQuestion<T> {
  readonly party: Responder;
  ask(recordCall: RecordCall): T | Promise<T>;
  /** Writes down what a model was asked, before anything is made of its answer. */
  record(call: ModelCall): void;
}

export type AskAgent = <T>(question: AgentQuestion<T>) => Promise<T>;

/** Asks agents: with a deadline, within the budget, and with everything they asked models in the journal. */
export function createAskAgent({ guard, budget, order, slots, turns }: AskingOptions): AskAgent {
  return async <T>({ party, ask, record }: AgentQuestion<T>): Promise<T> => {
    budget.requireMeans();
    const turn = order.enter();
    const held: ModelCall[] = [];
    const write = (): void => {
      for (const call of held.splice(0)) record(call);
    };
    const recorder = createCallRecorder(party, call => {
      held.push(call);
      if (turn.isFirst()) write();
    });
    const answered = async (): Promise<T> => {
      const slot = slots?.enter() ?? null;
      if (slot !== null) await slot;
      if (turns !== undefined) for (let pause = turns.pause(); pause !== null; pause = turns.pause()) await pause;
      try {
        return await guard(party, () => ask(recorder.recordCall));
      } finally {
        slots?.leave();
      }
    };
    const close = async (price: () => Pick<Decision, 'cost' | 'tokens'>): Promise<void> => {
      if (!turn.isFirst()) await turn.first();
      write();
      budget.charge(price());
      recorder.close();
    };
    try {
      let answer: T;
      try {
        answer = await answered();
      } catch (cause) {
        await close(() => priceOfCalls(recorder.calls));
        throw cause;
      }
      // An answer that is no use has its price as well.
      await close(() => priceOf(answer));
      return answer;
    } finally {
      turn.leave();
    }
  };
}

function priceOfCalls(calls: readonly ModelCall[]): Pick<Decision, 'cost' | 'tokens'> {
  const used = calls.map(({ reply }) => (reply.usage?.prompt ?? 0) + (reply.usage?.completion ?? 0));
  return {
    cost: calls.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
    tokens: used.reduce((sum, tokens) => sum + tokens, 0),
  };
}

/** What an answer says that it cost, also when the rest of it is no use. */
export function priceOf(answer: unknown): Pick<Decision, 'cost' | 'tokens'> {
  if (typeof answer !== 'object' || answer === null) return {};
  const { tokens, cost } = answer as Partial<Record<keyof Decision, unknown>>;
  return {
    ...(tokens !== undefined && isTokens(tokens) ? { tokens } : {}),
    ...(cost !== undefined && isPrice(cost) ? { cost } : {}),
  };
}

export function isPrice(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === 'number' && Number.isFinite(value) && value >= 0);
}

export function isTokens(value: unknown): value is number | undefined {
  return value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0);
}
