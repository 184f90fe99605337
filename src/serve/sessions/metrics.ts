/** Counts for `/metrics`, in the text format of Prometheus. */
export interface Metrics {
  /** Adds to a counter; `labels` such as `{ code: 'INVALID_JSON' }` tell its series apart. */
  count(name: CounterName, labels?: Readonly<Record<string, string>>, by?: number): void;
  /** A step took so many milliseconds. */
  time(milliseconds: number): void;
  text(gauges: Readonly<Record<string, number>>): string;
}

const counters = {
  espalier_messages_total: 'Requests on WebSockets, by type.',
  espalier_errors_total: 'Requests that were answered with an error, by code.',
  espalier_sessions_opened_total: 'Sessions that were opened, forks included.',
  espalier_episodes_total: 'Episodes that ended, by outcome.',
  espalier_steps_total: 'Steps that were taken.',
  espalier_forks_total: 'Sessions that were forked.',
  espalier_rollbacks_total: 'Rollbacks, by method.',
  espalier_incidents_total: 'What clients did that they should not, by kind.',
} as const;
type CounterName = keyof typeof counters;

/** Upper bounds in milliseconds. */
const buckets = [1, 2, 5, 10, 20, 50, 100, 500, 1000, 10_000];

export function createMetrics(): Metrics {
  const values = new Map<CounterName, Map<string, number>>();
  const times = { counts: buckets.map(() => 0), sum: 0, count: 0 };
  return {
    count(name, labels = {}, by = 1) {
      const series = values.get(name) ?? new Map<string, number>();
      values.set(name, series);
      const key = labelText(labels);
      series.set(key, (series.get(key) ?? 0) + by);
    },
    time(milliseconds) {
      times.sum += milliseconds;
      times.count++;
      for (const [index, bound] of buckets.entries())
        if (milliseconds <= bound) times.counts[index] = (times.counts[index] as number) + 1;
    },
    text(gauges) {
      const lines: string[] = [];
      for (const [name, value] of Object.entries(gauges)) lines.push(`# TYPE ${name} gauge`, `${name} ${value}`);
      for (const [name, help] of Object.entries(counters) as [CounterName, string][]) {
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} counter`);
        for (const [key, value] of values.get(name) ?? [['', 0] as const]) lines.push(`${name}${key} ${value}`);
      }
      lines.push('# HELP espalier_step_seconds Time from a step request to its answer.');
      lines.push('# TYPE espalier_step_seconds histogram');
      for (const [index, bound] of buckets.entries())
        lines.push(`espalier_step_seconds_bucket{le="${bound / 1000}"} ${times.counts[index]}`);
      lines.push(`espalier_step_seconds_bucket{le="+Inf"} ${times.count}`);
      lines.push(`espalier_step_seconds_sum ${times.sum / 1000}`, `espalier_step_seconds_count ${times.count}`);
      return `${lines.join('\n')}\n`;
    },
  };
}

function labelText(labels: Readonly<Record<string, string>>): string {
  let text = '';
  for (const name in labels) text += `${text === '' ? '' : ','}${name}="${plain(labels[name] as string)}"`;
  return text === '' ? '' : `{${text}}`;
}

const special = /["\\\n]/g;

/** Most values need no change: this runs for every request. */
function plain(value: string): string {
  return value.search(special) < 0 ? value : value.replaceAll(special, '_');
}
