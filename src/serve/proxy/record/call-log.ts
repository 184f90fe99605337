import type { Clock } from '../../../core/clock.ts';
import { veil, type Redactor } from '../../../models/secrets/redactor.ts';
import { cleanQuestion } from '../redact/body.ts';
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
  readonly about: Pick<AskLine, 'dialect' | 'endpoint' | 'fault' | 'owner'>;
  readonly body: Buffer;
  /** Keys are not written down, even when the server repeats them. */
  readonly redactor: Redactor;
}

export function createCallLog({ sessions, clock, place, about, body, redactor }: CallLogOptions): CallLog {
  const arrived = clock.now();
  let [isAsked, isAnswered] = [false, false];
  let isKeyAsked = false;
  const ask = (): void => {
    if (isAsked) return;
    const sent = body.toString('utf8');
    const kept = cleanQuestion(sent, redactor) ?? veil;
    isKeyAsked = kept !== sent;
    sessions.write({ kind: 'ask', ...place, time: arrived, ...about, body: kept });
    isAsked = true;
  };
  return {
    ask,
    answer({ status = null, reply = null, partial = null, cut = false, problem = null }) {
      if (isAnswered) return;
      ask();
      const said = cleanEnding({ reply, partial, problem }, redactor, isKeyAsked);
      sessions.write({ kind: 'answer', ...place, time: clock.now(), status, cut, ...said });
      isAnswered = true;
    },
  };
}

type Said = Pick<AnswerLine, 'reply' | 'partial' | 'problem'>;

/** What was said, after every escape of the wire was undone. */
function cleanEnding(said: Said, redactor: Redactor, isKeyAsked: boolean): Said {
  const { reply } = said;
  const words: Said = { ...said, reply: reply === null ? null : { ...reply, tokens: null } };
  const told = redactor.json(words);
  if (told === null) return { reply: null, partial: null, problem: 'The answer spells a key and is not recorded.' };
  // Token ids would spell what was taken out of the text.
  if (reply === null || isKeyAsked || told !== words) return told;
  return said;
}
