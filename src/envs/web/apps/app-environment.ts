import type { Environment, StateEnvironment } from '../../../core/contracts.ts';
import { wrapStateEnvironment } from '../../../core/wrap-environment.ts';
import { createAppSession } from './app-session.ts';
import type { Appearance } from './render/render-node.ts';
import type { BrowserOptions } from '../sessions/site-environment.ts';

export interface AppBrowserOptions extends BrowserOptions {
  readonly look: Appearance;
}

/**
 * The same environment with its screens drawn in a real browser. The state stays an immutable value in this process, so
 * its certification stays as well; paths with a pointer or keys are replayed all the same (see `isDoneByHand`).
 */
export function createAppEnvironment(environment: StateEnvironment, options: AppBrowserOptions): Environment {
  return wrapStateEnvironment(environment, {
    // A fork has no page: an agent would see no picture in it.
    lightForks: undefined,
    open: async task => createAppSession(environment.open(task), options),
  });
}
