import type { Action } from '../../core/action.ts';
import type { ToolInfo } from '../../core/contracts.ts';
import { actionOf, screenTools } from '../../core/episode/action-tools.ts';
import { invalidApp, type EspalierError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';

const observe: ToolInfo = {
  name: 'observe',
  description: 'Show the screen. Elements that can be acted on have a reference: the letter e and a number.',
  input: { type: 'object', properties: {}, required: [], additionalProperties: false },
};

/** What a call of a client means: to look, or to take a step; null when its arguments make no step. */
export type ClientAction = { readonly kind: 'look' } | { readonly kind: 'step'; readonly action: Action } | null;

/** What clients of one environment may call. */
export interface Offer {
  readonly tools: readonly ToolInfo[];
  /** Whether the screen is shown, and can be acted on. */
  readonly screen: boolean;
  read(tool: string, input: JsonObject): ClientAction;
}

/** The tools of an environment, `finish`, and those of the screen when it is offered. */
export function createOffer(environment: string, tools: readonly ToolInfo[], screen: boolean): Offer {
  const own = screen ? [observe, ...screenTools] : screenTools.filter(({ name }) => name === 'finish');
  const names = new Set(own.map(({ name }) => name));
  const taken = tools.find(({ name }) => names.has(name));
  if (taken !== undefined) throw nameTaken(environment, taken.name);
  return {
    tools: [...tools, ...own],
    screen,
    read(tool, input) {
      if (screen && tool === observe.name) return { kind: 'look' };
      // What is not offered goes to the environment as a call of a tool, which it knows or refuses.
      const action = names.has(tool)
        ? actionOf(tool, tool === 'finish' ? saidOnly(input) : input)
        : ({ kind: 'call', tool, input } as const);
      return action === null ? null : { kind: 'step', action };
    },
  };
}

/** Some clients send every member, also those that say nothing. */
function saidOnly(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== false && value !== null));
}

function nameTaken(environment: string, tool: string): EspalierError {
  return invalidApp(
    `"${environment}" has a tool "${tool}", as the server has.`,
    'Rename it in the app; a tool named observe, click, fill or select is in the way only with the screen.',
  );
}
