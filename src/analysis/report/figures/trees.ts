import { type DrawnNode, type DrawnTree, storyOf } from '../../gallery.ts';
import type { EmbeddedScreenshots } from '../embedded-screenshots.ts';
import type { ReportData } from '../data.ts';
import { type Content, html, type Markup } from '../html.ts';
import { type Part, section } from '../section.ts';
import { count } from '../../../core/text.ts';
import { layLanes, type Spot } from './lanes.ts';
import { film, isPictured, stage } from './shots.ts';

const title = 'Collected episodes as trees';
const rowHeight = 30;
/** A rejected step says why, in a second line. */
const reasonHeight = 20;
const laneWidth = 18;

const kinds = [
  ['kept', 'kept'],
  ['correction', 'the teacher’s correction'],
  ['rolled-back', 'rolled back'],
  ['rejected', 'rejected here'],
] as const;

export const treeManual =
  'Point at a step, or tab to it, to see who took it, why it was rejected, and the digest of the state it led to.';

export function gallerySection({ gallery }: ReportData, screenshots: EmbeddedScreenshots): Part {
  if (gallery.length === 0) return { title, missing: 'No collected episode was chosen for drawing.' };
  return section({
    id: 'gallery',
    title,
    finding: `${count(gallery.length, 'collected episode')}, read downwards. ${treeManual}${pictureManual(screenshots)}`,
    body: html`${treeSigns()}
<div class="cards">${gallery.map((tree, index) => treeCard(tree, index, screenshots))}</div>`,
  });
}

/** The trees of both galleries have different ids. */
export function evaluationGallerySection(data: ReportData, screenshots: EmbeddedScreenshots): Part {
  const { gallery, evaluationGallery: trees, comparisons } = data;
  const name = 'Evaluation episodes as trees';
  if (trees.length === 0) return { title: name, missing: 'Nothing was evaluated in this run.' };
  const what =
    comparisons.length === 0
      ? `${count(trees.length, 'episode')} of the student that was evaluated last.`
      : `${count(trees.length, 'episode')} of both students, first the tasks that only one of them passed.`;
  return section({
    id: 'evaluation-gallery',
    title: name,
    finding: `${what} ${treeManual}${gallery.length === 0 ? pictureManual(screenshots) : ''}`,
    body: html`<div class="cards${comparisons.length === 0 ? '' : ' pairs'}">${trees.map((tree, index) => treeCard(tree, gallery.length + index, screenshots))}</div>`,
  });
}

/** What is to be seen on screenshots, and which are not there. */
export function pictureManual({ sheet, remark }: EmbeddedScreenshots): string {
  const shown =
    sheet === null
      ? []
      : ['The screenshot is what its actor saw, with the step drawn on it; the film follows the path that was kept.'];
  return [...shown, ...(remark === null ? [] : [remark])].map(sentence => ` ${sentence}`).join('');
}

export function treeSigns(): Markup {
  return html`<p class="signs">${kinds.map(([kind, meaning]) => html`<span><svg viewBox="-9 -9 18 18" aria-hidden="true">${dot(kind)}</svg>${meaning}</span>`)}</p>`;
}

interface Row extends Spot {
  readonly y: number;
  readonly height: number;
}

/** An episode: its tree, the step that is pointed at, and where the page has screenshots, that of the step and a film. */
export function treeCard(tree: DrawnTree, index: number, screenshots: EmbeddedScreenshots): Markup {
  const styleOf = screenshots.stylesOf(tree);
  const shown = tree.nodes.find(({ rejection }) => rejection !== null) ?? tree.nodes.at(-1);
  const head = html`<p class="story">${storyOf(tree)}</p><h3>${tree.instruction}</h3>
<p class="about">${tree.app} / ${tree.template}${tree.student === undefined ? null : ` · ${tree.student}`} · <span class="outcome ${tree.outcome}">${tree.outcome}</span>${tree.reason === null ? null : `, ${tree.reason}`} · ${count(tree.nodes.length, 'step')} taken</p>`;
  if (shown === undefined || !isPictured(tree, styleOf))
    return html`<article class="card" id="tree-${index}">${head}
${treeFigure(tree)}
${shown === undefined ? null : details(shown)}</article>`;
  return html`<article class="card pictured" id="tree-${index}">${head}
<div class="split">${treeFigure(tree)}
<div class="view">${stage(tree, shown, styleOf)}${film(tree, shown, styleOf)}${details(shown)}</div></div></article>`;
}

function treeFigure(tree: DrawnTree): Markup {
  const rows = rowsOf(tree);
  const last = rows.at(-1);
  const height = last === undefined ? rowHeight : last.y + last.height - rowHeight / 2;
  const width = (Math.max(0, ...rows.map(({ lane }) => lane)) + 1) * laneWidth + 6;
  return html`<div class="tree" style="--lanes:${width}px"><svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" aria-hidden="true">
${rows.map(row => edge(row, rows))}${place(html`<circle class="root" r="3.5"/>`, 0, rowHeight / 2)}
${rows.map(row => place(dot(kindOf(row.node)), row.lane, row.y))}</svg>
<ol><li class="start" style="height:${rowHeight}px">start</li>${rows.map(row => step(row))}</ol></div>`;
}

function rowsOf(tree: DrawnTree): readonly Row[] {
  let top = rowHeight;
  return layLanes(tree).map(spot => {
    const height = rowHeight + (spot.node.rejection === null ? 0 : reasonHeight);
    const y = top + rowHeight / 2;
    top += height;
    return { ...spot, y, height };
  });
}

function place(drawing: Markup, lane: number, y: number): Markup {
  return html`<g transform="translate(${xOf(lane)} ${y})">${drawing}</g>`;
}

function xOf(lane: number): number {
  return 11 + lane * laneWidth;
}

/** Leaves its parent sideways at once, then runs down its own lane. */
function edge({ node, lane, y }: Row, rows: readonly Row[]): Markup {
  const parent = rows.find(row => row.node.id === node.parent);
  const [fromX, fromY] = [xOf(parent?.lane ?? 0), parent?.y ?? rowHeight / 2];
  const x = xOf(lane);
  const bend = fromY + rowHeight * 0.8;
  const path =
    x === fromX ? `M${x} ${fromY}V${y}` : `M${fromX} ${fromY}C${fromX} ${bend} ${x} ${fromY + 4} ${x} ${bend}V${y}`;
  return html`<path class="edge ${node.status}" d="${path}"/>`;
}

function kindOf({ rejection, status }: DrawnNode): string {
  return rejection === null ? status : 'rejected';
}

function dot(kind: string): Markup {
  switch (kind) {
    case 'correction':
      return html`<path class="dot correction" d="M0-6.5 6.5 0 0 6.5-6.5 0Z"/>`;
    case 'rejected':
      return html`<circle class="dot rejected" r="6"/><path class="cross" d="M-2.6-2.6 2.6 2.6M2.6-2.6-2.6 2.6"/>`;
    case 'rolled-back':
      return html`<circle class="dot rolled-back" r="4.2"/>`;
    default:
      return html`<circle class="dot kept" r="5"/>`;
  }
}

function step({ node, height }: Row): Markup {
  const notes = notesOf(node);
  return html`<li style="height:${height}px"><button type="button" class="step ${node.status}" data-node="${node.id}" data-text="${node.text}" data-by="${byText(node)}" data-notes="${notes.join('\n')}" data-digest="${node.digest}">
<span class="text">${spoken(node)}<span class="action">${node.text}</span></span>${badge(node)}${node.rejection === null ? null : html`<em>${node.rejection}</em>`}</button></li>`;
}

/** A text version of the drawing, for screen readers. */
function spoken({ status }: DrawnNode): Markup | null {
  return status === 'kept'
    ? null
    : html`<span class="unseen">${status === 'correction' ? 'correction' : 'rolled back'}: </span>`;
}

function badge({ verdict }: DrawnNode): Markup | null {
  if (verdict === null) return null;
  return verdict.pass ? html`<span class="badge pass">✓ passes</span>` : html`<span class="badge fail">✕ fails</span>`;
}

function byText({ actor }: DrawnNode): string {
  return `${actor.role} ${actor.name}`;
}

function notesOf({ rejection, replaces, thought, verdict, status }: DrawnNode): readonly string[] {
  return [
    ...(rejection === null ? [] : [`Rejected: ${rejection}`]),
    ...(rejection === null && status === 'rolled-back' ? ['Rolled back'] : []),
    ...(status === 'correction'
      ? [replaces === null ? 'Taken over by the teacher' : `In the place of step ${replaces}`]
      : []),
    ...(thought === null ? [] : [`Thought: ${thought}`]),
    ...(verdict === null || verdict.pass
      ? []
      : [`Not met: ${[...verdict.unmet, ...(verdict.clean ? [] : ['nothing else touched'])].join('; ')}`]),
  ];
}

function details(node: DrawnNode): Content {
  return html`<div class="details" aria-live="polite"><p class="what">${node.text}</p>
<p><span class="by">${byText(node)}</span> · state <code>${node.digest}</code></p><p class="notes">${notesOf(node).join('\n')}</p></div>`;
}
