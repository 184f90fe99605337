import { drawChart, type Chart } from './figures/chart.ts';

/** Colours of the lines on a light and on a dark page, which stand apart for colour-blind readers, too. */
const colours: readonly (readonly [string, string])[] = [
  ['#0b66a8', '#5db3ef'],
  ['#b3400a', '#f08a4b'],
  ['#00754f', '#35c490'],
  ['#a5487f', '#dd8fbf'],
  ['#7a6400', '#d9c04a'],
  ['#3b7f9e', '#8fd0e6'],
  ['#6b4fa0', '#b6a1e6'],
  ['#4a4f55', '#c3c8ce'],
];

const lines = (which: 0 | 1): string =>
  colours
    .map(({ [which]: colour }, index) => {
      const own = `.arm-${index}`;
      return `${own} .band,${own} .point,${own} .name{fill:${colour}}${own} .line{stroke:${colour}}`;
    })
    .join('');

const style = [
  'text{font:12.5px system-ui,sans-serif;fill:#555}.sheet{fill:#fff}',
  '.name{font-weight:600;paint-order:stroke;stroke:#fff;stroke-width:4px}',
  '.grid{stroke:#ddd}.rule line{stroke:#888;stroke-dasharray:4 3}.band{opacity:.08}.line{fill:none;stroke-width:1.8}',
  '.point{stroke:#fff;stroke-width:1.2}',
  lines(0),
  '@media(prefers-color-scheme:dark){text{fill:#bbb}.sheet{fill:#14171a}.name,.point{stroke:#14171a}.grid{stroke:#333}',
  `${lines(1)}}`,
].join('');

/** A chart as an SVG file of its own, for a page of docs. */
export function chartFile(chart: Chart): string {
  const { markup } = drawChart(chart);
  const inner = markup.slice(markup.indexOf('<svg ') + 5, markup.lastIndexOf('</svg>'));
  const at = inner.indexOf('>') + 1;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${inner.slice(0, at)}<style>${style}</style><rect class="sheet" width="100%" height="100%"/>${inner.slice(at)}</svg>\n`;
}
