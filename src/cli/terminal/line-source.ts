/** Where the lines of a person come from. */
export interface Input {
  readonly lines: AsyncIterable<string>;
  /** Asks for a line when a person is at the terminal. */
  prompt(text: string): void;
  close(): void;
}

/** Reads one line at a time. */
export interface LineSource {
  prompt(text: string): void;
  /** Null when there are no more lines. */
  next(): Promise<string | null>;
  close(): void;
}

/** Opens the input at the first prompt: lines that come before somebody listens would be lost. */
export function createLineSource(openInput: () => Input): LineSource {
  let opened: { readonly input: Input; readonly lines: AsyncIterator<string> } | null = null;
  const open = (): NonNullable<typeof opened> => {
    if (opened !== null) return opened;
    const input = openInput();
    opened = { input, lines: input.lines[Symbol.asyncIterator]() };
    return opened;
  };
  return {
    prompt: text => open().input.prompt(text),
    async next() {
      const { value, done } = await open().lines.next();
      return done === true ? null : value;
    },
    close: () => opened?.input.close(),
  };
}
