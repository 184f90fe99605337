import type { RunSummary } from '../../src/server/studio/api.ts';
import { Text } from '../parts/basics.tsx';
import { linkTo } from '../route.ts';
import { dollars, figure, outcomes, percent } from '../words.ts';

interface Compared {
  readonly run: RunSummary;
  readonly episodes: number;
  readonly rate: number;
  /** Wilson's interval of 95 %. */
  readonly low: number;
  readonly high: number;
  readonly cost: number;
}

/** Every run beside the others: success with its interval, and what an episode cost. */
export function AllRuns({ runs }: { readonly runs: readonly RunSummary[] }) {
  const compared = runs.filter(({ problem }) => problem === null).map(figuresOf);
  const counted = compared.filter(({ episodes }) => episodes > 0);
  return (
    <>
      <h2>All runs</h2>
      <CostChart compared={counted} />
      <table>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Episodes</th>
            <th scope="col">Passed (95 % interval)</th>
            <th scope="col">Steps an episode</th>
            <th scope="col">Tokens an episode</th>
            <th scope="col">Cost an episode</th>
          </tr>
        </thead>
        <tbody>
          {counted.map(({ run, episodes, rate, low, high, cost }) => (
            <tr key={run.id}>
              <th scope="row">
                <a href={linkTo(['run', run.id])}>
                  <Text>{run.name}</Text>
                </a>
              </th>
              <td>{figure(episodes)}</td>
              <td>
                {percent(rate)} <span class="soft">({`${percent(low)} to ${percent(high)}`})</span>
              </td>
              <td>{(run.taken / episodes).toFixed(1)}</td>
              <td>{run.tokens === 0 ? '–' : figure(Math.round(run.tokens / episodes))}</td>
              <td>{dollars(cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const z = 1.96;

function figuresOf(run: RunSummary): Compared {
  // What broke says nothing of a student.
  const episodes = outcomes.filter(name => name !== 'errored').reduce((sum, name) => sum + run.outcomes[name], 0);
  const rate = episodes === 0 ? 0 : run.outcomes.passed / episodes;
  const middle = (rate + (z * z) / (2 * episodes)) / (1 + (z * z) / episodes);
  const half =
    (z / (1 + (z * z) / episodes)) * Math.sqrt((rate * (1 - rate)) / episodes + (z * z) / (4 * episodes * episodes));
  return {
    run,
    episodes,
    rate,
    low: Math.max(0, middle - half),
    high: Math.min(1, middle + half),
    cost: run.cost / episodes,
  };
}

const [width, height, edge] = [560, 220, 36];

/** Success against cost; against steps where nothing was paid. */
function CostChart({ compared }: { readonly compared: readonly Compared[] }) {
  if (compared.length < 2) return null;
  const isPaid = compared.some(({ cost }) => cost > 0);
  const priceOf = ({ cost, run, episodes }: Compared): number => (isPaid ? cost : run.taken / episodes);
  const most = Math.max(...compared.map(priceOf)) || 1;
  const x = (value: number): number => edge + ((width - 2 * edge) * value) / most;
  const y = (share: number): number => height - edge - (height - 2 * edge) * share;
  const name = isPaid ? 'cost an episode' : 'steps an episode';
  return (
    <figure>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Success against ${name}; the table has the figures`}
      >
        <path d={`M${edge} ${y(1)}V${y(0)}H${width - edge}`} class="axis" />
        <text x={4} y={y(1) + 4}>
          100 %
        </text>
        <text x={16} y={y(0) + 4}>
          0 %
        </text>
        <text x={width - edge} y={height - 8} text-anchor="end">
          {name}, up to {isPaid ? dollars(most) : most.toFixed(1)}
        </text>
        {compared.map(own => (
          <g key={own.run.id}>
            <title>{own.run.name}</title>
            <path d={`M${x(priceOf(own))} ${y(own.low)}V${y(own.high)}`} class="interval" />
            <circle cx={x(priceOf(own))} cy={y(own.rate)} r={4} class="dot" />
          </g>
        ))}
      </svg>
    </figure>
  );
}
