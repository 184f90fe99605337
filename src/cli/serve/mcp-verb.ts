import type { Command } from 'commander';
import type { Output } from '../terminal/output.ts';
import { countingNumber, positiveNumber, serverPlace, verb, wholeNumber, type Finish } from '../terminal/verb.ts';

/** The verb that offers an environment to clients of the Model Context Protocol. */
export function addMcp(program: Command, { output, finish }: { output: Output; finish: Finish }): void {
  verb(program, 'mcp', {
    about: 'Offer the tools of an environment as an MCP server: on standard input and output, or over HTTP.',
    examples: [
      'espalier mcp mail --task mail/star-message/1',
      'espalier mcp mail --task star-message --screen --out runs/mine',
      'espalier mcp shop --http --port 8808 --out runs/mine',
    ],
  })
    .argument('<env>', 'id of a built-in environment, path of your own module, or other people’s pages')
    .option('--task <id>', 'template, or template and seed, such as mail/star-message/7 (default: the first template)')
    .option('--screen', 'let clients look at the screen, and click, fill and select on it')
    .option('--http', 'serve over HTTP, with a world for every session; ?task=<id> chooses another task')
    .option('--host <address>', 'address to listen on; others than this machine get in without a key', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0 for any', wholeNumber, 0)
    .option('--place <n@address>', 'be number n of the servers behind this address; see espalier serve', serverPlace)
    .option('--idle <seconds>', 'a session without a request for so long has ended', positiveNumber, 600)
    .option('--sessions <n>', 'sessions at once', countingNumber, 256)
    .option('--out <folder>', 'folder of a run that keeps the episodes')
    .action(async (environment, options) =>
      finish((await import('./mcp.ts')).serveMcp(output, { environment, ...options })),
    );
}
