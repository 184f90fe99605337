/** The text of `/metrics` of a server. */
export interface MetricsOf {
  readonly place: number;
  readonly text: string;
}

const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;

/**
 * One text for several servers: every series says of which one it is, so that sums are right also when one of them begins at zero
 * again.
 */
export function joinMetrics(all: readonly MetricsOf[]): string {
  /** Lines of a metric, under what is said of it once. */
  const metrics = new Map<string, { readonly about: string[]; readonly samples: string[] }>();
  for (const { place, text } of all) {
    let current = { about: [] as string[], samples: [] as string[] };
    for (const line of text.split('\n')) {
      const [, kind = '', name = ''] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (name !== '') {
        current = metrics.get(name) ?? { about: [], samples: [] };
        metrics.set(name, current);
        if (!current.about.some(told => told.startsWith(`# ${kind} `))) current.about.push(line);
        continue;
      }
      const [, series, labels, value] = sample.exec(line) ?? [];
      if (series === undefined) continue;
      const named = [`place="${place}"`, ...(labels === undefined ? [] : [labels])].join(',');
      current.samples.push(`${series}{${named}} ${value}`);
    }
  }
  const lines = [...metrics.values()].flatMap(({ about, samples }) => [...about, ...samples]);
  return `${lines.join('\n')}\n`;
}
