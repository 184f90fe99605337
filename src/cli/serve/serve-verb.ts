import type { Command } from 'commander';
import type { Output } from '../output.ts';
import { countingNumber, positiveNumber, verb, wholeNumber, type Finish } from '../verb.ts';

/** The verb that offers an environment by a protocol of the user's. */
export function addServe(program: Command, { output, finish }: { output: Output; finish: Finish }): void {
  verb(program, 'serve', {
    about: 'Offer an environment to programs outside, by a protocol of your own.',
    examples: [
      'espalier serve ./rest.ts mail --port 8900 --out runs/mine',
      'espalier serve ./rest.ts mail --task star-message/7 --option verdicts=true',
    ],
  })
    .argument('<protocol>', 'path of a module that exports `protocol`; espalier list protocols names those with a verb')
    .argument('<env>', 'id of a built-in environment, path of your own module, or other people’s pages')
    .option('--task <id>', 'the usual task: template, or template and seed (default: the first template)')
    .option('--option <name=value...>', 'options for the protocol')
    .option('--host <address>', 'address to listen on; others than this machine get in without a key', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0 for any', wholeNumber, 0)
    .option('--idle <seconds>', 'an episode without a call for so long is abandoned', positiveNumber, 600)
    .option('--sessions <n>', 'episodes open at once', countingNumber, 256)
    .option('--out <folder>', 'folder of a run that keeps the episodes')
    .action(async (protocol, environment, options) =>
      finish((await import('./serve.ts')).serve(output, { protocol, environment, ...options })),
    );
}
