import { Option, type Command } from 'commander';
import { resolve } from 'node:path';
import type { Environment } from '../../core/contracts.ts';
import { plainBrowser, type BrowserConfig } from '../../runs/settings/browser-config.ts';
import { openEnvironment } from '../../runs/environments/open-environment.ts';
import { openWeb } from '../../runs/environments/web.ts';
import { createSystemHost } from '../../system/workers/host.ts';

/** The flags of the browser program itself. */
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
  for (const option of sandboxOptions()) command.addOption(option);
  return command;
}

/** For verbs with many options. The error of a browser that gets no sandbox names them. */
export function addHiddenSandboxOptions(command: Command): Command {
  for (const option of sandboxOptions()) command.addOption(option.hideHelp());
  return command;
}

function sandboxOptions(): Option[] {
  return [
    new Option(
      '--browser-sandbox <rule>',
      'require: never start the browser without its sandbox, not even as root',
    ).choices(['require']),
    new Option('--no-browser-sandbox', 'let the browser start without its sandbox, for pages that you trust'),
  ];
}

/** How other people's pages are drawn, with the browser program of the flags. */
export function programConfig({ browserPath }: ProgramFlags): BrowserConfig {
  return browserPath === undefined ? plainBrowser : { ...plainBrowser, path: resolve(browserPath) };
}

const fewPages = 4;

/** Opens an environment without drawing apps, with the browser program of the flags. */
export function openWithProgram(name: string, flags: ProgramFlags): Promise<Environment> {
  const host = createSystemHost();
  return openEnvironment(name, { host, web: openWeb({ config: programConfig(flags), pages: fewPages, host }) });
}

/** Sets the rule of the sandbox as an environment variable, so that child processes follow it as well. */
export function noteSandbox({ browserSandbox }: ProgramFlags): void {
  if (browserSandbox !== undefined)
    process.env['ESPALIER_BROWSER_SANDBOX'] = browserSandbox === false ? 'optional' : browserSandbox;
}
