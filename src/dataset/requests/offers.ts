import { isBrowserAction } from '../../core/action.ts';
import type { ToolInfo } from '../../core/contracts.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import type { Edition } from '../../models/prompt/prompts.ts';
import { createOffer, type Offer } from '../../models/prompt/offer.ts';
import type { ScreenFormat } from '../../models/prompt/screen-parts.ts';

/**
 * The tools that agents were offered in an environment, by its id and the round. `only` says that they had no actions on
 * the screen; `browses` says that screens are drawn in a browser.
 */
export type ToolsOf = (
  environment: string,
  round: number,
) =>
  | readonly ToolInfo[]
  | { readonly only: readonly ToolInfo[] }
  | { readonly tools: readonly ToolInfo[]; readonly browses: boolean };

/** What models are offered in the episodes of an export. */
export interface Offers {
  /** For a request that is written now: the tools have to be known where the episode calls them. */
  of(record: EpisodeRecord, sight: ScreenFormat): Offer;
  /** For an answer to a recorded request: it is only asked how an action is called. */
  named(record: EpisodeRecord, sight: ScreenFormat): Offer;
  /** Environments whose tools are not known, and stand in no written request. */
  withoutTools(): string[];
}

interface Known {
  readonly tools: readonly ToolInfo[];
  readonly hasScreen: boolean;
  readonly browses: boolean;
}

/** Tools that cannot be had, and why. */
interface Missing {
  readonly cause: unknown;
}

const noTools: Known = { tools: [], hasScreen: true, browses: false };

export function createOffers(toolsOf: ToolsOf | undefined, edition?: Edition): Offers {
  const found = new Map<string, Known | Missing>();
  const offers = new Map<string, Offer>();
  const missing = new Set<string>();
  const uses = new WeakMap<EpisodeRecord, Use>();

  const used = (record: EpisodeRecord): Use => {
    let use = uses.get(record);
    if (use === undefined) uses.set(record, (use = useOf(record)));
    return use;
  };
  const look = ({ head }: EpisodeRecord): Known | Missing => {
    const { environment } = head.task;
    const key = `${head.round} ${environment}`;
    let known = found.get(key);
    if (known === undefined) found.set(key, (known = findTools(environment, head.round, toolsOf)));
    return known;
  };
  const offerOf = (record: EpisodeRecord, sight: ScreenFormat, { tools, hasScreen, browses }: Known): Offer => {
    const { environment } = record.head.task;
    const options = {
      browses: hasScreen && (browses || used(record).browses),
      readsScreen: hasScreen && sight !== 'image',
      mayGiveUp: false,
    };
    const name = JSON.stringify([environment, tools.length > 0, options]);
    let offer = offers.get(name);
    if (offer === undefined) offers.set(name, (offer = createOffer({ tools, ...options, edition })));
    return offer;
  };
  return {
    of(record, sight) {
      const { environment } = record.head.task;
      const known = look(record);
      if (!('cause' in known)) return offerOf(record, sight, known);
      // An environment that cannot be opened any more matters only where its tools were called.
      if (used(record).calls) throw known.cause;
      missing.add(environment);
      return offerOf(record, sight, noTools);
    },
    named(record, sight) {
      const known = look(record);
      return offerOf(record, sight, 'cause' in known ? noTools : known);
    },
    withoutTools: () => [...missing].toSorted(),
  };
}

function findTools(environment: string, round: number, toolsOf: ToolsOf | undefined): Known | Missing {
  if (toolsOf === undefined) return { cause: nobodySays(environment) };
  try {
    const given = toolsOf(environment, round);
    if ('only' in given) return { tools: given.only, hasScreen: false, browses: false };
    return 'browses' in given ? { ...given, hasScreen: true } : { ...noTools, tools: given };
  } catch (cause) {
    return { cause };
  }
}

function nobodySays(environment: string): EspalierError {
  return invalidOption(
    `Episodes of "${environment}" call its tools, and nobody says what they are.`,
    'Pass toolsOf, which gives the tools of an environment by its id.',
  );
}

interface Use {
  readonly calls: boolean;
  readonly browses: boolean;
}

/** What the steps of an episode use. Pictures are of pages, and only pages take actions of a browser. */
function useOf({ tree, shot }: EpisodeRecord): Use {
  let [calls, browses] = [false, false];
  const open = [...tree.children(0)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    calls ||= node.action.kind === 'call';
    browses ||= isBrowserAction(node.action) || shot(node.id) !== null;
    open.push(...tree.children(node.id));
  }
  return { calls, browses };
}
