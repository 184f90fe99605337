import type { Random } from '../../../src/core/random.ts';
import { createRandom } from '../../../src/core/random.ts';
import type { Feature } from './feature.ts';

/** A feature in a page: all that the page draws for it comes from its seed, so that others can be taken out around it. */
export interface Slot {
  readonly feature: string;
  /** Stays the same when others are taken out. */
  readonly number: number;
  readonly seed: string;
}

export type Library = ReadonlyMap<string, Feature>;

/** The HTML of a page with these features. */
export function writePage(slots: readonly Slot[], library: Library): string {
  const drawn = slots.map(slot => drawSlot(slot, requireFeature(library, slot.feature)));
  const css = drawn
    .map(part => part.css)
    .filter(Boolean)
    .join('\n');
  return `<!doctype html><meta charset="utf-8"><title>Page</title>
<style>body { margin: 8px; font: 14px sans-serif } p { margin: 2px }
${css}</style>
${drawn.map(part => part.html).join('\n')}
<button id="show">Show</button>
<script>
document.getElementById('show').onclick = () => { dispatchEvent(new Event('show')) };
addEventListener('keydown', ({ key }) => { if (key === 'F2') dispatchEvent(new Event('show')) });
</script>
${drawn.map(part => part.script).join('\n')}
`;
}

interface DrawnSlot {
  readonly html: string;
  readonly css: string;
  readonly script: string;
}

function drawSlot(slot: Slot, feature: Feature): DrawnSlot {
  const random = createRandom(slot.seed);
  const fill = (text: string): string => fillIn(text, slot.number, random);
  const id = (part: string): string => `s${slot.number}${part}`;
  const buttons = feature.changes.map(
    (_, index) => `<button id="${id(`do${index}`)}">Do ${slot.number}${'abcdef'[index]}</button>`,
  );
  const handlers = feature.changes.map((change, index) => {
    const button = `document.getElementById('${id(`do${index}`)}')`;
    const run = `() => { ${fill(change)} }`;
    return random.chance(0.5) ? `${button}.onclick = ${run};` : `${button}.addEventListener('click', ${run});`;
  });
  const out = `document.getElementById('${id('out')}')`;
  const show = `addEventListener('show', () => { let text; try { text = String(${fill(feature.show)}) } catch (error) { text = 'error ' + error.name } ${out}.textContent = text });`;
  const code = `${fill(feature.script)};\n${[...handlers, show].join('\n')}`;
  return {
    html: `<div>${fill(feature.html)}${buttons.join('')}<p id="${id('out')}" role="status"></p></div>`,
    css: fill(feature.css),
    script: wrapped(code, feature, random),
  };
}

function wrapped(code: string, { scope }: Feature, random: Random): string {
  const ways =
    scope === 'top' ? ['top'] : scope === 'sloppy' ? ['top', 'inner'] : ['top', 'top', 'inner', 'inner', 'module'];
  const way = random.pick(ways);
  if (way === 'module') return `<script type="module">${code}</script>`;
  return way === 'inner' ? `<script>(() => { ${code} })()</script>` : `<script>${code}</script>`;
}

function fillIn(text: string, number: number, random: Random): string {
  return text
    .replaceAll(/«([^»]*)»/g, (_, choices: string) => random.pick(choices.split('|')))
    .replaceAll('$#', String(number))
    .replaceAll(/\$(?=[a-zA-Z])/g, `s${number}`);
}

function requireFeature(library: Library, name: string): Feature {
  const feature = library.get(name);
  if (feature === undefined) throw new Error(`There is no feature "${name}".`);
  return feature;
}
