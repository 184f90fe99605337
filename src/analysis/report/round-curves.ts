/** A round, with what was measured in it. */
export interface CurvePoint {
  readonly round: number;
  readonly metrics: Readonly<Record<string, number>>;
}

const panels = [
  ['reward', 'Mean reward of attempts'],
  ['kl', 'KL divergence to the first student'],
  ['entropy', 'Entropy of choices'],
] as const;

const [width, height, left, top] = [320, 200, 46, 28];

/** Reward, KL divergence and entropy over rounds, as one SVG file that loads nothing. */
export function roundCurves(rounds: readonly CurvePoint[]): string {
  const drawn = panels.map(([metric, title], index) => panel(title, index * width, valuesOf(rounds, metric)));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${panels.length * width} ${height}" role="img" aria-label="Reward, KL divergence and entropy over rounds"><style>text{font:12px system-ui,sans-serif;fill:#555}path{fill:none;stroke:#0b66a8;stroke-width:1.8}circle{fill:#0b66a8}line{stroke:#ddd}@media(prefers-color-scheme:dark){text{fill:#bbb}path{stroke:#5db3ef}circle{fill:#5db3ef}line{stroke:#333}}</style>${drawn.join('')}</svg>\n`;
}

interface Value {
  readonly round: number;
  readonly value: number;
}

function valuesOf(rounds: readonly CurvePoint[], metric: string): readonly Value[] {
  return rounds.flatMap(({ round, metrics }) => {
    const value = metrics[metric];
    return value === undefined ? [] : [{ round, value }];
  });
}

function panel(title: string, offset: number, values: readonly Value[]): string {
  const name = `<text x="${offset + left}" y="16">${title}</text>`;
  if (values.length === 0) return `${name}<text x="${offset + left}" y="${height / 2}">not measured</text>`;
  const [low, high] = [Math.min(0, ...values.map(one => one.value)), Math.max(...values.map(one => one.value))];
  const last = Math.max(1, ...values.map(one => one.round));
  const x = (round: number): number => offset + left + ((width - left - 16) * round) / last;
  const y = (value: number): number =>
    height - top - ((height - 2 * top) * (value - low)) / (high === low ? 1 : high - low);
  const points = values.map(({ round, value }) => ({
    round,
    value,
    at: [x(round), y(value)].map(at => at.toFixed(1)),
  }));
  const tick = (value: number): string =>
    `<line x1="${offset + left}" x2="${offset + width - 16}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}"/><text x="${offset + left - 6}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${Number(value.toPrecision(3))}</text>`;
  return [
    name,
    ...(high === low ? [high] : [low, high]).map(tick),
    `<text x="${offset + width - 16}" y="${height - 8}" text-anchor="end">round ${last}</text>`,
    `<path d="M${points.map(({ at }) => at.join(' ')).join('L')}"/>`,
    ...points.map(
      ({ round, value, at: [cx = '', cy = ''] }) =>
        `<circle cx="${cx}" cy="${cy}" r="2.5"><title>round ${round}: ${Number(value.toPrecision(4))}</title></circle>`,
    ),
  ].join('');
}
