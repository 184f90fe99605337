import type { Command } from 'commander';
import { protocols } from '../../serve/assembly/protocols.ts';
import type { Output } from '../terminal/output.ts';
import {
  countingNumber,
  jsonOption,
  modelServers,
  portNumber,
  positiveNumber,
  processCount,
  serverPlace,
  serverUrls,
  verb,
  type Finish,
} from '../terminal/verb.ts';

/** The verb that offers environments to programs outside. */
export function addServe(program: Command, { output, finish }: { output: Output; finish: Finish }): void {
  const command = verb(program, 'serve', {
    about: 'Serve environments to trainers by the OpenEnv protocol, or by a protocol of your own.',
    examples: [
      'espalier serve mail shop --port 8900 --out runs/served',
      'espalier serve mail --nemo-gym 8901 --out runs/gym',
      'espalier serve mail shop --processes 8 --out runs/served',
      'espalier serve --behind http://10.0.0.2:8900 http://10.0.0.3:8900 --host 10.0.0.1',
      'espalier serve ./rest.ts mail --port 8900 --out runs/mine',
      'espalier serve ./rest.ts mail --task star-message/7 --option verdicts=true',
    ],
  })
    .argument(
      '[env...]',
      'ids of built-in environments, paths of your own modules, or other people’s pages; a module that exports `protocol` goes first',
    )
    .option('--task <id>', 'the usual task: template, or template and seed (default: a training template, by the seed)')
    .option('--option <name=value...>', 'options for a protocol of your own')
    .option('--host <address>', 'address to listen on; others than this machine need ESPALIER_STUDENT_KEY', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0 for any (default: 8900, any for a protocol of your own)', portNumber);
  for (const { name, codec } of protocols.entries)
    if (codec !== undefined) command.option(`--${name} <port>`, codec.usage, portNumber);
  command
    .option(
      '--rollout-models <url...>',
      'addresses of model servers that rollouts may ask, such as http://127.0.0.1:8000; no others are asked',
      modelServers,
    )
    .option('--idle <seconds>', 'a session without a request for so long is abandoned', positiveNumber, 600)
    .option('--sessions <n>', 'sessions open at once (default: 10000, 256 for a protocol of your own)', countingNumber)
    .option('--client-sessions <n>', 'sessions of one connection', countingNumber, 1024)
    .option('--processes <n>', 'processes behind the port; each keeps a run of its own in --out', processCount)
    .option('--behind <address...>', 'be the one address of these servers, which were started with --place', serverUrls)
    .option('--place <n@address>', 'be number n of the servers behind this address', serverPlace)
    .option('--held-out', 'let students open held-out templates, for evaluation')
    .option('--out <folder>', 'folder of a run that keeps the episodes')
    .option('--log <file>', 'log as JSON lines (default: server.jsonl in the folder of the run)')
    .option('--otlp <url>', 'OpenTelemetry collector that gets a trace for each episode, such as http://127.0.0.1:4318')
    .option(...jsonOption)
    .action(async (names, options) =>
      finish((await import('./serve-environments.ts')).serveNames(output, names, options)),
    );
}
