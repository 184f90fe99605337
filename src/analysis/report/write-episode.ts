import type { DrawnTree } from '../gallery.ts';
import { type EmbeddedScreenshotsOptions, createEmbeddedScreenshots } from './embedded-screenshots.ts';
import { pictureManual, treeCard, treeManual, treeSigns } from './figures/trees.ts';
import { html } from './html.ts';
import { writePage } from './page.ts';

export interface EpisodePageOptions extends EmbeddedScreenshotsOptions {
  readonly version: string;
}

/** A single episode has no size limit. */
const usualLimit = 200 * 10 ** 6;

/** One episode as an HTML file, drawn as in a report. */
export function writeEpisodePage(tree: DrawnTree, options: EpisodePageOptions): string {
  const screenshots = createEmbeddedScreenshots([tree], { pictureLimit: usualLimit, ...options });
  return writePage({
    title: tree.key,
    version: options.version,
    album: screenshots,
    header: html`<h1>${tree.key}</h1>`,
    main: html`<p class="finding">${`${treeManual}${pictureManual(screenshots)}`}</p>${treeSigns()}
<div class="cards alone">${treeCard(tree, 0, screenshots)}</div>`,
  });
}
