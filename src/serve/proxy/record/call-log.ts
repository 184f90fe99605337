import { redact, redactJson } from '../../../core/chat/secrets.ts';
import type { Clock } from '../../../core/clock.ts';
import type { AnswerLine, AskLine, CallPlace } from './call-record.ts';
import type { SessionFiles } from '../sessions.ts';

/** How a call ended. What is left out is null, or false. */
type Ending = Partial<Pick<AnswerLine, 'status' | 'reply' | 'partial' | 'cut' | 'problem'>>;

/** What is written of one call. */
export interface CallLog {
  /** Records that the call arrived, once. */
  ask(): void;
  /** Records how the call ended; only the first call of this counts. */
  answer(ending: Ending): void;
}

export interface CallLogOptions {
  readonly sessions: SessionFiles;
  readonly clock: Clock;
  readonly place: CallPlace;
  readonly about: Pick<AskLine, 'dialect' | 'endpoint' | 'fault'>;
  readonly body: Buffer;
  /** Not written down, even when the server repeats them. */
  readonly secrets: readonly string[];
}

export function createCallLog({ sessions, clock, place, about, body, secrets }: CallLogOptions): CallLog {
  const arrived = clock.now();
  let [isAsked, isAnswered] = [false, false];
  const ask = (): void => {
    if (isAsked) return;
    sessions.write({ kind: 'ask', ...place, time: arrived, ...about, body: redact(body.toString('utf8'), secrets) });
    isAsked = true;
  };
  return {
    ask,
    answer({ status = null, reply = null, partial = null, cut = false, problem = null }) {
      if (isAnswered) return;
      ask();
      const said = redactJson({ reply, partial, problem }, secrets);
      sessions.write({ kind: 'answer', ...place, time: clock.now(), status, cut, ...said });
      isAnswered = true;
    },
  };
}
