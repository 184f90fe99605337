import { after, type Awaitable, type ToolInfo } from '../../../core/contracts.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import type { AnyRunner } from '../sandbox/run-program.ts';
import type { Language } from '../sandbox/languages.ts';
import { endingOf, languageOfFile, taskLanguages, type Files } from './answer.ts';

const path = { type: 'string', maxLength: 60 };
const longestFile = 64_000;
const longestInput = 64_000;
const mostFiles = 20;
const longestShown = 4000;
const pathPattern = /^[a-zA-Z][a-zA-Z0-9_-]{0,40}\.[a-z0-9]{1,10}$/;

export const codeTools: readonly ToolInfo[] = [
  {
    name: 'write_file',
    description: 'Writes a file, such as solution.py; one of this name is replaced.',
    input: {
      type: 'object',
      properties: { path, text: { type: 'string', maxLength: longestFile } },
      required: ['path', 'text'],
      additionalProperties: false,
    },
  },
  {
    name: 'read_file',
    description: 'Returns the text of a file that you wrote.',
    input: { type: 'object', properties: { path }, required: ['path'], additionalProperties: false },
  },
  {
    name: 'run_file',
    description: 'Runs a program that you wrote (.js, .py, .c or .sh) in a sandbox and returns what it prints.',
    input: {
      type: 'object',
      properties: { path, input: { type: 'string', maxLength: longestInput } },
      required: ['path', 'input'],
      additionalProperties: false,
    },
  },
];

/** What a call of a tool gives: the files after it and a result, or why it was refused. */
export type ToolOutcome =
  | { readonly files: Files; readonly result: Json }
  | { readonly code: string; readonly message: string };

/** What runs programs, and a language of the user's own, if there is one. */
export interface ToolSetting {
  readonly runner: () => AnyRunner;
  readonly own: Language | null;
}

/** A promise when the runner works in the background and a program is run, else a value. */
export function callTool(
  { tool, input }: { tool: string; input: JsonObject },
  files: Files,
  setting: ToolSetting,
): Awaitable<ToolOutcome> {
  const known = codeTools.find(({ name }) => name === tool);
  if (known === undefined) {
    const names = codeTools.map(({ name }) => name).join(', ');
    return { code: 'unknown-command', message: `There is no tool "${tool}". Expected one of: ${names}.` };
  }
  const members = known.input['required'] as readonly string[];
  const fits =
    Object.keys(input).length === members.length && members.every(member => typeof input[member] === 'string');
  if (!fits)
    return { code: 'invalid-action', message: `Expected the texts ${members.join(' and ')}, and nothing else.` };
  const name = input['path'] as string;
  if (tool === 'write_file') return written(files, { name, text: input['text'] as string }, setting.own);
  const text = Object.hasOwn(files, name) ? files[name] : undefined;
  if (text === undefined)
    return {
      code: 'unknown-file',
      message: `There is no file "${name.slice(0, 60)}". Write it with write_file first.`,
    };
  return tool === 'read_file'
    ? { files, result: { text } }
    : ran({ name, text, input: input['input'] as string }, files, setting);
}

function written(files: Files, { name, text }: { name: string; text: string }, own: Language | null): ToolOutcome {
  if (!pathPattern.test(name) || languageOfFile(name, own) === null) {
    const endings = [...(own === null ? [] : [own]), ...taskLanguages].map(endingOf).join(', ');
    return { code: 'invalid-path', message: `Expected a plain file name that ends in one of ${endings}.` };
  }
  if (text.length > longestFile)
    return {
      code: 'file-too-long',
      message: `Expected at most ${longestFile} characters, but there are ${text.length}.`,
    };
  if (!Object.hasOwn(files, name) && Object.keys(files).length >= mostFiles)
    return { code: 'too-many-files', message: `Expected at most ${mostFiles} files. Replace one of them.` };
  return { files: { ...files, [name]: text }, result: { written: name } };
}

function ran(
  { name, text, input }: { name: string; text: string; input: string },
  files: Files,
  { runner, own }: ToolSetting,
): Awaitable<ToolOutcome> {
  if (input.length > longestInput)
    return {
      code: 'input-too-long',
      message: `Expected at most ${longestInput} characters, but there are ${input.length}.`,
    };
  const language = languageOfFile(name, own) ?? taskLanguages[0];
  if (language === undefined) return { code: 'invalid-path', message: `"${name}" is no program.` };
  const running = after(runner().prepare(language, text), prepared =>
    'run' in prepared ? prepared.run(input) : prepared,
  );
  return after(running, outcome => {
    const output = 'output' in outcome ? { output: outcome.output.slice(0, longestShown) } : {};
    const errors = 'errors' in outcome ? { errors: outcome.errors } : {};
    return { files, result: { outcome: outcome.kind, ...output, ...errors } };
  });
}
