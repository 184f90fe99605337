import { isUtf8 } from 'node:buffer';
import type { Redactor } from '../../../models/secrets/redactor.ts';
import { createBlockSplitter } from './event-blocks.ts';
import { placesOf, readBlock, writeBlock, type Block } from './event-strings.ts';
import { change, createTails } from './tails.ts';

/**
 * Takes secrets out of a stream of server-sent events, also where they are spread over many events. An event is held back
 * only while its text ends like the beginning of a secret; all other events go on as they came, byte for byte.
 */
export interface StreamRedactor {
  /** What may go on now. */
  push(chunk: Buffer): Buffer;
  /** The rest. */
  end(): Buffer;
}

/** Events and bytes held back at most. */
const mostHeld = 256;
const mostHeldBytes = 2 ** 20;
/** Stands for an event whose secret cannot be taken out. */
const withheld = Buffer.from(': withheld\n\n');

/** Whether a secret stands in the event, whole. */
type SearchedBlock = Block & { readonly isSuspect: boolean };

export function createStreamRedactor(redactor: Redactor): StreamRedactor {
  const splitter = createBlockSplitter();
  const tails = createTails(redactor);
  let held: SearchedBlock[] = [];
  let heldBytes = 0;
  const write = (block: SearchedBlock): Buffer => {
    const bytes = writeBlock(block);
    // Texts and lines are clean: what is left stands in names or numbers.
    if (block.isSuspect && redactor.find(bytes.toString('utf8')).length > 0) return withheld;
    return isUtf8(bytes) ? bytes : Buffer.from(bytes.toString('utf8'));
  };
  const release = (): Buffer => {
    const bytes = Buffer.concat(held.map(write));
    held = [];
    heldBytes = 0;
    return bytes;
  };
  const take = (bytes: Buffer): void => {
    const text = bytes.toString('utf8');
    const block = { ...readBlock(bytes, text), isSuspect: redactor.find(text).length > 0 };
    held.push(block);
    heldBytes += bytes.length;
    for (const place of placesOf(block)) {
      if (block.isSuspect) change(block, place, redactor.text(place.read()));
      tails.follow(block, place);
    }
    if (held.length > mostHeld || heldBytes > mostHeldBytes) tails.settle();
  };
  return {
    push(chunk) {
      const out: Buffer[] = [];
      for (const bytes of splitter.read(chunk)) {
        take(bytes);
        if (!tails.isWaiting()) out.push(release());
      }
      return Buffer.concat(out);
    },
    end() {
      const rest = splitter.rest();
      if (rest.length > 0) take(rest);
      tails.settle();
      return release();
    },
  };
}
