import { modelCallSchema, type ModelCall, type RecordCall } from '../../core/chat/model.ts';
import { EspalierError } from '../../core/errors.ts';
import { describeIssues } from '../../core/records.ts';
import type { Responder } from '../cursor/deadline.ts';

/** Takes what an agent asked models for one question. */
export interface CallRecorder {
  /** Never throws into the agent: what is wrong is thrown by `close`. */
  readonly recordCall: RecordCall;
  /** What was recorded. */
  readonly calls: readonly ModelCall[];
  /** The question is answered, or was given up: what comes later is not recorded. Throws what went wrong on the way. */
  close(): void;
}

export function createCallRecorder(party: Responder, keep: (call: ModelCall) => void): CallRecorder {
  const calls: ModelCall[] = [];
  let isOpen = true;
  let problem: unknown = null;
  const take = (call: unknown): void => {
    const parsed = modelCallSchema.safeParse(call);
    if (!parsed.success) throw notACall(party, describeIssues(parsed.error));
    keep(parsed.data);
    calls.push(parsed.data);
  };
  return {
    calls,
    recordCall(call) {
      if (!isOpen || problem !== null) return;
      try {
        take(call);
      } catch (cause) {
        problem = cause;
      }
    },
    close() {
      isOpen = false;
      if (problem !== null) throw problem;
    },
  };
}

function notACall({ boundary, who }: Responder, issues: string): EspalierError {
  return new EspalierError({
    boundary,
    code: 'out-of-range',
    message: `${who} recorded a call that is none: ${issues}.`,
    expected: 'Expected the whole exchange with a model.',
  });
}
