import type { Action } from '../../../core/action.ts';
import type { JsonObject } from '../../../core/json.ts';
import { given } from '../tab/page-program.ts';
import type { PageState } from './page-state.ts';
import { loadMilliseconds, stepMilliseconds, type SiteSessionOptions } from './replay.ts';

/** What a browser of others has to be given, so that the page does there what it did here. */
export async function readConditions(
  { site, tab }: Pick<PageState, 'site' | 'tab'>,
  { viewport }: Pick<SiteSessionOptions, 'viewport'>,
): Promise<JsonObject> {
  const [zone, language] = await tab.page.ask<[string, string]>('program.region()');
  const { width, height } = viewport;
  return {
    viewport: { width, height },
    language,
    time_zone: zone,
    clock: new Date(site.start).toISOString(),
    load_milliseconds: loadMilliseconds,
    step_milliseconds: stepMilliseconds,
    random: { generator: 'mulberry32', seed: site.seed },
  };
}

/** The CSS path of the element that an action names. */
export async function readLocator({ tab }: Pick<PageState, 'tab'>, action: Action): Promise<string | null> {
  return 'ref' in action ? tab.page.ask<string | null>(`program.actions.path(${given(action.ref)})`) : null;
}
