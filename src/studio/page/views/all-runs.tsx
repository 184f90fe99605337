import type { RunSummary } from '../../api/api.ts';
import type { GroupFigures } from '../../api/api-live.ts';
import type { RateView } from '../../api/api-learning.ts';
import { Text } from '../parts/basics.tsx';
import { Spots } from '../parts/spots.tsx';
import { linkTo } from '../route.ts';
import { dollars, figure, levelNames, outcomes, percent } from '../words.ts';

interface Compared {
  readonly run: RunSummary;
  /** `training`, or the level of the evaluation. */
  readonly measured: string;
  readonly figures: GroupFigures;
}

/** One whose episodes did not all break. */
type Measured = Compared & { readonly success: RateView };

/** Every run beside the others: success with its interval, and what an episode cost. */
export function AllRuns({ runs }: { readonly runs: readonly RunSummary[] }) {
  const counted = runs.filter(({ problem }) => problem === null).flatMap(measuredOf);
  return (
    <>
      <h2>All runs</h2>
      <CostChart compared={firstOfEach(counted)} />
      <div class="wide text" tabIndex={0} role="group" aria-label="All runs">
        <table>
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col">Measured in</th>
              <th scope="col">Episodes</th>
              <th scope="col">Passed (95 % interval)</th>
              <th scope="col">Teacher queries</th>
              <th scope="col">Corrections</th>
              <th scope="col">Steps an episode</th>
              <th scope="col">Tokens an episode</th>
              <th scope="col">Cost an episode</th>
            </tr>
          </thead>
          <tbody>
            {counted.map(({ run, measured, figures }) => (
              <tr key={`${run.id} ${measured}`}>
                <th scope="row">
                  <a href={linkTo(['run', run.id])}>
                    <Text>{run.name}</Text>
                  </a>
                </th>
                <td>{measured}</td>
                <td>{figure(countOf(figures))}</td>
                <td>
                  <Passed figures={figures} />
                </td>
                <td>{run.queries === 0 ? '–' : figure(run.queries)}</td>
                <td>{run.corrections === 0 ? '–' : figure(run.corrections)}</td>
                <td>{(figures.taken / countOf(figures)).toFixed(1)}</td>
                <td>{figures.tokens === 0 ? '–' : figure(Math.round(figures.tokens / countOf(figures)))}</td>
                <td>{dollars(figures.cost / countOf(figures))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Passed({ figures: { success, outcomes: own } }: { readonly figures: GroupFigures }) {
  if (success === null) return <>– all {figure(own.errored)} broke</>;
  return (
    <>
      {percent(success.rate)} <span class="soft">({`${percent(success.low)} to ${percent(success.high)}`})</span>
      {own.errored === 0 ? '' : `, ${figure(own.errored)} broke`}
    </>
  );
}

function countOf({ outcomes: own }: GroupFigures): number {
  return outcomes.reduce((sum, outcome) => sum + own[outcome], 0);
}

/** Evaluation where there is one, level by level: what was collected passes with the help of a teacher. */
function measuredOf(run: RunSummary): Compared[] {
  const { evaluation, training } = run;
  if (evaluation !== null)
    return evaluation.levels.map(({ level, ...figures }) => ({
      run,
      measured: levelNames[level].toLowerCase(),
      figures,
    }));
  return training === null ? [] : [{ run, measured: 'training', figures: training }];
}

/** A point for each run: the level that is nearest to training, of those where anything was verified. */
function firstOfEach(compared: readonly Compared[]): readonly Measured[] {
  const measured = compared.flatMap(one =>
    one.figures.success === null ? [] : [{ ...one, success: one.figures.success }],
  );
  return measured.filter(({ run }, index) => measured.findIndex(other => other.run === run) === index);
}

const [width, height, edge] = [560, 220, 44];

/** Success against cost; against steps where nothing was paid. */
function CostChart({ compared }: { readonly compared: readonly Measured[] }) {
  if (compared.length < 2) return null;
  const isPaid = compared.some(({ figures }) => figures.cost > 0);
  const priceOf = ({ figures }: Measured): number => (isPaid ? figures.cost : figures.taken) / countOf(figures);
  const most = Math.max(...compared.map(priceOf)) || 1;
  const x = (value: number): number => edge + ((width - 2 * edge) * value) / most;
  const y = (share: number): number => height - edge - (height - 2 * edge) * share;
  const priceText = (own: Measured): string =>
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
