import type { Command } from 'commander';
import type { Output } from '../output.ts';
import { addMcp } from '../serve/mcp-verb.ts';
import { addProxy } from '../serve/proxy-verb.ts';
import { addServePolicy } from '../serve/serve-policy-verb.ts';
import { countingNumber, jsonOption, verb, wholeNumber, type Finish } from '../verb.ts';
import { addModelOptions } from './model-flags.ts';

interface Setting {
  readonly output: Output;
  readonly finish: Finish;
}

/** The verbs that have to do with models: serving, standing between, judging, and what they are told. */
export function addModelVerbs(program: Command, setting: Setting): void {
  addServePolicy(program, setting);
  addProxy(program, setting);
  addMcp(program, setting);
  addJudge(program, setting);
  addPrompts(program, setting);
}

function addJudge(program: Command, { output, finish }: Setting): void {
  const command = verb(program, 'judge', {
    about: 'Let a model judge the finished episodes of a run, and hold it against the verifier.',
    examples: [
      'espalier judge runs/one --judge openai:qwen3@http://127.0.0.1:8000/v1',
      'espalier judge runs/one --judge anthropic:claude-x --round 2 --budget-dollars 2',
    ],
  })
    .argument('<run>', 'folder of a run')
    .requiredOption('--judge <endpoint>', 'openai:MODEL@URL, responses:MODEL@URL or anthropic:MODEL')
    .option('--round <n>', 'only this round (default: all)', wholeNumber)
    .option('--concurrency <n>', 'questions at once', countingNumber, 16);
  addModelOptions(command)
    .option(...jsonOption)
    .action(async (run, options) => finish((await import('./judge.ts')).judgeRun(output, { run, ...options })));
}

function addPrompts(program: Command, { output, finish }: Setting): void {
  verb(program, 'prompts', {
    about: 'Write what models are told as files, to read and to change.',
    examples: [
      'espalier prompts --out prompts',
      'espalier collect --prompts prompts --student openai:… --out runs/one',
    ],
  })
    .requiredOption('--out <folder>', 'folder for them; files that are there are left alone')
    .option(...jsonOption)
    .action(async options => finish((await import('./prompts.ts')).writePrompts(output, options)));
}
