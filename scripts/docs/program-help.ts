import type { Command } from 'commander';
import { createProgram } from '../../src/cli/main.ts';
import { createOutput } from '../../src/cli/terminal/output.ts';
import { helpWidth, type Verb } from '../../src/cli/terminal/verb.ts';

/** What the program prints for `--help` of each verb, and the examples of each. */
export interface ProgramHelp {
  readonly verbs: ReadonlyMap<string, string>;
  readonly examples: ReadonlyMap<string, readonly string[]>;
}

/** Reads the help in this process: a process for each verb would take half a minute. */
export async function readProgramHelp(): Promise<ProgramHelp> {
  const silent = { write: () => true };
  const output = createOutput({ results: silent, progress: silent, colours: false });
  const program = await createProgram(output, async work => void (await work));
  const helpOf = (command: Command): string => {
    let text = '';
    command.configureOutput({ writeOut: part => void (text += part), getOutHelpWidth: () => helpWidth }).outputHelp();
    return text;
  };
  return {
    verbs: new Map(program.commands.map(command => [command.name(), helpOf(command)])),
    examples: new Map(program.commands.map(command => [command.name(), (command as Verb).examples])),
  };
}
