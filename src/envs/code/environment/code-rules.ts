import { after, atOnce, type Awaitable } from '../../../core/contracts.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { Ending, Verdict } from '../../../core/records.ts';
import type { UiNode } from '../../../core/ui.ts';
import { refusal, type Move, type Rules } from '../../../worlds/rules/rule-session.ts';
import type { BackgroundRunner } from '../sandbox/background-runner.ts';
import type { ProgramRunner } from '../sandbox/run-program.ts';
import type { Files } from './answer.ts';
import type { Language } from '../sandbox/languages.ts';
import { callTool, type ToolSetting } from './tools.ts';

/** What judges a task. */
export interface OpenCode {
  /** The answer that passes. */
  readonly reference: string;
  /** A language of the user's own. */
  readonly own?: Language | null;
  /** Blocks this thread while a program runs: for planners. */
  readonly blocking: Judging<ProgramRunner, Verdict>;
  /** For episodes. */
  readonly background: Judging<BackgroundRunner, Promise<Verdict>>;
}

interface Judging<R, V> {
  runner(): R;
  verdict(files: Files, ending: Ending | null): V;
}

/** The files that the agent wrote. */
export type CodeState = { readonly files: Files };

const longestProgram = 64_000;

/** The rules of code: the agent writes files, runs them in a sandbox, and finishes with its program. */
export function codeRules(open: OpenCode): Omit<Rules<CodeState>, 'task' | 'digest'> {
  const { reference, own = null, blocking, background } = open;
  return {
    initial: { files: {} },
    answer: { noun: 'a program', longest: longestProgram },
    call: (state, tool, input) => atOnce(moved(state, { tool, input }, { runner: blocking.runner, own })),
    screen: drawn,
    candidates: () => [],
    verdict: ({ files }, ending) => blocking.verdict(files, ending),
    guide: () => ({ unmet: 0, unmetChecks: 0, clean: true, finish: { kind: 'finish', answer: reference } }),
    background: {
      call: async (state, tool, input) => moved(state, { tool, input }, { runner: background.runner, own }),
      verdict: ({ files }, ending) => background.verdict(files, ending),
    },
  };
}

function moved(
  state: CodeState,
  call: { readonly tool: string; readonly input: JsonObject },
  setting: ToolSetting,
): Awaitable<Move<CodeState>> {
  return after(callTool(call, state.files, setting), called =>
    'code' in called
      ? { state, outcome: refusal(called.code, called.message) }
      : { state: { files: called.files }, outcome: { applied: true, result: called.result } },
  );
}

function drawn({ files }: CodeState): UiNode {
  const entries = Object.entries(files).map(
    ([name, text]): UiNode => ({ role: 'listitem', name: `${name}, ${text.length} characters` }),
  );
  const list: UiNode[] = entries.length === 0 ? [] : [{ role: 'list', name: 'Files', children: entries }];
  const text = 'Finish with the program in a fenced block (```python), or with the name of its file.';
  return { role: 'page', name: 'Workspace', children: [{ role: 'text', name: text }, ...list] };
}
