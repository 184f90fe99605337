import { type ReportData, readReportData } from './data.ts';
import { archiveSection } from './figures/archive-map.ts';
import { learningCurve, queriesCurve } from './figures/curves.ts';
import { endingsSection } from './figures/endings.ts';
import { teacherSection } from './figures/teacher.ts';
import { templatesSection } from './figures/templates.ts';
import { gallerySection } from './figures/trees.ts';
import { html, type Markup, trusted } from './html.ts';
import { methodSection } from './method.ts';
import { claimsSection, keyFigures, verdictOf } from './opening.ts';
import { script } from './script.ts';
import type { Part } from './section.ts';
import { style } from './style.ts';
import { tidy } from './words.ts';

/** Nothing may be loaded: what the page needs is in it. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const parts = [
  claimsSection,
  learningCurve,
  queriesCurve,
  archiveSection,
  teacherSection,
  gallerySection,
  templatesSection,
  endingsSection,
] as const;

/** One HTML file that needs nothing but a browser. */
export function writeReport(given: ReportData): string {
  const data = readReportData(given);
  const made = parts.map(part => part(data));
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${data.title}</title><style>${trusted(style)}</style></head>
<body><header><h1>${data.title}</h1><p class="verdict">${tidy(verdictOf(data))}</p>${keyFigures(data)}</header>
<main>${made.map(part => ('drawn' in part ? part.drawn : null))}
${missingSection(made)}
${methodSection(data)}</main>
<footer>Espalier ${data.version}. This page loads nothing and sends nothing.</footer>
<script>${trusted(script)}</script></body></html>
`.markup;
}

function missingSection(made: readonly Part[]): Markup | null {
  const missing = made.filter(part => 'missing' in part);
  if (missing.length === 0) return null;
  return html`<section id="missing"><h2>Not in this report</h2><dl>${missing.map(
    part => html`<dt>${part.title}</dt><dd>${part.missing}</dd>`,
  )}</dl></section>`;
}
