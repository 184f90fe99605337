import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../src/core/clock.ts';
import { runJobs, type Job, type ScheduleProgress } from './schedule.ts';

const clock = createManualClock();
const signal = new AbortController().signal;

/** Jobs that note when they begin and end. */
function notedJobs(plan: Readonly<Record<string, readonly string[]>>) {
  const notes: string[] = [];
  const jobs = Object.entries(plan).map(
    ([id, needs]): Job => ({
      id,
      label: id,
      needs,
      seconds: 1,
      async run() {
        notes.push(`begin ${id}`);
        await new Promise(resolve => setImmediate(resolve));
        notes.push(`end ${id}`);
      },
    }),
  );
  return { jobs, notes };
}

describe('schedule of a study', () => {
  it('[DEMO-8] begins a job when all that it needs has ended, and never runs more at once than asked for', async () => {
    const { jobs, notes } = notedJobs({ last: ['first', 'second'], first: [], second: [], third: [] });
    let most = 0;
    const onChange = ({ running }: ScheduleProgress): void => void (most = Math.max(most, running.length));
    await runJobs(jobs, { clock, signal, atOnce: 2, onChange });
    expect(most).toBe(2);
    expect(notes.filter(note => note.startsWith('end'))).toHaveLength(4);
    const begun = notes.indexOf('begin last');
    for (const needed of ['end first', 'end second']) expect(notes.indexOf(needed)).toBeLessThan(begun);
  });

  it('[DEMO-8] stops the others when a job fails, and tells what failed', async () => {
    let stopped = false;
    const jobs: Job[] = [
      { id: 'bad', label: 'bad', seconds: 1, run: () => Promise.reject(new Error('broken')) },
      {
        id: 'long',
        label: 'long',
        seconds: 1,
        run: own =>
          new Promise(resolve =>
            own.addEventListener('abort', () => {
              stopped = true;
              resolve();
            }),
          ),
      },
      { id: 'never', label: 'never', seconds: 1, run: () => Promise.reject(new Error('begun after a failure')) },
    ];
    await expect(runJobs(jobs, { clock, signal, atOnce: 2 })).rejects.toThrow('broken');
    expect(stopped).toBe(true);
  });

  it('[DEMO-8] estimates the time left from what the ended jobs took', async () => {
    const own = createManualClock();
    const told: number[] = [];
    const job = (id: string): Job => ({ id, label: id, seconds: 10, run: async () => own.advance(20_000) });
    await runJobs([job('one'), job('two')], {
      clock: own,
      signal,
      atOnce: 1,
      onChange: ({ running, secondsLeft }) => void (running.length > 0 && told.push(secondsLeft)),
    });
    expect(told).toHaveLength(2);
    expect(told[0]).toBe(20);
    // Twice as slow as estimated: of the second job, 5 units remain.
    expect(told[1]).toBeGreaterThan(5);
    expect(told[1]).toBeLessThan(20);
  });

  it('[DEMO-8] does not take a quick start for the pace of all jobs', async () => {
    const own = createManualClock();
    const told: number[] = [];
    const quick: Job = { id: 'quick', label: 'quick', seconds: 10, run: async () => own.advance(1000) };
    const rest = Array.from({ length: 9 }, (_, index): Job => {
      const id = `job ${index}`;
      return { id, label: id, seconds: 10, run: async () => own.advance(10_000) };
    });
    await runJobs([quick, ...rest], {
      clock: own,
      signal,
      atOnce: 1,
      onChange: ({ done, secondsLeft }) => void (done === 1 && told.push(secondsLeft)),
    });
    // 90 seconds are left.
    expect(told[0]).toBeGreaterThan(45);
    expect(told[0]).toBeLessThan(90);
  });
});
