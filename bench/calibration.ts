import { figure, type Figure } from './measure.ts';

/** Milliseconds that one run lasts. */
const milliseconds = 100;
const runs = 5;

/**
 * A fixed piece of work that uses nothing of ours: numbers, texts, objects, sorting and JSON. Machines of one kind differ
 * by a factor of three; figures divided by this one can be compared between them.
 */
function work(): number {
  let state = 0x9e3779b9;
  const rows: { key: string; value: number }[] = [];
  for (let index = 0; index < 400; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    rows.push({ key: `row ${state >>> 0}`, value: state % 1000 });
  }
  const sorted = rows.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const parsed = JSON.parse(JSON.stringify(sorted)) as typeof rows;
  const groups = new Map<number, number>();
  for (const { key, value } of parsed) groups.set(value % 16, (groups.get(value % 16) ?? 0) + key.length);
  return groups.size;
}

export interface Calibration {
  /** Times the work once more: at the beginning and at the end of a bench. */
  measure(): void;
  figure(): Figure;
}

/** How often the work is done in a second, over all the times that it was measured. */
export function createCalibration(): Calibration {
  const values: number[] = [];
  const timed = (): number => {
    const start = performance.now();
    let calls = 0;
    for (; performance.now() - start < milliseconds; calls++) work();
    return (calls * 1000) / (performance.now() - start);
  };
  return {
    measure() {
      // The first one warms up.
      timed();
      for (let run = 0; run < runs; run++) values.push(timed());
    },
    figure: () => figure('machine.calibration', '1/s', values),
  };
}
