import type { Command } from 'commander';
import type { Output } from '../terminal/output.ts';
import { jsonOption, verb, wholeNumber, type Finish } from '../terminal/verb.ts';

/** The verb that stands between a harness and its model. */
export function addProxy(program: Command, { output, finish }: { output: Output; finish: Finish }): void {
  verb(program, 'proxy', {
    about: 'Record any agent: a proxy between it and its model.',
    examples: [
      'espalier proxy openai:qwen3@http://127.0.0.1:8000/v1 --out runs/harness --tokens',
      'espalier proxy anthropic:* --out runs/harness',
      'espalier proxy openai:*@http://127.0.0.1:8000/v1 --out runs/faults --faults 429:0.1,cut:0.05 --seed 3',
    ],
  })
    .argument('<endpoint>', 'model to pass calls on to; * as its name leaves the name to the harness')
    .requiredOption('--out <folder>', 'folder of the run that keeps the calls and the episodes')
    .option('--template <name>', 'what the harness does, as the name of the template of its tasks', 'harness')
    .option('--tokens', 'ask the server for token ids and log probabilities, as vLLM and SGLang give them')
    .option('--pass-key', 'ask with the key that the harness sends, instead of the one in our environment')
    .option(
      '--faults <list>',
      'faults to inject: 429, 500, slow, truncated or cut, with the share of calls each befalls',
    )
    .option('--seed <n>', 'seed of the faults', wholeNumber, 1)
    .option('--host <address>', 'address to listen on; others than this machine then ask with our key', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0 for any', wholeNumber, 8787)
    .option(...jsonOption)
    .action(async (endpoint, options) =>
      finish((await import('./proxy.ts')).serveProxy(output, { endpoint, ...options })),
    );
}
