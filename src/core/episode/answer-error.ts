import type { ModelCall } from '../chat/model.ts';
import { EspalierError, type ErrorDetails } from '../errors.ts';

/** An agent has no answer, and asked models on the way: thrown by agents so that what they asked is not lost. */
export class AnswerError extends EspalierError {
  readonly calls: readonly ModelCall[];

  constructor(details: ErrorDetails, calls: readonly ModelCall[]) {
    super(details);
    this.name = 'AnswerError';
    this.calls = calls;
  }
}
