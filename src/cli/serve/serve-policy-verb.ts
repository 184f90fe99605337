import { InvalidArgumentError, type Command } from 'commander';
import type { Output } from '../terminal/output.ts';
import { jsonOption, verb, wholeNumber, type Finish } from '../terminal/verb.ts';

/** The verb that puts policies of ours behind an endpoint. */
export function addServePolicy(program: Command, { output, finish }: { output: Output; finish: Finish }): void {
  verb(program, 'serve-policy', {
    about: 'Serve a student and the planner as models behind an OpenAI-compatible endpoint.',
    examples: [
      'espalier serve-policy --student untrained --planner --env mail',
      'espalier serve-policy --student runs/one/student.json --port 8700',
    ],
  })
    .option(
      '--student <file>',
      'serve this student as the model "student": a file that train wrote, small, or untrained',
    )
    .option('--planner', 'serve the planner as the model "planner"; it answers runs of espalier only')
    .option(
      '--env <name...>',
      'environments that the planner plans in: ids or paths of modules (default: all built-in)',
    )
    .option('--planner-errors <share>', 'share of the answers of the planner as a teacher that are wrong', share, 0)
    .option('--host <address>', 'address to listen on; others than this machine get in without a key', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0 for any', wholeNumber, 8700)
    .option(...jsonOption)
    .action(async options => finish((await import('./serve-policy.ts')).servePolicy(output, options)));
}

function share(text: string): number {
  if (text.trim() !== '' && Number(text) >= 0 && Number(text) <= 1) return Number(text);
  throw new InvalidArgumentError('Expected a number from 0 to 1.');
}
