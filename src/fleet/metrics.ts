import type { FleetLook } from './view.ts';

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

/** A fleet in the text format of Prometheus. */
export function fleetMetrics({ workers, runs }: FleetLook): string {
  const living = workers.filter(({ lives }) => lives);
  const kinds = Map.groupBy(living, ({ version, offers }) => JSON.stringify({ version, offers }));
  const byKind = (count: (of: typeof living) => number): Sample[] =>
    [...kinds].map(([kind, of]) => [JSON.parse(kind) as Labels, count(of)]);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  // Two runs may have one name: the store is theirs alone.
  const byRun = (samples: (run: FleetLook['runs'][number]) => readonly Sample[]): Sample[] =>
    runs.flatMap(run =>
      samples(run).map(([labels, value]): Sample => [{ run: run.name, store: run.store, ...labels }, value]),
    );
  const named = (counts: Readonly<Record<string, number>>, label: string): Sample[] =>
    Object.entries(counts).map(([name, value]) => [{ [label]: name }, value]);
  return [
    metric(
      'workers',
      'gauge',
      'Workers that live.',
      byKind(of => of.length),
    ),
    metric(
      'slots',
      'gauge',
      'Episodes that they can run at once.',
      byKind(of => sum(of.map(({ slots }) => slots))),
    ),
    metric(
      'busy_jobs',
      'gauge',
      'Jobs that they work on.',
      byKind(of => sum(of.map(({ busy }) => busy))),
    ),
    metric('jobs', 'gauge', 'Jobs in the queue, by whether a worker holds them.', byRun(queued)),
    metric(
      'planned_episodes',
      'gauge',
      'Episodes of the plan.',
      byRun(({ planned }) => [[{}, planned ?? NaN]]),
    ),
    metric(
      'running',
      'gauge',
      'Whether the run goes on.',
      byRun(({ state }) => [[{}, Number(state === 'running')]]),
    ),
    metric(
      'episodes_total',
      'counter',
      'Episodes, by outcome.',
      byRun(({ outcomes }) => named(outcomes, 'outcome')),
    ),
    metric(
      'errors_total',
      'counter',
      'Episodes that broke, by the side that did.',
      byRun(({ boundaries }) => named(boundaries, 'boundary')),
    ),
    metric(
      'tokens_total',
      'counter',
      'Tokens that models read and wrote.',
      byRun(({ tokens }) => [[{}, tokens]]),
    ),
    metric(
      'dollars_total',
      'counter',
      'US dollars that models cost.',
      byRun(({ dollars }) => [[{}, dollars]]),
    ),
  ].join('');
}

function queued({ waiting, held, needs }: FleetLook['runs'][number]): Sample[] {
  return [
    [{ needs, state: 'waiting' }, waiting],
    [{ needs, state: 'held' }, held],
  ];
}

function metric(name: string, kind: 'gauge' | 'counter', help: string, samples: readonly Sample[]): string {
  const full = `espalier_fleet_${name}`;
  const lines = samples.map(([labels, value]) => `${full}${labelText(labels)} ${value}\n`);
  return `# HELP ${full} ${help}\n# TYPE ${full} ${kind}\n${lines.join('')}`;
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

/** As the format asks for it. */
function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
