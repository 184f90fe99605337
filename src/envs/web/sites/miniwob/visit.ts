import type { BrowserPool, Viewport } from '../../browser/pool.ts';
import type { Site } from '../../sessions/site.ts';
import { openTab, type Tab } from '../../tab/tab.ts';

export interface Windows {
  readonly pool: BrowserPool;
  readonly viewport: Viewport;
}

/** Opens a site in a context of its own, which is closed with the tab. */
export async function openFresh({ pool, viewport }: Windows, site: Site): Promise<Tab> {
  const page = await pool.open(viewport);
  try {
    return await openTab(page, site);
  } catch (cause) {
    await page.close();
    throw cause;
  }
}

/** Opens a site for as long as something is done in it. */
export async function visit<T>(windows: Windows, site: Site, use: (tab: Tab) => Promise<T>): Promise<T> {
  const tab = await openFresh(windows, site);
  try {
    return await use(tab);
  } finally {
    await tab.close();
  }
}
