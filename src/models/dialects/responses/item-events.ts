import type { JsonObject } from '../../../core/json.ts';
import { callItem, messageItem, partsOf, reasoningItem } from './items.ts';

/** Numbers an event and writes it. */
export type Send = (type: string, members: JsonObject) => string;

/** An item that is being written. */
export interface OpenItem {
  /** `text`, `thought`, or `call 0` for the first call. */
  readonly kind: string;
  /** What was added so far. */
  text(): string;
  begin(): string;
  add(text: string): string;
  /** The item as it is in the end, and the events before the one that says so. */
  end(): { readonly events: string; readonly item: JsonObject };
}

export function openText(id: string, at: number, send: Send): OpenItem {
  const place = { item_id: id, output_index: at, content_index: 0 };
  const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });
  let text = '';
  return {
    kind: 'text',
    text: () => text,
    begin() {
      const item = { ...messageItem(id, ''), status: 'in_progress', content: [] };
      return (
        send('response.output_item.added', { output_index: at, item }) +
        send('response.content_part.added', { ...place, part: part('') })
      );
    },
    add(delta) {
      text += delta;
      return send('response.output_text.delta', { ...place, delta, logprobs: [] });
    },
    end() {
      const events =
        send('response.output_text.done', { ...place, text, logprobs: [] }) +
        send('response.content_part.done', { ...place, part: part(text) });
      return { events, item: messageItem(id, text) };
    },
  };
}

interface OpenCall {
  readonly id: string;
  readonly index: number;
  readonly call: string;
  readonly name: string;
}

export function openCall({ id, index, call, name }: OpenCall, at: number, send: Send): OpenItem {
  const place = { item_id: id, output_index: at };
  let input = '';
  return {
    kind: `call ${index}`,
    text: () => input,
    begin() {
      const item = { ...callItem(id, { id: call, name, input: '' }), status: 'in_progress' };
      return send('response.output_item.added', { output_index: at, item });
    },
    add(delta) {
      input += delta;
      return send('response.function_call_arguments.delta', { ...place, delta });
    },
    end() {
      const events = send('response.function_call_arguments.done', { ...place, name, arguments: input });
      return { events, item: callItem(id, { id: call, name, input }) };
    },
  };
}

/** Held back until it ends: only then it is known whether the server sealed it, and the item has the server's name then. */
export function openThought(id: string, at: number, send: Send): OpenItem {
  let text = '';
  return {
    kind: 'thought',
    text: () => text,
    begin: () => '',
    add(delta) {
      text += delta;
      return '';
    },
    end() {
      const item = reasoningItem(id, text);
      return { events: writeReasoning(item, at, send), item };
    },
  };
}

/** A thought is written at once. */
export function writeReasoning(item: JsonObject, at: number, send: Send): string {
  const id = item['id'] ?? '';
  const place = { item_id: id, output_index: at };
  const { summary, content } = partsOf(item);
  const added = send('response.output_item.added', { output_index: at, item: { id, type: 'reasoning', summary: [] } });
  const parts = [
    ...summary.map(({ text }, summary_index) => {
      const here = { ...place, summary_index };
      return (
        send('response.reasoning_summary_part.added', { ...here, part: { type: 'summary_text', text: '' } }) +
        send('response.reasoning_summary_text.delta', { ...here, delta: text }) +
        send('response.reasoning_summary_text.done', { ...here, text }) +
        send('response.reasoning_summary_part.done', { ...here, part: { type: 'summary_text', text } })
      );
    }),
    ...content.map(({ text }, content_index) => {
      const here = { ...place, content_index };
      return (
        send('response.content_part.added', { ...here, part: { type: 'reasoning_text', text: '' } }) +
        send('response.reasoning_text.delta', { ...here, delta: text }) +
        send('response.reasoning_text.done', { ...here, text }) +
        send('response.content_part.done', { ...here, part: { type: 'reasoning_text', text } })
      );
    }),
  ];
  return added + parts.join('');
}
