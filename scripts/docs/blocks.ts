/** A fenced block of a Markdown page: ```language key=value key="some words" */
export interface Block {
  readonly language: string;
  /**
   * `skip`: why the block is not run. `file`: the name to save the block under, instead of running it.
   * `exit`: the expected exit code. `background`: start the command, and go on once it prints this text.
   * `port`: a port number in the commands of the page; a free port is used in its place.
   */
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
}

/** A command of a `console` block, with the output the page shows for it. */
export interface ShownCommand {
  readonly command: string;
  readonly output: string;
}

const fence = /^```([a-z]+)([^\n]*)\n([\s\S]*?)^```$/gm;

export function readBlocks(page: string): Block[] {
  return [...page.matchAll(fence)].map(match => ({
    language: match[1] as string,
    attributes: readAttributes(match[2] as string),
    text: match[3] as string,
    line: page.slice(0, match.index).split('\n').length,
  }));
}

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([a-z]+)=(?:"([^"]*)"|(\S+))/g)].map(match => [match[1], match[2] ?? match[3]]),
  );
}

/** Lines that start with `$ ` are commands; lines that end with a backslash go on; the rest is output. */
export function readShownCommands(text: string): ShownCommand[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map(part => {
      const lines = part.split('\n');
      const end = lines.findIndex(line => !line.endsWith('\\'));
      return { command: lines.slice(0, end + 1).join('\n'), output: lines.slice(end + 1).join('\n') };
    });
}

/** The text of a `console` block. */
export function writeShownCommands(commands: readonly ShownCommand[]): string {
  return commands
    .map(({ command, output }) => (output.trim() === '' ? `$ ${command}\n` : `$ ${command}\n${output.trimEnd()}\n`))
    .join('\n');
}
