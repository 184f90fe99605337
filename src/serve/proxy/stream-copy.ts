import { StringDecoder } from 'node:string_decoder';
import type { AssistantMessage, ChatDelta, ChatReply } from '../../core/chat/chat.ts';
import { causeText } from '../../core/errors.ts';
import type { Dialect } from '../../models/dialects/dialect.ts';
import { collectReply } from '../../models/dialects/dialects.ts';
import { createEventParser } from '../../models/dialects/events.ts';

/** Parses a copy of a stream that is forwarded. */
export interface StreamCopy {
  /** Takes the next part of the stream. Never throws: parse errors are reported at the end. */
  feed(chunk: Buffer): readonly ChatDelta[];
  /** Whether the last event was the last. */
  isDone(): boolean;
  /** What made the rest unreadable; null when nothing did. */
  fault(): unknown;
  /** The reply when it came whole; otherwise what there is of it, and why there is no more. */
  result(): {
    readonly reply: ChatReply | null;
    readonly partial: AssistantMessage | null;
    readonly problem: string | null;
  };
}

export function createStreamCopy(dialect: Dialect): StreamCopy {
  const decoder = new StringDecoder('utf8');
  const parser = createEventParser();
  const reader = dialect.createReader();
  const deltas: ChatDelta[] = [];
  let fault: unknown = null;
  return {
    isDone: () => fault === null && reader.isDone(),
    fault: () => fault,
    feed(chunk) {
      if (fault !== null) return [];
      const found: ChatDelta[] = [];
      try {
        // One by one: an event may hold more pieces than a call takes arguments.
        for (const event of parser.read(decoder.write(chunk)))
          for (const delta of reader.read(event)) found.push(delta);
      } catch (cause) {
        fault = cause;
      }
      for (const delta of found) deltas.push(delta);
      return found;
    },
    result() {
      try {
        if (fault === null && reader.isDone()) return { reply: collectReply(deltas), partial: null, problem: null };
        const problem = fault !== null ? causeText(fault) : 'The stream ended before its last event.';
        return { reply: null, partial: partOf(deltas), problem };
      } catch (cause) {
        return { reply: null, partial: null, problem: causeText(cause) };
      }
    },
  };
}

/** What there is of a reply that has no end; null when it did not begin. */
function partOf(deltas: readonly ChatDelta[]): AssistantMessage | null {
  if (!deltas.some(({ kind }) => kind === 'start')) return null;
  const said = deltas.filter(({ kind }) => kind !== 'end');
  return collectReply([...said, { kind: 'end', finish: 'stop', usage: null }]).message;
}
