import type { RunSummary } from '../../api/api.ts';
import type { GroupFigures } from '../../api/api-live.ts';
import type { RateView } from '../../api/api-learning.ts';
import { Text } from '../parts/basics.tsx';
import { Spots } from '../parts/spots.tsx';
import { linkTo } from '../route.ts';
import { dollars, figure, percent } from '../words.ts';

interface Compared {
  readonly run: RunSummary;
  readonly measured: 'evaluation' | 'training';
  readonly figures: GroupFigures;
  readonly success: RateView;
}

/** Every run beside the others: success with its interval, and what an episode cost. */
export function AllRuns({ runs }: { readonly runs: readonly RunSummary[] }) {
  const counted = runs.filter(({ problem }) => problem === null).flatMap(measuredOf);
  return (
    <>
      <h2>All runs</h2>
      <CostChart compared={counted} />
      <div class="wide text" tabIndex={0} role="group" aria-label="All runs">
        <table>
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col">Measured in</th>
              <th scope="col">Episodes</th>
              <th scope="col">Passed (95 % interval)</th>
              <th scope="col">Steps an episode</th>
              <th scope="col">Tokens an episode</th>
              <th scope="col">Cost an episode</th>
            </tr>
          </thead>
          <tbody>
            {counted.map(({ run, measured, figures, success: { rate, low, high, of } }) => (
              <tr key={run.id}>
                <th scope="row">
                  <a href={linkTo(['run', run.id])}>
                    <Text>{run.name}</Text>
                  </a>
                </th>
                <td>{measured}</td>
                <td>{figure(of)}</td>
                <td>
                  {percent(rate)} <span class="soft">({`${percent(low)} to ${percent(high)}`})</span>
                </td>
                <td>{(figures.taken / of).toFixed(1)}</td>
                <td>{figures.tokens === 0 ? '–' : figure(Math.round(figures.tokens / of))}</td>
                <td>{dollars(figures.cost / of)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Evaluation where there is one: what was collected passes with the help of a teacher. */
function measuredOf(run: RunSummary): Compared[] {
  for (const measured of ['evaluation', 'training'] as const) {
    const figures = run[measured];
    const success = figures?.success ?? null;
    if (figures !== null && success !== null) return [{ run, measured, figures, success }];
  }
  return [];
}

const [width, height, edge] = [560, 220, 44];

/** Success against cost; against steps where nothing was paid. */
function CostChart({ compared }: { readonly compared: readonly Compared[] }) {
  if (compared.length < 2) return null;
  const isPaid = compared.some(({ figures }) => figures.cost > 0);
  const priceOf = ({ figures: { cost, taken }, success: { of } }: Compared): number => (isPaid ? cost : taken) / of;
  const most = Math.max(...compared.map(priceOf)) || 1;
  const x = (value: number): number => edge + ((width - 2 * edge) * value) / most;
  const y = (share: number): number => height - edge - (height - 2 * edge) * share;
  const priceText = (own: Compared): string =>
    isPaid ? `${dollars(priceOf(own))} an episode` : `${priceOf(own).toFixed(1)} steps an episode`;
  const name = isPaid ? 'cost an episode' : 'steps an episode';
  return (
    <figure class="spotted">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Success against ${name}; the table has the figures`}
      >
        <path d={`M${edge} ${y(1)}V${y(0)}H${width - edge}`} class="axis" />
        <text x={edge - 6} y={y(1) + 4} text-anchor="end">
          100 %
        </text>
        <text x={edge - 6} y={y(0) + 4} text-anchor="end">
          0 %
        </text>
        <text x={width - edge} y={height - 8} text-anchor="end">
          {name}, up to {isPaid ? dollars(most) : most.toFixed(1)}
        </text>
        {compared.map(own => (
          <g key={own.run.id}>
            <path d={`M${x(priceOf(own))} ${y(own.success.low)}V${y(own.success.high)}`} class="interval" />
            <circle cx={x(priceOf(own))} cy={y(own.success.rate)} r={4} class="dot" />
          </g>
        ))}
      </svg>
      <Spots
        title={`Success against ${name}`}
        points={compared.map(own => ({
          x: x(priceOf(own)) / width,
          y: y(own.success.rate) / height,
          text: `${own.run.name}: ${priceText(own)}, ${percent(own.success.rate)} passed (95 % interval ${percent(own.success.low)} to ${percent(own.success.high)}), ${own.measured}`,
        }))}
      />
    </figure>
  );
}
