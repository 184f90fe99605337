import type {
  EpisodeToWrite,
  TrajectoryFile,
  TrajectoryFormat,
  TrajectoryTarget,
  TrajectoryWriter,
} from '../format.ts';
import { createEvalLog, type EvalLog, type LogSubject } from './eval-log.ts';
import { sampleOf } from './sample.ts';

/** Logs of Inspect: a `.eval` file for each environment, student, strategy and round, an episode a sample. */
export const inspect: TrajectoryFormat = {
  name: 'inspect',
  about: 'Logs of Inspect AI: .eval files with the whole tree of every episode, for its viewer and its readers.',
  episodes: 'all',
  create: createInspectWriter,
};

function createInspectWriter(target: TrajectoryTarget): TrajectoryWriter {
  const open = new Map<string, { readonly log: EvalLog; readonly part: number }>();
  const files: TrajectoryFile[] = [];
  const logOf = ({ record: { head } }: EpisodeToWrite): EvalLog => {
    const { run, phase, round, student, strategy, task } = head;
    const subject: Omit<LogSubject, 'part'> = { run, phase, round, student, strategy, environment: task.environment };
    const key = JSON.stringify(subject);
    const found = open.get(key);
    if (found !== undefined && !found.log.isFull()) return found.log;
    if (found !== undefined) files.push(found.log.finish());
    const part = (found?.part ?? 0) + 1;
    const log = createEvalLog({ ...subject, part }, target);
    open.set(key, { log, part });
    return log;
  };
  return {
    add(episode) {
      const { record, requests } = episode;
      const { head } = record;
      const log = logOf(episode);
      const id = log.freeId(`${head.task.template}-${head.task.seed}`, head.trial + 1);
      log.add(sampleOf(record, { requests, startedAt: target.startedAt, id }));
    },
    finish() {
      for (const { log } of open.values()) files.push(log.finish());
      open.clear();
      return files;
    },
    abandon() {
      for (const { log } of open.values()) log.abandon();
    },
  };
}
