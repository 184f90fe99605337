import { join } from 'node:path';
import type { JsonObject } from '../../core/json.ts';
import { createFileSink } from '../rows/file-sink.ts';
import type { EpisodeToWrite, TrajectoryWriter } from './format.ts';

/** A file with one JSON object a line. */
export function createJsonLinesWriter(
  folder: string,
  name: string,
  linesOf: (episode: EpisodeToWrite) => Iterable<JsonObject>,
): TrajectoryWriter {
  const sink = createFileSink(join(folder, name));
  let trajectories = 0;
  return {
    add(episode) {
      for (const line of linesOf(episode)) {
        sink.write(Buffer.from(`${JSON.stringify(line)}\n`));
        trajectories++;
      }
    },
    finish: () => [{ name, trajectories, ...sink.close() }],
    abandon: sink.abandon,
  };
}
