import { createFrameReader, packFields, type Field } from './frames.ts';

/** A line to a helper, wherever it runs. */
export interface HelperLine {
  /** The first message, which says what the helper needs to know. */
  greet(fields: readonly Field[]): Promise<void>;
  ask(order: readonly Field[]): Promise<Buffer[]>;
  /** Takes what the helper says. */
  read(piece: Buffer): void;
  /** Says why nothing will come any more. */
  end(reason: string): void;
}

interface LineOptions {
  write(bytes: Buffer): void;
  /** Told whether somebody waits for an answer. */
  hold(isWaiting: boolean): void;
  lost(reason: string): Error;
}

interface Waiting {
  resolve(fields: Buffer[]): void;
  reject(cause: unknown): void;
}

/** Numbers orders, and gives each answer to who waits for it. */
export function createLine({ write, hold, lost }: LineOptions): HelperLine {
  const waiting = new Map<string, Waiting>();
  let [orders, ended] = [0, null as Error | null];
  const answer = (id: string): Promise<Buffer[]> => {
    if (ended !== null) return Promise.reject(ended);
    hold(true);
    const { promise, resolve, reject } = Promise.withResolvers<Buffer[]>();
    waiting.set(id, { resolve, reject });
    return promise;
  };
  const read = createFrameReader(([id, first, ...rest]) => {
    const key = String(id);
    const asked = waiting.get(key);
    waiting.delete(key);
    if (String(first) === 'failed') asked?.reject(lost(String(rest[0]).trim()));
    else asked?.resolve(first === undefined ? [] : [first, ...rest]);
    if (waiting.size === 0) hold(false);
  });
  return {
    read,
    async greet(fields) {
      const hello = answer('0');
      write(framed(fields));
      await hello;
    },
    ask(order) {
      const id = String(++orders);
      const answered = answer(id);
      if (ended === null) write(framed([id, ...order]));
      return answered;
    },
    end(reason) {
      ended ??= lost(reason);
      for (const { reject } of waiting.values()) reject(ended);
      waiting.clear();
    },
  };
}

function framed(fields: readonly Field[]): Buffer {
  return packFields([packFields(fields)]);
}
