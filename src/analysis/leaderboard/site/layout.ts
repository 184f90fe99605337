import { createEmbeddedScreenshots } from '../../report/embedded-screenshots.ts';
import { html, trusted, type Content } from '../../report/html.ts';
import { writePage } from '../../report/page.ts';
import type { Part } from '../../report/section.ts';

/** A page of the site. */
export interface SitePage {
  /** From the folder of the site: `entrants/one.html`. */
  readonly path: string;
  readonly text: string;
}

export interface SitePageContent {
  readonly path: string;
  readonly title: string;
  /** One sentence on what was found. */
  readonly verdict: string;
  readonly lead?: Content;
  readonly parts: readonly (Part | null)[];
}

export interface SiteOptions {
  readonly title: string;
  readonly version: string;
  /** Further pages that are linked from every page. */
  readonly pages: readonly { readonly path: string; readonly name: string }[];
}

/** What pages of a site have beside those of reports. */
const style = `<style>
nav{display:flex;flex-wrap:wrap;gap:4px 22px;font-size:14px;margin:-28px 0 30px}
nav a[aria-current]{color:var(--ink);font-weight:600;text-decoration:none}
a{color:var(--c0);text-decoration-thickness:1px;text-underline-offset:3px}
table a{color:inherit;text-decoration-color:var(--faint)}
table a:hover{text-decoration-color:currentColor}
table small,td small{color:var(--soft)}
td .gamed{color:var(--bad);display:block;text-align:right}
.front{color:var(--good);font-weight:600;white-space:nowrap}
.tags th,.tags td{text-align:left;vertical-align:top}
.ranking th[scope=row]{white-space:nowrap}
.ranking td{white-space:nowrap}
.heat th[scope=col]{white-space:normal;max-width:120px}
.tradeoff{overflow-x:auto}
.tradeoff svg{min-width:600px}
.tradeoff .front-line{fill:none;stroke:var(--soft);stroke-width:1.5;stroke-dasharray:4 3}
.tradeoff .off{opacity:.45}
.tradeoff .point{cursor:default}
</style>`;

/** Draws a page with the links that all pages have. */
export function drawPage(content: SitePageContent, { title, version, pages }: SiteOptions): SitePage {
  const { path, verdict, lead = null, parts } = content;
  const up = '../'.repeat(path.split('/').length - 1);
  const links = [{ path: 'index.html', name: title }, ...pages];
  return {
    path,
    text: writePage({
      title: path === 'index.html' ? title : `${content.title} – ${title}`,
      version,
      album: createEmbeddedScreenshots([], {}),
      header: html`${trusted(style)}<nav>${links.map(link =>
        link.path === path
          ? html`<a aria-current="page">${link.name}</a>`
          : html`<a href="${up}${link.path}">${link.name}</a>`,
      )}</nav><h1>${content.title}</h1><p class="verdict">${verdict}</p>${lead}`,
      main: parts.map(part => (part !== null && 'drawn' in part ? part.drawn : null)),
    }),
  };
}
