import { HttpError } from '../http.ts';
import { digestOf, type ModelResponse } from './model-response.ts';

const longestId = 255;

/** Names a `/step` for the journal: the id that its retries have, too, and a digest of its calls. Null without such an id. */
export function stepRequest(id: unknown, response: ModelResponse): string | null {
  return typeof id === 'string' && id.length <= longestId ? `${digestOf(response)} ${id}` : null;
}

/** Whether two requests have one id and other calls. */
export function isOtherTry(one: string, other: string): boolean {
  const id = idIn(one);
  return one !== other && id !== null && id === idIn(other);
}

/** Null of what is no step, such as `verify`. */
function idIn(request: string): string | null {
  const space = request.indexOf(' ');
  return space < 0 ? null : request.slice(space + 1);
}

export function otherCalls(): HttpError {
  return new HttpError(409, 'The last step had the same _ng_step_request_id and other calls. Send a new id.');
}
