import { isBrowserAction } from '../../core/action.ts';
import type { ToolInfo } from '../../core/contracts.ts';
import { browserTools, ownToolNames, screenTools } from '../../core/episode/action-tools.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { EspalierError } from '../../core/errors.ts';
import type { ToolsOf } from './chat.ts';

/** The `tools` column of an episode: those of the screen, those of a browser and of its environment when it used any. */
export function createToolsColumn(toolsOf?: ToolsOf): (record: EpisodeRecord) => string {
  const texts = new Map<string, string>();
  return record => {
    const { environment } = record.head.task;
    const { calls, browses } = useOf(record);
    const name = JSON.stringify([calls ? environment : null, browses]);
    const known = texts.get(name);
    if (known !== undefined) return known;
    const own = browses ? [...screenTools, ...browserTools] : screenTools;
    const text = toolsText(calls ? environmentTools(environment, own, toolsOf) : own);
    texts.set(name, text);
    return text;
  };
}

/** A text of JSON: trainers decode it, and a table would fill members that tools do not share with nulls. */
function toolsText(tools: readonly ToolInfo[]): string {
  const functions = tools.map(({ name, description, input }) => ({
    type: 'function',
    function: { name, description, parameters: input },
  }));
  return JSON.stringify(functions);
}

function useOf({ tree }: EpisodeRecord): { readonly calls: boolean; readonly browses: boolean } {
  let [calls, browses] = [false, false];
  const open = [...tree.children(0)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    calls ||= node.action.kind === 'call';
    browses ||= isBrowserAction(node.action);
    open.push(...tree.children(node.id));
  }
  return { calls, browses };
}

function environmentTools(
  environment: string,
  own: readonly ToolInfo[],
  toolsOf: ToolsOf | undefined,
): readonly ToolInfo[] {
  if (toolsOf === undefined) {
    throw new EspalierError({
      boundary: 'input',
      code: 'invalid-option',
      message: `Episodes of "${environment}" call its tools, and nobody says what they are.`,
      expected: 'Pass toolsOf, which gives the tools of an environment by its id.',
    });
  }
  const tools = toolsOf(environment);
  if ('only' in tools) return [...own.filter(({ name }) => name === 'finish'), ...tools.only];
  const taken = tools.find(({ name }) => ownToolNames.has(name));
  if (taken === undefined) return [...own, ...tools];
  throw new EspalierError({
    boundary: 'environment',
    code: 'invalid-app',
    message: `"${environment}" has a tool "${taken.name}", as the screen has.`,
    expected: `Expected names other than ${[...ownToolNames].join(', ')}.`,
  });
}
