import { createProgram } from '../../src/cli/main.ts';
import { createOutput } from '../../src/cli/terminal/output.ts';

/** What the program prints for `--help`, and for `--help` of each verb. */
export interface ProgramHelp {
  readonly program: string;
  readonly verbs: ReadonlyMap<string, string>;
}

/** Reads the help in this process: a process for each verb would take half a minute. */
export async function readProgramHelp(): Promise<ProgramHelp> {
  const silent = { write: () => true };
  const output = createOutput({ results: silent, progress: silent, colours: false });
  const program = await createProgram(output, async work => void (await work));
  const helpOf = (command: typeof program): string => {
    let text = '';
    // As wide as where no terminal is.
    command.configureOutput({ writeOut: part => void (text += part), getOutHelpWidth: () => 80 }).outputHelp();
    return text;
  };
  return {
    program: helpOf(program),
    verbs: new Map(program.commands.map(command => [command.name(), helpOf(command)])),
  };
}
