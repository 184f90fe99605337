import type { ServerEvent } from './dialect.ts';

/** Parses server-sent events from text that may be split anywhere. */
interface EventParser {
  /** The events that this text completes. */
  read(text: string): readonly ServerEvent[];
  /** Characters that came and are in no event yet. */
  waiting(): number;
}

export function createEventParser(): EventParser {
  let rest = '';
  /** Characters of the lines of an event that has not ended. */
  let inLines = 0;
  let afterReturn = false;
  let isFirst = true;
  let event: string | null = null;
  let data: string[] = [];

  function readLine(line: string): ServerEvent | null {
    if (line === '') {
      const complete = data.length > 0 ? { event, data: data.join('\n') } : null;
      event = null;
      data = [];
      inLines = 0;
      return complete;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') {
      data.push(value);
      inLines += value.length;
    } else if (field === 'event') event = value === '' ? null : value;
    return null;
  }

  return {
    waiting: () => rest.length + inLines,
    read(text) {
      if (text === '') return [];
      // A line feed right after a carriage return belongs to it, also when a cut came between.
      const unread = afterReturn && text.startsWith('\n') ? text.slice(1) : text;
      afterReturn = text.endsWith('\r');
      // Only what is new is looked at: a long line that comes in many pieces is put together once, when it ends.
      const lines = unread.split(/\r\n|\n|\r/);
      if (lines.length === 1) {
        rest += unread;
        return [];
      }
      lines[0] = rest + (lines[0] ?? '');
      rest = lines.pop() ?? '';
      if (isFirst && lines[0] !== undefined) {
        lines[0] = lines[0].replace(/^\uFEFF/, '');
        isFirst = false;
      }
      return lines.map(readLine).filter(complete => complete !== null);
    },
  };
}

export function writeEvent({ event, data }: ServerEvent): string {
  const lines = data.split(/\r\n|\n|\r/).map(line => `data: ${line}\n`);
  return `${event === null ? '' : `event: ${event}\n`}${lines.join('')}\n`;
}
