import type { JsonObject } from '../../../core/json.ts';

/** An event in the list of a sample: its number, and what it is. */
export interface WrittenEvent {
  readonly uuid: string;
  readonly event: JsonObject;
}

/** The events of a sample, in their order. */
export interface EventLog {
  add(span: string, event: JsonObject): WrittenEvent;
  begin(span: Span): void;
  end(id: string): void;
  all(): readonly JsonObject[];
  /** The time of the next event. */
  now(): string;
}

interface Span {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly parent?: string;
}

const secondsApart = 1;

/** The journal keeps the order of events, not their time: here each is a second after the one before. */
export function createEventLog(sample: string, startedAt: number): EventLog {
  const events: JsonObject[] = [];
  const now = (): string => new Date(startedAt + events.length * secondsApart * 1000).toISOString();
  const add: EventLog['add'] = (span, members) => {
    const uuid = `${sample}-${events.length + 1}`;
    const event = {
      uuid,
      span_id: span,
      timestamp: now(),
      working_start: events.length * secondsApart,
      ...members,
    };
    events.push(event);
    return { uuid, event };
  };
  return {
    add,
    now,
    all: () => events,
    begin({ id, name, type, parent }) {
      add(id, { event: 'span_begin', id, name, type, ...(parent === undefined ? {} : { parent_id: parent }) });
    },
    end(id) {
      add(id, { event: 'span_end', id });
    },
  };
}
