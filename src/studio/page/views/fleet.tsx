import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { StudioFleet } from '../../api/api-fleet.ts';
import { get, useLoaded, type Loaded } from '../client.ts';
import { NotShown, Problem, Text, Waiting } from '../parts/basics.tsx';
import { linkTo } from '../route.ts';
import { dollars, figure, outcomes, rate } from '../words.ts';

interface FleetAnswer {
  /** Null where the studio was given none. */
  readonly fleet: StudioFleet | null;
}

const lookMilliseconds = 2000;

function useFleet(why: readonly unknown[]): Loaded<FleetAnswer> {
  return useLoaded(() => get<FleetAnswer>('fleet'), why);
}

/** Leads to the fleet, where the studio was given one. */
export function FleetLink() {
  const { data } = useFleet([]);
  if (data === null || data.fleet === null) return null;
  return <a href={linkTo(['fleet'])}>Fleet</a>;
}

/** The workers and runs of a fleet, as they are now. */
export function FleetPage() {
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setLooks(before => before + 1), lookMilliseconds);
    return () => clearInterval(timer);
  }, []);
  const { data, error } = useFleet([looks]);
  if (error !== null) return <NotShown>{error}</NotShown>;
  if (data === null) return <Waiting />;
  if (data.fleet === null)
    return (
      <NotShown>
        This studio was started without a fleet: espalier studio &lt;folder&gt; --fleet &lt;address&gt;.
      </NotShown>
    );
  const { workers, runs } = data.fleet;
  const living = workers.filter(({ lives }) => lives);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  const facts = [
    ['workers', figure(living.length)],
    ['jobs held', `${figure(sum(living.map(({ busy }) => busy)))} of ${figure(sum(living.map(({ slots }) => slots)))}`],
    ['jobs waiting', figure(sum(runs.map(({ waiting }) => waiting)))],
    ['episodes a second', rate(sum(runs.map(run => run.rate)))],
    ['broken', figure(sum(runs.map(({ errored }) => errored)))],
    ['tokens', figure(sum(runs.map(({ tokens }) => tokens)))],
    ['cost', dollars(sum(runs.map(run => run.dollars)))],
  ] as const;
  return (
    <>
      <h1>Fleet</h1>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h2>Runs</h2>
      <Runs runs={runs} />
      <h2>Workers</h2>
      <Workers workers={workers} />
    </>
  );
}

function Runs({ runs }: Pick<StudioFleet, 'runs'>) {
  if (runs.length === 0) return <p>No run yet: espalier collect … --fleet &lt;address&gt;.</p>;
  const heads = ['Run', 'State', 'Episodes', 'A second', 'Jobs', 'Held', 'Outcomes', 'Broken by', 'Tokens', 'Cost'];
  return (
    <>
      <Table label="Runs of the fleet" heads={heads}>
        {runs.map(run => (
          <tr key={run.id}>
            <th scope="row">
              <Text>{run.name}</Text> <span class="soft">needs {run.needs}</span>
            </th>
            <td>{run.state}</td>
            <td>{`${figure(run.done)} of ${run.planned === null ? '…' : figure(run.planned)}`}</td>
            <td>{rate(run.rate)}</td>
            <td>{figure(run.waiting)}</td>
            <td>{figure(run.held)}</td>
            <td>{listed(Object.fromEntries(outcomes.map(name => [name, run.outcomes[name] ?? 0])))}</td>
            <td>{listed(run.boundaries)}</td>
            <td>{run.tokens === 0 ? '–' : figure(run.tokens)}</td>
            <td>{dollars(run.dollars)}</td>
          </tr>
        ))}
      </Table>
      {runs.flatMap(({ id, name, refusals }) =>
        refusals.map(reason => <Problem key={`${id} ${reason}`}>{`${name}: ${reason}`}</Problem>),
      )}
    </>
  );
}

function Workers({ workers }: Pick<StudioFleet, 'workers'>) {
  if (workers.length === 0) return <p>No worker is connected: espalier worker --queue &lt;address&gt;.</p>;
  const heads = ['Worker', 'On', 'Espalier', 'Takes', 'Busy', 'Episodes', 'Heard of'];
  return (
    <Table label="Workers of the fleet" heads={heads}>
      {workers.map(({ id, host, pid, version, offers, slots, busy, episodes, seconds, lives }) => (
        <tr key={id}>
          <th scope="row">{id}</th>
          <td>
            <Text>{`${host} ${pid}`}</Text>
          </td>
          <td>{version}</td>
          <td>{offers}</td>
          <td>{`${busy} of ${slots}`}</td>
          <td>{figure(episodes)}</td>
          <td>{lives ? `${seconds} s ago` : 'lost'}</td>
        </tr>
      ))}
    </Table>
  );
}

interface TableProps {
  readonly label: string;
  readonly heads: readonly string[];
  readonly children: ComponentChildren;
}

function Table({ label, heads, children }: TableProps) {
  return (
    <div class="wide text" tabIndex={0} role="group" aria-label={label}>
      <table>
        <thead>
          <tr>
            {heads.map(head => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function listed(counts: Readonly<Record<string, number>>): string {
  const found = Object.entries(counts).filter(([, number]) => number > 0);
  return found.length === 0 ? '–' : found.map(([name, number]) => `${figure(number)} ${name}`).join(', ');
}
