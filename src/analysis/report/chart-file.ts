import { drawChart, type Chart } from './figures/chart.ts';

/** Colours of the lines, which stand apart for colour-blind readers, too. */
const colours = ['#1b6ca8', '#c4501b', '#3d8a3d', '#8a5aa8', '#a8871b', '#1b8a8a', '#a81b5f'];

const style = [
  'text{font:12.5px system-ui,sans-serif;fill:#555}.name{font-weight:600;paint-order:stroke;stroke:#fff;stroke-width:4px}',
  '.grid{stroke:#ddd}.rule line{stroke:#888;stroke-dasharray:4 3}.band{opacity:.08}.line{fill:none;stroke-width:1.8}',
  '.point{stroke:#fff;stroke-width:1.2}',
  ...colours.map(
    (colour, index) =>
      `.arm-${index} .band,.arm-${index} .point,.arm-${index} .name{fill:${colour}}.arm-${index} .line{stroke:${colour}}`,
  ),
  // Readers of dark pages see a dark picture.
  '@media (prefers-color-scheme:dark){text{fill:#bbb}.name,.point{stroke:#161616}.page{fill:#161616}.grid{stroke:#333}}',
].join('');

/** A chart as an SVG file of its own, for a page of docs. */
export function chartFile(chart: Chart): string {
  const { markup } = drawChart(chart);
  const inner = markup.slice(markup.indexOf('<svg ') + 5, markup.lastIndexOf('</svg>'));
  const at = inner.indexOf('>') + 1;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${inner.slice(0, at)}<style>${style}</style><rect class="page" width="100%" height="100%" fill="#fff"/>${inner.slice(at)}</svg>\n`;
}
