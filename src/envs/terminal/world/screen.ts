import headless from '@xterm/headless';

/** A terminal that is not drawn: what a program prints goes in, and comes out as text. */
export interface Screen {
  write(output: Buffer): Promise<void>;
  /** The lines, without spaces at their ends and empty lines below. */
  text(): string;
  /** Counted from one. */
  cursor(): { readonly row: number; readonly column: number };
  /** What a keyboard would send: names such as `<Enter>` become keys. */
  keys(typed: string): string;
  /** What the terminal answers to programs that asked it something. */
  replies(): string;
  close(): void;
}

export function createScreen(size: { readonly rows: number; readonly columns: number }): Screen {
  const terminal = new headless.Terminal({
    rows: size.rows,
    cols: size.columns,
    scrollback: 0,
    allowProposedApi: true,
  });
  // The emulator repeats as often as a program says, which may be for hours: more than the screen has is left out.
  for (const [finals, most] of [
    ['LMST^', size.rows],
    ['bIZ', size.columns],
  ] as const)
    for (const final of finals) terminal.parser.registerCsiHandler({ final }, ([times]) => Number(times) > most);
  let replies = '';
  terminal.onData(data => (replies += data));
  return {
    write: output => new Promise(resolve => terminal.write(output, resolve)),
    text() {
      const { active } = terminal.buffer;
      const lines = Array.from({ length: size.rows }, (_, row) =>
        (active.getLine(active.baseY + row)?.translateToString(true) ?? '')
          .slice(0, mostMarks * size.columns)
          .trimEnd(),
      );
      return lines.join('\n').trimEnd();
    },
    cursor: () => ({ row: terminal.buffer.active.cursorY + 1, column: terminal.buffer.active.cursorX + 1 }),
    keys: typed => encoded(typed, terminal.modes.applicationCursorKeysMode),
    replies() {
      const said = replies;
      replies = '';
      return said;
    },
    close: () => terminal.dispose(),
  };
}

/** A character may have any number of marks. */
const mostMarks = 8;
const escape = '\u001B';
const named: Readonly<Record<string, string>> = {
  enter: '\r',
  tab: '\t',
  esc: escape,
  space: ' ',
  backspace: '\u007F',
  delete: `${escape}[3~`,
  insert: `${escape}[2~`,
  pageup: `${escape}[5~`,
  pagedown: `${escape}[6~`,
  f1: `${escape}OP`,
  f2: `${escape}OQ`,
  f3: `${escape}OR`,
  f4: `${escape}OS`,
  f5: `${escape}[15~`,
  f6: `${escape}[17~`,
  f7: `${escape}[18~`,
  f8: `${escape}[19~`,
  f9: `${escape}[20~`,
  f10: `${escape}[21~`,
  f11: `${escape}[23~`,
  f12: `${escape}[24~`,
};
/** Keys whose code depends on what the program in front has asked for. */
const moving: Readonly<Record<string, string>> = { up: 'A', down: 'B', right: 'C', left: 'D', home: 'H', end: 'F' };
const controlBits = 0x1f;

function encoded(typed: string, isApplication: boolean): string {
  return typed
    .replaceAll('\n', '\r')
    .replaceAll(/<([A-Za-z0-9]+)(?:-(.))?>/g, (whole, word: string, letter?: string) => {
      const name = word.toLowerCase();
      if (letter === undefined) {
        const move = moving[name];
        return move === undefined ? (named[name] ?? whole) : `${escape}${isApplication ? 'O' : '['}${move}`;
      }
      if (name === 'ctrl') return String.fromCodePoint((letter.toUpperCase().codePointAt(0) ?? 0) & controlBits);
      return name === 'alt' ? `${escape}${letter}` : whole;
    });
}
