import { type EmbeddedScreenshotsOptions, createEmbeddedScreenshots } from './embedded-screenshots.ts';
import { type ReportData, readReportData } from './data.ts';
import { archiveSection } from './figures/archive-map.ts';
import { comparisonSection } from './figures/comparison.ts';
import { contractsSection } from './contracts-section.ts';
import { integritySection } from './integrity-section.ts';
import { learningCurve, queriesCurve } from './figures/curves.ts';
import { causesSection } from './figures/causes.ts';
import { endingsSection } from './figures/endings.ts';
import { runsCompared } from './figures/runs-compared.ts';
import { teacherSection } from './figures/teacher.ts';
import { templatesSection } from './figures/templates.ts';
import { evaluationGallerySection, gallerySection } from './figures/trees.ts';
import { recordedSection } from './figures/recorded.ts';
import { html, type Markup } from './html.ts';
import { methodSection } from './method.ts';
import { claimsSection, keyFigures, verdictOf } from './opening.ts';
import { writePage } from './page.ts';
import type { Part } from './section.ts';
import { threatsSection, trustSection, usersSection } from './trust-sections.ts';
import { tidy } from './words.ts';

const parts = [
  claimsSection,
  runsCompared,
  comparisonSection,
  learningCurve,
  queriesCurve,
  recordedSection,
  archiveSection,
  teacherSection,
  gallerySection,
  evaluationGallerySection,
  templatesSection,
  causesSection,
  trustSection,
  threatsSection,
  usersSection,
  contractsSection,
  integritySection,
  endingsSection,
] as const;

/** One HTML file, with the screenshots that `pictures` has. */
export function writeReport(given: ReportData, options: EmbeddedScreenshotsOptions = {}): string {
  const data = readReportData(given);
  const screenshots = createEmbeddedScreenshots([...data.gallery, ...data.evaluationGallery], options);
  // Only the demo shows figures of others.
  const drawn = data.recorded.length === 0 ? parts.filter(part => part !== recordedSection) : parts;
  const made = drawn.map(part => part(data, screenshots));
  return writePage({
    title: data.title,
    version: data.version,
    album: screenshots,
    header: html`<h1>${data.title}</h1><p class="verdict">${tidy(verdictOf(data))}</p>${keyFigures(data)}`,
    main: html`${made.map(part => ('drawn' in part ? part.drawn : null))}
${missingSection(made)}
${methodSection(data)}`,
  });
}

function missingSection(made: readonly Part[]): Markup | null {
  const missing = made.filter(part => 'missing' in part);
  if (missing.length === 0) return null;
  return html`<section id="missing"><h2>Not in this report</h2><dl>${missing.map(
    part => html`<dt>${part.title}</dt><dd>${part.missing}</dd>`,
  )}</dl></section>`;
}
