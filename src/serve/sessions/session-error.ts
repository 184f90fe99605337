/** Why a request of a client cannot be done. The codecs of protocols say it in their own way. */
export type SessionErrorKind = 'no-session' | 'capacity' | 'factory' | 'forbidden' | 'invalid' | 'unsaved';

export class SessionError extends Error {
  readonly kind: SessionErrorKind;
  /** Further members of the answer. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(kind: SessionErrorKind, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'SessionError';
    this.kind = kind;
    this.details = details;
  }
}

/** The disk is full, say: the session is as it was asked to be, but a restart may lose that. */
export function notSaved(): SessionError {
  return new SessionError(
    'unsaved',
    'The server cannot write to its disk. The request may have been done, but it is not saved. Make room on the disk of the server, then look where the session stands before you send the request again.',
  );
}

export function noSession(id: string | null): SessionError {
  return id === null
    ? new SessionError('no-session', 'No episode is open here. Send reset first.')
    : new SessionError('no-session', `There is no session "${id.slice(0, 80)}": it has ended. Open another one.`);
}
