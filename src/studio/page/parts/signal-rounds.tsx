import { useState } from 'preact/hooks';
import type { SignalLabelRounds, SignalRounds } from '../../api/api-learning.ts';
import { get, useLoaded } from '../client.ts';
import { linkTo } from '../route.ts';
import { percent } from '../words.ts';
import { Problem, Text, Waiting } from './basics.tsx';
import { Spots } from './spots.tsx';

interface SignalRoundsProps {
  readonly run: string;
  readonly query: Readonly<Record<string, string>>;
}

/** What signals say over the rounds. Asked when it is opened: episodes may have to be read for it. */
export function SignalRoundsView({ run, query }: SignalRoundsProps) {
  const [isOpen, setOpen] = useState(query['signal'] !== undefined);
  return (
    <section>
      <h2>Signals over rounds</h2>
      <details open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>Share of the episodes of each round in which a signal said something</summary>
        {isOpen ? <Table run={run} query={query} /> : null}
      </details>
    </section>
  );
}

/** Rounds in the table; the chart has all of them. */
const mostRounds = 10;

function Table({ run, query }: SignalRoundsProps) {
  const { data, error } = useLoaded(() => get<SignalRounds>('learning/signals', { run }), [run]);
  if (error !== null) return <Problem>{error}</Problem>;
  if (data === null) return <Waiting />;
  if (data.missing !== null)
    return (
      <p class="soft">
        <Text>{data.missing}</Text>
      </p>
    );
  const nameOf = ({ signal, label }: SignalLabelRounds): string => `${signal} ${label}`;
  const chosen = data.labels.find(own => nameOf(own) === query['signal']) ?? mostChanged(data.labels);
  const places = data.rounds.map((_, place) => place).slice(-mostRounds);
  return (
    <>
      {chosen === undefined ? null : <SignalChart run={run} chosen={chosen} />}
      <div class="wide" tabIndex={0} role="group" aria-label="Signals by round">
        <table>
          <thead>
            <tr>
              <th scope="col">Signal</th>
              {places.map(place => (
                <th scope="col" key={place}>
                  Round {data.rounds[place]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.labels.map(own => (
              <tr key={nameOf(own)} aria-current={own === chosen ? 'true' : undefined}>
                <th scope="row">
                  <a href={linkTo(['run', run, 'learning'], { signal: nameOf(own) })}>
                    <Text>{`${own.signal}: ${own.label}`}</Text>
                  </a>
                </th>
                {places.map(place => (
                  <td key={place}>{percent(own.rates[place]?.rate ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** The label whose share changed most from the first round to the last. */
function mostChanged(labels: readonly SignalLabelRounds[]): SignalLabelRounds | undefined {
  const change = ({ rates }: SignalLabelRounds): number => Math.abs((rates.at(-1)?.rate ?? 0) - (rates[0]?.rate ?? 0));
  return labels.toSorted((one, other) => change(other) - change(one))[0];
}

function SignalChart({ run, chosen }: { readonly run: string; readonly chosen: SignalLabelRounds }) {
  const { signal, label } = chosen;
  const address = new URLSearchParams({ run, signal, label }).toString();
  const where = `known(signal.${signal}.${label}) and signal.${signal}.${label} != 0`;
  return (
    <figure>
      <div class="spotted">
        <img src={`/api/learning/signal-chart?${address}`} alt={`${signal}: ${label}, by round`} />
        <Spots title={`${signal}: ${label}`} points={chosen.points} />
      </div>
      <figcaption>
        <Text>{`${signal}: ${label}`}</Text>{' '}
        <a href={linkTo(['run', run], { where, phase: 'collect' })}>Episodes that have it</a>
      </figcaption>
    </figure>
  );
}
