import { type Content, html, type Markup } from './html.ts';
import { tidy } from './words.ts';

export interface Section {
  readonly id: string;
  readonly title: string;
  /** What it shows, in a sentence. */
  readonly finding: string;
  readonly body: Content;
}

/** A section of the report, or one sentence when the run has no data for it. */
export type Part = { readonly drawn: Markup } | { readonly title: string; readonly missing: string };

export function section({ id, title, finding, body }: Section): Part {
  return {
    drawn: html`<section id="${id}"><h2>${title}</h2><p class="finding">${tidy(finding)}</p>${body}</section>`,
  };
}

export interface DataTable {
  readonly caption: string;
  readonly head: readonly string[];
  /** The first cell names its row. */
  readonly rows: readonly (readonly Content[])[];
}

export function table({ caption, head, rows }: DataTable): Markup {
  return html`<div class="scroll"><table><caption><span>${caption}</span></caption>
<thead><tr>${head.map(cell => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([first = '', ...rest]) => html`<tr><th scope="row">${first}</th>${rest.map(cell => html`<td>${cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

/** The numbers behind a figure, as a table. */
export function behind(data: DataTable): Markup {
  return html`<details class="data"><summary>The numbers</summary>${table(data)}</details>`;
}

/** A figure, what it is, and a remark. */
export type KeyFigure = readonly [value: string, name: string, remark: string];

/** The figures that one looks for first. */
export function keyFigureList(figures: readonly KeyFigure[]): Markup {
  return html`<dl class="keys">${figures.map(
    ([value, name, remark]) => html`<div><dt>${name}</dt><dd>${value}</dd><dd class="remark">${remark}</dd></div>`,
  )}</dl>`;
}
