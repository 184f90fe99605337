import type { ChatDelta } from '../../../core/chat/chat.ts';
import type { JsonObject } from '../../../core/json.ts';
import { MalformedError } from '../dialect.ts';
import { openCall, openText, openThought, writeReasoning, type OpenItem, type Send } from './item-events.ts';
import { isSealedReasoning, restOfThought } from './items.ts';

type ItemDelta = Exclude<ChatDelta, { kind: 'start' | 'tokens' | 'end' }>;

interface ItemWriter {
  write(delta: ItemDelta): string;
  /** Ends the item that is open. */
  close(): string;
  /** The items that have ended. */
  output(): readonly JsonObject[];
}

/** One item after the other: the next begins where a piece does not belong to the last. */
export function createItemWriter(reply: string, send: Send): ItemWriter {
  const output: JsonObject[] = [];
  let open: OpenItem | null = null;

  const idOf = (prefix: string) => `${prefix}_${reply}_${output.length}`;
  const openings = {
    text: () => openText(idOf('msg'), output.length, send),
    thought: () => openThought(idOf('rs'), output.length, send),
  };

  function finish(events: string, item: JsonObject): string {
    output.push(item);
    return events + send('response.output_item.done', { output_index: output.length - 1, item });
  }

  function close(): string {
    const ended = open?.end();
    open = null;
    return ended === undefined ? '' : finish(ended.events, ended.item);
  }

  function begin(item: () => OpenItem): string {
    const closed = close();
    open = item();
    return closed + open.begin();
  }

  function add(kind: string, text: string): string {
    if (open?.kind !== kind) throw new MalformedError(`The input of ${kind} goes on after another item began.`);
    return open.add(text);
  }

  /** A thought that was held back goes out as the server sealed it. */
  function seal(item: JsonObject): string {
    if (!isSealedReasoning(item)) return '';
    const rest = open?.kind === 'thought' ? restOfThought(open.text(), item) : null;
    if (rest !== null) open = null;
    const written = close() + finish(writeReasoning(item, output.length, send), item);
    return rest ? written + begin(openings.thought) + add('thought', rest) : written;
  }

  function write(delta: ItemDelta): string {
    if (delta.kind === 'sealed') return seal(delta.item);
    if (delta.kind === 'input') return add(`call ${delta.index}`, delta.text);
    if (delta.kind === 'call') {
      const { index, id: call, name } = delta;
      return begin(() => openCall({ id: idOf('fc'), index, call, name }, output.length, send));
    }
    const begun = open?.kind === delta.kind ? '' : begin(openings[delta.kind]);
    return begun + add(delta.kind, delta.text);
  }

  return { write, close, output: () => output };
}
