import type { EmbeddedScreenshots } from './embedded-screenshots.ts';
import { type Content, html, trusted } from './html.ts';
import { script } from './script.ts';
import { style } from './style.ts';

/** Content security policy: the page loads nothing. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export interface Page {
  readonly title: string;
  readonly version: string;
  readonly album: EmbeddedScreenshots;
  readonly header: Content;
  readonly main: Content;
}

/** One HTML file that needs nothing but a browser. */
export function writePage({ title, version, album: screenshots, header, main }: Page): string {
  const allowed = screenshots.sheet === null ? policy : `${policy}; img-src data:`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${allowed}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${trusted(style)}</style>${screenshots.sheet}</head>
<body><header>${header}</header>
<main>${main}</main>
<footer>Espalier ${version}. This page loads nothing and sends nothing.</footer>
<script>${trusted(script)}</script></body></html>
`.markup;
}
