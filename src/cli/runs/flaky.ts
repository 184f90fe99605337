import { count } from '../../core/text.ts';
import { findFlaky, type FoundFlaky } from '../../runs/flaky/find-flaky.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { wrap, type ExitCode, type Output } from '../terminal/output.ts';
import { stoppable } from '../terminal/stop.ts';

export interface FlakyRequest {
  readonly runs: readonly string[];
  readonly env?: readonly string[];
  readonly replays: number;
  readonly json?: boolean;
}

/** Finds tasks and verifiers that disagree with themselves. */
export async function flaky(output: Output, { runs, env = [], replays, json }: FlakyRequest): Promise<ExitCode> {
  const found = await stoppable(output, ({ signal }) =>
    findFlaky({
      folders: runs,
      environments: env,
      replays,
      host: createSystemHost(),
      signal,
      onProgress: episodes => output.progress(`walking again: ${count(episodes, 'episode')} …`),
    }),
  );
  output.progress('');
  if (json === true) output.json(found);
  else tell(output, found);
  return found.flaky.length > 0 ? 1 : 0;
}

function tell({ line, paint, note, width }: Output, found: FoundFlaky): void {
  const { flaky: all, episodes, replays, unopened, broken } = found;
  for (const { side, template, task, what, expected, got, run, episode } of all) {
    line(`${paint.red(side)} ${paint.bold(template)}: another ${what}`);
    line(wrap(`  ${task}: ${expected}`, width, '    '));
    line(wrap(`  and then ${got}`, width, '    '));
    line(paint.dim(`  espalier inspect ${run} ${episode}`));
  }
  const walked = `${count(episodes, 'episode')} compared, ${count(replays, 'walk')} in fresh sessions`;
  const templates = new Set(all.map(({ template }) => template)).size;
  line(
    all.length === 0
      ? `${walked}: nothing disagrees with itself.`
      : `${walked}: ${count(templates, 'template')} disagree with themselves.`,
  );
  if (unopened > 0)
    note(
      `${count(unopened, 'episode')} were not walked again: name their environments, espalier flaky <run> --env <name>.`,
    );
  if (broken.length > 0) note(`${count(broken.length, 'walk')} broke, and prove nothing. First: ${broken[0]}`);
}
