import { Option, type Command } from 'commander';
import { resolve } from 'node:path';
import type { BrowserSandbox } from '../../envs/web/containment/confinement.ts';
import { plainBrowser, type BrowserConfig } from './browser-config.ts';

/** What can be said on the command line of the browser program itself. */
export interface ProgramFlags {
  readonly browserPath?: string;
  /** False when it may run without one. */
  readonly browserSandbox?: 'require' | false;
}

/** Adds the options of verbs that open pages. */
export function addProgramOptions(command: Command): Command {
  return addSandboxOptions(
    command.option('--browser-path <file>', 'the browser program (default: the first in the usual places)'),
  );
}

export function addSandboxOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--browser-sandbox <rule>',
        'require: never start the browser without its sandbox, not even as root',
      ).choices(['require']),
    )
    .option('--no-browser-sandbox', 'let the browser start without its sandbox, for pages that you trust');
}

/** How other people's pages are drawn, in the program that is meant. */
export function programConfig({ browserPath }: ProgramFlags): BrowserConfig {
  return browserPath === undefined ? plainBrowser : { ...plainBrowser, path: resolve(browserPath) };
}

const variable = 'ESPALIER_BROWSER_SANDBOX';

/** Notes what was said of the sandbox where processes that a verb starts find it, too. */
export function noteSandbox({ browserSandbox }: ProgramFlags): void {
  if (browserSandbox !== undefined) process.env[variable] = browserSandbox === false ? 'optional' : browserSandbox;
}

/** Whether the browser may run without its sandbox: as the command line says, else the environment. */
export function sandboxRule(environment = process.env): BrowserSandbox | undefined {
  const said = environment[variable];
  if (said === 'require' || said === 'optional') return said;
  return environment['ESPALIER_NO_BROWSER_SANDBOX'] === '1' ? 'optional' : undefined;
}
