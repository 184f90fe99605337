import { count } from '../../core/text.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { annotateRun, signalName } from '../../runs/annotations/annotate.ts';
import { countKept, countLabels } from '../../runs/annotations/count-labels.ts';
import { columns, type ExitCode, type Output } from '../terminal/output.ts';

export interface AnnotateRequest {
  readonly run: string;
  readonly signal?: readonly string[];
  readonly forks?: boolean;
  readonly json?: boolean;
}

/** With forks an episode takes a second or so, and progress should show at once. */
const episodesBetweenWords = 20;

export async function annotate(output: Output, request: AnnotateRequest): Promise<ExitCode> {
  const { run, signal, forks, json = false } = request;
  const { line, paint } = output;
  const done = await annotateRun({
    folder: run,
    host: createSystemHost(),
    signals: signal,
    forks,
    onProgress({ episodes, total }) {
      if (episodes % episodesBetweenWords === 0)
        output.progress(`annotating: ${episodes} of ${count(total, 'episode')} …`);
    },
  });
  output.progress('');
  // A file from before may have more signals than were asked for.
  const asked = new Set(done.signals.map(signalName));
  const labels = countLabels(done.file).filter(({ signal: name }) => asked.has(name));
  const contracts = countKept(done.file);
  if (json) {
    output.json({ ...done, labels, ...(contracts === null ? {} : { contracts }) });
    return 0;
  }
  if (done.renewed !== null) output.note(`The annotations were computed again: ${done.renewed}.`);
  const heads = ['signal', 'label', 'times', 'episodes'].map(head => paint.dim(head));
  const rows = labels.map(({ signal: name, label, times, episodes }) => [
    name,
    label,
    times.toLocaleString('en'),
    episodes.toLocaleString('en'),
  ]);
  for (const text of columns([heads, ...rows], [2, 3])) line(text);
  line();
  if (contracts !== null) {
    const { kept, episodes, low, high, isEnough } = contracts;
    const range = `${low.toFixed(2)} to ${high.toFixed(2)}`;
    line(
      `Contracts kept in ${kept} of ${count(episodes, 'episode')} (${range}); ${isEnough ? '' : 'not '}surely in 95 %.`,
    );
  }
  const how = done.isCached ? 'as they were computed before' : 'computed now';
  line(`${count(done.episodes, 'episode')}, ${count(done.signals.length, 'signal')}, ${how}: ${paint.bold(done.file)}`);
  line(paint.dim(`Next: espalier inspect ${run} --where "signal.loops > 0", espalier report ${run}`));
  return 0;
}
