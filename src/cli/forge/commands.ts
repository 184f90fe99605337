import type { Command } from 'commander';
import type { Output } from '../output.ts';
import { countingNumber, jsonOption, verb, type Finish } from '../verb.ts';

/** The verb that makes tasks. */
export function addForge(program: Command, { output, finish }: { output: Output; finish: Finish }): void {
  verb(program, 'forge', {
    about: 'Make tasks from an app: forge them from its commands, and keep those that are sound, solvable and new.',
    examples: [
      'espalier forge mail --out runs/forged',
      'espalier forge ./library.ts --seeds 10 --out runs/library-tasks',
      'espalier collect forge:runs/library-tasks --out runs/one',
    ],
  })
    .argument('<app>', 'id of a built-in app, path of your own module, or a name such as forge:mail,kinds=commands')
    .requiredOption('--out <folder>', 'folder for the tasks; use it as an environment: forge:<folder>')
    .option('--seeds <n>', 'seeds of each template to try', countingNumber, 4)
    .option('--nodes <n>', 'states that the planner may expand for a task', countingNumber, 800)
    .option(...jsonOption)
    .action(async (app, options) => finish((await import('./forge.ts')).forge(output, { app, ...options })));
}
