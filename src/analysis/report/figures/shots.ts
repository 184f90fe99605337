import { count } from '../../../core/text.ts';
import type { DrawnNode, DrawnTree } from '../../gallery.ts';
import type { StyleOf } from '../embedded-screenshots.ts';
import { html, type Markup } from '../html.ts';
import { labelOf, markOf, smallMarkOf } from './marks.ts';

/** Whether the page has a screenshot of any step. */
export function isPictured({ nodes }: DrawnTree, styleOf: StyleOf): boolean {
  return nodes.some(({ shot }) => shot !== undefined && styleOf(shot) !== null);
}

/** The screenshot of each step, of which one is shown at a time. */
export function stage({ nodes }: DrawnTree, shown: DrawnNode, styleOf: StyleOf): Markup {
  return html`<div class="stage">${nodes.map(
    node =>
      html`<div class="shot" data-node="${node.id}"${node === shown ? null : html` hidden`}>${large(node, styleOf)}</div>`,
  )}</div>`;
}

function large(node: DrawnNode, styleOf: StyleOf): Markup {
  const { shot } = node;
  const style = shot === undefined ? null : styleOf(shot);
  if (shot === undefined || style === null) return html`<p class="absent">No screenshot of this step.</p>`;
  const { width, height } = shot;
  return html`<div class="screen ${style} ${node.status}" role="img" aria-label="Screenshot of the screen before: ${node.text}" style="aspect-ratio:${width}/${height};max-width:min(${width}px,${Math.round((560 * width) / height)}px)">${markOf(shot)}${labelOf(shot)}</div>`;
}

/** Small screenshots of the path that was kept, in its order. */
export function film({ nodes }: DrawnTree, shown: DrawnNode, styleOf: StyleOf): Markup {
  const kept = nodes.filter(({ status }) => status !== 'rolled-back');
  const first = kept.includes(shown) ? shown : kept[0];
  return html`<div class="film" role="group" aria-label="Screenshots of the ${count(kept.length, 'step')} that were kept">${kept.map(
    (node, place) =>
      html`<button type="button" class="frame ${node.status}" data-node="${node.id}" tabindex="${node === first ? 0 : -1}"${node === shown ? html` aria-current="true"` : null} aria-label="Step ${place + 1}: ${node.text}">${small(node, styleOf)}<span class="number">${place + 1}</span></button>`,
  )}</div>`;
}

function small({ shot, status }: DrawnNode, styleOf: StyleOf): Markup {
  const style = shot === undefined ? null : styleOf(shot);
  if (shot === undefined || style === null) return html`<span class="screen none"></span>`;
  return html`<span class="screen ${style} ${status}" style="aspect-ratio:${shot.width}/${shot.height}">${smallMarkOf(shot)}</span>`;
}
