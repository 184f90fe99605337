import { chartHeight, chartSpots, drawChart, type Chart, type ChartSpot } from './figures/chart.ts';

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

/** Bands of more lines than this cover each other: the numbers stand in a table beside. */
const mostBands = 3;

const styleOf = (series: number): string =>
  [
    'text{font:12.5px system-ui,sans-serif;fill:#555}.sheet{fill:#fff}',
    '.name{font-weight:600;paint-order:stroke;stroke:#fff;stroke-width:4px}',
    '.grid{stroke:#ddd}.rule line{stroke:#888;stroke-dasharray:4 3}.line{fill:none;stroke-width:1.8}',
    `.tie,.rule .tie{fill:none;stroke:#888;stroke-width:.8;stroke-dasharray:none}.band{${series > mostBands ? 'display:none' : 'opacity:.08'}}`,
    '.point{stroke:#fff;stroke-width:1.2}',
    lines(0),
    '@media(prefers-color-scheme:dark){text{fill:#bbb}.sheet{fill:#14171a}.name,.point{stroke:#14171a}.grid{stroke:#333}',
    `${lines(1)}}`,
  ].join('');

/** The file is this much wider than the drawing, and as wide as this. */
const [leftRoom, fileWidth] = [10, 510];

/** The points of a chart as shares of the width and height of its file. */
export function chartFileSpots(chart: Chart): readonly ChartSpot[] {
  return chartSpots(chart).map(({ x, y, text }) => ({ x: (x + leftRoom) / fileWidth, y: y / chartHeight, text }));
}

/** A chart as an SVG file of its own, for a page of docs. */
export function chartFile(chart: Chart): string {
  const { markup: drawn } = drawChart(chart);
  // Some fonts are wide: the numbers at the left need room.
  const markup = drawn.replace('viewBox="0 0 500 ', `viewBox="${-leftRoom} 0 ${fileWidth} `);
  const inner = markup.slice(markup.indexOf('<svg ') + 5, markup.lastIndexOf('</svg>'));
  const at = inner.indexOf('>') + 1;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${inner.slice(0, at)}<style>${styleOf(chart.series.length)}</style><rect class="sheet" x="${-leftRoom}" width="100%" height="100%"/>${inner.slice(at)}</svg>\n`;
}
