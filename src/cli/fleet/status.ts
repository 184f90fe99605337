import { count } from '../../core/text.ts';
import { readFleetStatus, type FleetStatus } from '../../fleet/status.ts';
import { columns, type ExitCode, type Output } from '../terminal/output.ts';

export interface StatusRequest {
  readonly address: string;
  readonly json?: boolean;
}

export async function status(output: Output, { address, json = false }: StatusRequest): Promise<ExitCode> {
  const found = await readFleetStatus(address);
  if (json) output.json(found);
  else tell(output, found);
  return 0;
}

function tell({ line, paint }: Output, { workers, runs }: FleetStatus): void {
  const dim = (heads: readonly string[]): string[] => heads.map(head => paint.dim(head));
  line(paint.bold(count(workers.length, 'worker')));
  const rows = workers.map(({ id, host, pid, version, offers, slots, busy, episodes, seconds, lives }) => [
    id,
    `${host} ${pid}`,
    version,
    offers,
    `${busy}/${slots}`,
    episodes.toLocaleString('en'),
    lives ? `${seconds} s ago` : 'lost',
  ]);
  const heads = ['worker', 'on', 'Espalier', 'takes', 'busy', 'episodes', 'heard of'];
  if (rows.length > 0) for (const text of columns([dim(heads), ...rows], [4, 5])) line(text);
  line();
  line(paint.bold(count(runs.length, 'run')));
  const done = runs.map(
    ({ id, name, state, version, needs, done: ended, planned, errored, waiting, held, store, ...run }) => [
      String(id),
      name,
      state,
      version,
      needs,
      `${ended.toLocaleString('en')}/${planned === null ? '…' : planned.toLocaleString('en')}`,
      ...[errored, waiting, held, run.duplicated].map(number => number.toLocaleString('en')),
      store,
    ],
  );
  const runHeads = ['', 'run', 'state', 'Espalier', 'needs', 'episodes', 'errored', 'jobs', 'held', 'twice', 'store'];
  if (done.length > 0) for (const text of columns([dim(runHeads), ...done], [0, 5, 6, 7, 8, 9])) line(text);
  for (const { name, refusals } of runs) for (const reason of refusals) line(paint.yellow(`${name}: ${reason}`));
}
