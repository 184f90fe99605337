import type { RunSummary } from '../../api/api.ts';
import type { RunComparison, RunDifference } from '../../api/api-compare.ts';
import { get, useLoaded } from '../client.ts';
import { Problem, Text, Waiting } from '../parts/basics.tsx';
import { AllRuns } from './all-runs.tsx';
import { linkTo } from '../route.ts';
import { dollars, figure, levelNames, percent } from '../words.ts';

interface CompareRunsProps {
  readonly runs: readonly RunSummary[] | null;
  readonly query: Readonly<Record<string, string>>;
}

/** Two runs on the tasks that both have. */
export function CompareRunsView({ runs, query }: CompareRunsProps) {
  if (runs === null) return <Waiting />;
  const left = query['left'] ?? runs[0]?.id ?? '';
  const right = query['right'] ?? runs.find(({ id }) => id !== left)?.id ?? left;
  const choice = (name: 'left' | 'right', label: string, value: string) => (
    <label>
      {label}
      <select
        value={value}
        onChange={event => {
          location.hash = linkTo(['compare'], { left, right, [name]: event.currentTarget.value });
        }}
      >
        {runs.map(({ id }) => (
          <option key={id}>{id}</option>
        ))}
      </select>
    </label>
  );
  return (
    <>
      <h1>Run against run</h1>
      <div class="ends">
        {choice('left', 'First run', left)}
        {choice('right', 'Second run', right)}
      </div>
      {left === right ? (
        <p>This is one and the same run. Choose another one to compare it with.</p>
      ) : (
        <Compared left={left} right={right} />
      )}
      <AllRuns runs={runs} />
      <p>
        <a href={linkTo(['learning'])}>Learning curves of all runs</a>
      </p>
    </>
  );
}

function Compared({ left, right }: { readonly left: string; readonly right: string }) {
  const { data, error } = useLoaded(() => get<RunComparison>('compare', { left, right }), [left, right]);
  if (error !== null) return <Problem>{error}</Problem>;
  if (data === null) return <Waiting />;
  const { difference, pairs } = data;
  if (difference === null)
    return (
      <p>
        They have no task and trial in common that both ended, so there is nothing to compare. {brokeText(data.errored)}
      </p>
    );
  return (
    <>
      <Headline data={data} difference={difference} />
      <div class="wide text" tabIndex={0} role="group" aria-label="By template">
        <table>
          <thead>
            <tr>
              <th scope="col">Task template</th>
              <th scope="col">Pairs</th>
              <th scope="col">First run passed</th>
              <th scope="col">Second run passed</th>
            </tr>
          </thead>
          <tbody>
            <Levels levels={data.levels} />
            <tr>
              <th scope="row">{data.levels.length > 1 ? 'All levels together' : 'All'}</th>
              <td>{figure(pairs)}</td>
              <Side side={data.left} pairs={pairs} />
              <Side side={data.right} pairs={pairs} />
            </tr>
            {data.templates.map(({ template, pairs: own, left: one, right: other }) => (
              <tr key={template} class={one === other ? '' : 'differs'}>
                <th scope="row">
                  <Text>{template}</Text>
                </th>
                <td>{figure(own)}</td>
                <td>{percent(one / own)}</td>
                <td>{percent(other / own)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Flips flips={data.flips} left={left} right={right} />
    </>
  );
}

/** Who is ahead, by how much, over how many pairs. */
function Headline({ data, difference }: { readonly data: RunComparison; readonly difference: RunDifference }) {
  const { phase, pairs, unpaired } = data;
  return (
    <p>
      {data.flips.length === 0 ? (
        <b>Both runs passed exactly the same episodes</b>
      ) : difference.mean === 0 ? (
        <b>Both runs passed equally often, but not the same episodes</b>
      ) : (
        <>
          The first run is {difference.mean > 0 ? 'ahead' : 'behind'} by{' '}
          <b>{points(Math.abs(difference.mean))} points</b>
        </>
      )}
      {data.flips.length === 0 ? '' : ` (95 % interval ${points(difference.low)} to ${points(difference.high)} points)`}
      , over {figure(pairs)} {pairs === 1 ? 'pair' : 'pairs'} of {phase === 'evaluate' ? 'evaluated' : 'collected'}{' '}
      episodes. {unpaired === 0 ? '' : `${figure(unpaired)} episodes have no partner and are left out. `}
      {brokeText(data.errored)}
    </p>
  );
}

const points = (share: number): string => (100 * share).toFixed(1);

function Levels({ levels }: Pick<RunComparison, 'levels'>) {
  return (
    <>
      {levels.map(({ level, pairs: own, left: one, right: other, difference: { mean, low, high } }) => (
        <tr key={level}>
          <th scope="row">{levelNames[level]}</th>
          <td>{figure(own)}</td>
          <td>
            {percent(one / own)}{' '}
            <span class="soft">
              {`${mean > 0 ? '+' : ''}${points(mean)} points (${points(low)} to ${points(high)})`}
            </span>
          </td>
          <td>{percent(other / own)}</td>
        </tr>
      ))}
    </>
  );
}

/** What broke is in no pair, and must not go unsaid. */
function brokeText({ left, right }: RunComparison['errored']): string {
  const parts = [
    ...(left === 0 ? [] : [`${figure(left)} of the first run`]),
    ...(right === 0 ? [] : [`${figure(right)} of the second run`]),
  ];
  return parts.length === 0 ? '' : `Episodes that broke: ${parts.join(', ')}.`;
}

function Side({ side, pairs }: { readonly side: RunComparison['left']; readonly pairs: number }) {
  return (
    <td>
      {percent(side.passed / pairs)}{' '}
      <span class="soft">
        {figure(side.steps)} steps, {figure(side.queries)} teacher queries, {figure(side.corrections)} corrections, cost{' '}
        {dollars(side.cost)}
      </span>
    </td>
  );
}

interface FlipsProps extends Pick<RunComparison, 'flips'> {
  readonly left: string;
  readonly right: string;
}

function Flips({ flips, left, right }: FlipsProps) {
  return (
    <>
      <h2>Passed by one of them only</h2>
      {flips.length === 0 ? <p class="soft">None.</p> : null}
      <ul>
        {flips.map(flip => (
          <li key={flip.task}>
            <span class={flip.isGain ? 'good' : 'bad'}>{flip.isGain ? 'first run' : 'second run'}</span>{' '}
            <Text>{flip.task}</Text> <a href={linkTo(['run', left, 'episode', flip.left])}>first run’s episode</a>{' '}
            <a href={linkTo(['run', right, 'episode', flip.right])}>second run’s episode</a>
          </li>
        ))}
      </ul>
    </>
  );
}
