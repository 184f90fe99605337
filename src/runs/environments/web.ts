import type { Timers } from '../../core/clock.ts';
import type { Environment, StateEnvironment } from '../../core/contracts.ts';
import { wrapStateEnvironment } from '../../core/wrap-environment.ts';
import { findBrowser } from '../../envs/web/browser/find-browser.ts';
import { createBrowserPool, type BrowserPool } from '../../envs/web/browser/pool.ts';
import type { BrowserSandbox } from '../../envs/web/containment/confinement.ts';
import type { BrowserOptions } from '../../envs/web/sessions/site-environment.ts';
import type { BrowserConfig } from '../settings/browser-config.ts';
import type { Host } from '../host/host.ts';

/** A browser that is started when the first page is opened. */
export interface Web extends BrowserOptions {
  readonly config: BrowserConfig;
  readonly timers: Timers;
  readonly pool: BrowserPool;
}

export interface WebOptions {
  readonly config: BrowserConfig;
  /** Pages that may be open at once: an episode that replays its path has two. */
  readonly pages: number;
  readonly host: Pick<Host, 'timers' | 'variable' | 'onNotice'>;
}

export function openWeb({ config, pages, host }: WebOptions): Web {
  const { screenshots, marks, viewport, path } = config;
  const { timers, variable, onNotice } = host;
  return {
    config,
    timers,
    viewport,
    pictures: screenshots === 'none' ? null : { type: `image/${screenshots}`, marks },
    pool: createBrowserPool({
      timers,
      pages,
      path: path ?? undefined,
      sandbox: sandboxRule(variable),
      onNotice,
    }),
  };
}

/** Whether the browser may run without its sandbox, as the environment says. */
export function sandboxRule(variable: Host['variable']): BrowserSandbox | undefined {
  const said = variable('ESPALIER_BROWSER_SANDBOX');
  if (said === 'require' || said === 'optional') return said;
  return variable('ESPALIER_NO_BROWSER_SANDBOX') === '1' ? 'optional' : undefined;
}

/** The same environment, drawn in the browser; closing it ends the browser. */
export async function drawInBrowser(environment: StateEnvironment, web: Web): Promise<Environment> {
  const { createAppEnvironment } = await import('../../envs/web/apps/app-environment.ts');
  const { theme, density } = web.config;
  return endingBrowser(createAppEnvironment(environment, { ...web, look: { theme, density } }), web);
}

/** Refused at once where there is no browser, not by every episode. */
export function endingBrowser(environment: Environment, web: Web): Environment {
  findBrowser(web.config.path ?? undefined);
  return wrapStateEnvironment(environment, {
    async close() {
      try {
        await environment.close?.();
      } finally {
        await web.pool.close();
      }
    },
  });
}
