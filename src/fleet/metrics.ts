import type { FleetLook } from './view.ts';

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

type Workers = FleetLook['workers'];
type Run = FleetLook['runs'][number];

const ofWorkers: Readonly<Record<string, readonly [help: string, count: (of: Workers) => number]>> = {
  workers: ['Workers that live.', of => of.length],
  slots: ['Episodes that they can run at once.', of => of.reduce((sum, { slots }) => sum + slots, 0)],
  busy_jobs: ['Jobs that they work on.', of => of.reduce((sum, { busy }) => sum + busy, 0)],
};

const ofRuns: Readonly<Record<string, readonly [help: string, samples: (run: Run) => readonly Sample[]]>> = {
  jobs: ['Jobs in the queue, by whether a worker holds them.', queued],
  planned_episodes: ['Episodes of the plan.', ({ planned }) => [[{}, planned ?? NaN]]],
  running: ['Whether the run goes on.', ({ state }) => [[{}, Number(state === 'running')]]],
  episodes_total: ['Episodes, by outcome.', ({ outcomes }) => named(outcomes, 'outcome')],
  errors_total: ['Episodes that broke, by the side that did.', ({ boundaries }) => named(boundaries, 'boundary')],
  tokens_total: ['Tokens that models read and wrote.', ({ tokens }) => [[{}, tokens]]],
  dollars_total: ['US dollars that models cost.', ({ dollars }) => [[{}, dollars]]],
};

/** A fleet in the text format of Prometheus. */
export function fleetMetrics({ workers, runs }: FleetLook): string {
  const living = workers.filter(({ lives }) => lives);
  const kinds = Map.groupBy(living, ({ version, offers }) => JSON.stringify({ version, offers }));
  const told = Object.entries(ofWorkers).map(([name, [help, count]]) => {
    const samples = [...kinds].map(([kind, of]): Sample => [JSON.parse(kind) as Labels, count(of)]);
    return metric(name, help, samples);
  });
  for (const [name, [help, samples]] of Object.entries(ofRuns)) {
    // Two runs may have one name: the store is theirs alone.
    const own = ({ name: run, store }: Run, [labels, value]: Sample): Sample => [{ run, store, ...labels }, value];
    told.push(
      metric(
        name,
        help,
        runs.flatMap(run => samples(run).map(sample => own(run, sample))),
      ),
    );
  }
  return told.join('');
}

function named(counts: Readonly<Record<string, number>>, label: string): Sample[] {
  return Object.entries(counts).map(([name, value]) => [{ [label]: name }, value]);
}

function queued({ waiting, held, needs }: Run): Sample[] {
  return [
    [{ needs, state: 'waiting' }, waiting],
    [{ needs, state: 'held' }, held],
  ];
}

function metric(name: string, help: string, samples: readonly Sample[]): string {
  const kind = name.endsWith('_total') ? 'counter' : 'gauge';
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
