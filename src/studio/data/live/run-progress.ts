import type { RunProgress } from '../../api/api-live.ts';
import type { WrittenProgress } from '../../../runs/plan/progress-file.ts';

/** A run that plans to go on counts as live for so long after it was written to: a model may take its time. */
const patientMilliseconds = 60_000;
/** Any other one for so long. */
const liveMilliseconds = 4000;

/** Whether somebody writes to a run, so many milliseconds after it was seen to be written; null for never. */
export function isLive(age: number | null, progress: WrittenProgress | null): boolean {
  const patience = progress?.isOver === false ? patientMilliseconds : liveMilliseconds;
  return age !== null && age < patience;
}

/** How far a run is, and how long it needs at the pace it has had. Null where it has ended as planned. `age` is in milliseconds. */
export function progressOf(written: WrittenProgress | null, age: number): RunProgress | null {
  if (written === null) return null;
  const { phase, round, planned, skipped, ended, seconds, isOver } = written;
  const done = skipped + ended;
  if (isOver && done >= planned) return null;
  const left = ended === 0 ? null : Math.max(0, ((planned - done) * seconds) / ended - age / 1000);
  return { phase, round, planned, done, secondsLeft: left };
}
