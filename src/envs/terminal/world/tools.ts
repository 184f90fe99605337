import type { ToolInfo } from '../../../core/contracts.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import type { Problem, StepOutcome } from '../../../core/records.ts';
import type { Ran } from '../sandbox/sandbox.ts';
import type { Typed } from './terminals.ts';
import type { WorldState } from './state.ts';
import type { World } from './world.ts';

const longestCommand = 32_000;
const longestPath = 1000;
const longestKeys = 4000;
const longestFile = 1_000_000;
/** Characters of an output that an agent is shown; the whole is kept in the journal. */
const longestShown = 16_000;
const mostSeconds = 20;

const path = { type: 'string', maxLength: longestPath };
const text = { type: 'string', maxLength: longestFile };

export const terminalTools: readonly ToolInfo[] = [
  tool('run', 'Runs a command in a shell, in the working folder. Processes that it leaves behind end with it.', {
    command: { type: 'string', maxLength: longestCommand },
  }),
  tool(
    'keys',
    'Types into a terminal, where a shell begins, and returns its screen. Keys have names: <Enter>, <Tab>, <Esc>, <Up>, <Ctrl-C>, <Alt-x>. What runs there goes on between calls; type nothing to look again.',
    { keys: { type: 'string', maxLength: longestKeys } },
  ),
  tool('read', 'Returns the text of a file.', { path }),
  tool('write', 'Writes a file; one that is there is replaced, folders are made.', { path, text }),
  tool('edit', 'Replaces a text that occurs exactly once in a file.', { path, old: text, new: text }),
];

function tool(name: string, description: string, properties: JsonObject): ToolInfo {
  return {
    name,
    description,
    input: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
  };
}

/** A state and what became of a call: the same state when it was refused. */
export interface Called {
  readonly state: WorldState;
  readonly outcome: StepOutcome;
}

export async function callTool(world: World, state: WorldState, call: ToolCall): Promise<Called> {
  const problem = problemOf(call);
  if (problem !== null) return refused(state, problem);
  const input = call.input as Readonly<Record<string, string>>;
  const given = (name: string): string => input[name] ?? '';
  switch (call.tool) {
    case 'run': {
      const { ran, state: next } = await world.run(state, { kind: 'run', command: given('command') });
      return { state: next, outcome: ranOutcome(ran) };
    }
    case 'keys':
      return typed(await world.type(state, given('keys')));
    case 'read': {
      const content = await contentOf(world, state, given('path'));
      if (content.problem !== null) return refused(content.state, content.problem);
      return { state: content.state, outcome: shownOutcome(content.text, {}) };
    }
    case 'write':
      return written(world, state, { path: given('path'), content: given('text') });
    default:
      return edited(world, state, input);
  }
}

interface ToolCall {
  readonly tool: string;
  readonly input: JsonObject;
}

function problemOf({ tool: name, input }: ToolCall): Problem | null {
  const known = terminalTools.find(candidate => candidate.name === name);
  if (known === undefined) {
    const names = terminalTools.map(candidate => candidate.name).join(', ');
    return { code: 'unknown-command', message: `There is no tool "${name}". Tools: ${names}.` };
  }
  const properties = known.input['properties'] as Readonly<Record<string, { readonly maxLength: number }>>;
  const names = Object.keys(properties);
  const fits = Object.keys(input).length === names.length && names.every(member => typeof input[member] === 'string');
  if (!fits) return { code: 'invalid-action', message: `Expected the texts ${names.join(', ')}, and nothing else.` };
  for (const [member, { maxLength }] of Object.entries(properties)) {
    const value = input[member] as string;
    if (value.length > maxLength)
      return { code: 'invalid-action', message: `Expected at most ${maxLength} characters in ${member}.` };
    if (member !== 'text' && value.includes('\0'))
      return { code: 'invalid-action', message: `Expected ${member} without a NUL character.` };
  }
  return input['path'] === '' ? { code: 'invalid-action', message: 'Expected a path.' } : null;
}

function refused(state: WorldState, problem: Problem): Called {
  return { state, outcome: { applied: false, problem } };
}

const endings: Readonly<Record<Exclude<Ran['ended'], 'itself'>, string>> = {
  time: `It was stopped after ${mostSeconds} seconds.`,
  output: 'It was stopped: it printed more than a megabyte.',
  disk: 'It filled the disk, or made paths that are too long: what it wrote was undone.',
  killed: 'It was killed, as the limit on memory does.',
};

function ranOutcome({ ended, exitCode, output }: Ran): StepOutcome {
  return shownOutcome(
    output.toString(),
    ended === 'itself' ? { exitCode } : { exitCode: null, stopped: endings[ended] },
  );
}

function typed({ state, screen, cursor, isOpen, isFull }: Typed): Called {
  const ended = isFull ? { ended: endings.disk } : isOpen ? {} : { ended: 'The shell has ended.' };
  return { state, outcome: { applied: true, result: { screen, cursor, ...ended } } };
}

/** A long text is cut in the middle; the whole of it is kept beside. */
function shownOutcome(output: string, said: Readonly<Record<string, Json>>): StepOutcome {
  if (output.length <= longestShown) return { applied: true, result: { ...said, output } };
  const half = longestShown / 2;
  const left = `${output.slice(0, half)}\n… ${output.length - longestShown} characters left out …\n${output.slice(-half)}`;
  return {
    applied: true,
    result: { ...said, output: left },
    incidents: [{ kind: 'whole-output', detail: output }],
  };
}

/** What a file says. The state is the one after looking: a live terminal knows no other. */
type Content = { readonly state: WorldState } & (
  | { readonly text: string; readonly problem: null }
  | { readonly problem: Problem }
);

async function contentOf(world: World, state: WorldState, file: string): Promise<Content> {
  const looking = { limits: { outputBytes: longestFile } };
  const { ran, state: next } = await world.run(state, { kind: 'read', path: file }, looking);
  if (ran.exitCode === 0) return { text: ran.output.toString(), problem: null, state: next };
  const why = ran.ended === 'itself' ? ran.output.toString() : `it has more than ${longestFile} bytes`;
  return { problem: { code: 'unreadable-file', message: `"${file}" cannot be read: ${why}.` }, state: next };
}

async function written(
  world: World,
  state: WorldState,
  file: { readonly path: string; readonly content: string },
): Promise<Called> {
  const { ran, state: next } = await world.run(state, { kind: 'write', ...file });
  if (ran.exitCode === 0) return { state: next, outcome: { applied: true, result: { written: file.path } } };
  const message = `"${file.path}" cannot be written: ${ran.output.toString() || 'it was stopped'}.`;
  return refused(next, { code: 'unwritable-file', message });
}

async function edited(world: World, state: WorldState, input: Readonly<Record<string, string>>): Promise<Called> {
  const { path: file = '', old = '', new: replacement = '' } = input;
  const content = await contentOf(world, state, file);
  if (content.problem !== null) return refused(content.state, content.problem);
  const parts = content.text.split(old);
  const [before, after] = parts;
  if (old === '' || parts.length !== 2 || before === undefined || after === undefined) {
    const found = old === '' ? 'it is empty' : `it occurs ${parts.length - 1} times`;
    return refused(content.state, {
      code: 'invalid-action',
      message: `Expected \`old\` exactly once in "${file}": ${found}.`,
    });
  }
  return written(world, content.state, { path: file, content: `${before}${replacement}${after}` });
}
