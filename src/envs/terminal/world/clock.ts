import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { EspalierError } from '../../../core/errors.ts';
import type { RunRequest } from '../sandbox/sandbox.ts';

/** A clock that stands while a command runs, and random numbers that are the same in every command. */
export interface PinnedClock {
  /** libfaketime: programs that are linked to the system's C library load it. */
  readonly library: string;
}

const folder = '/usr/lib';
const name = 'libfaketime.so.1';

/** The library of Debian's package. */
export function findClock(): PinnedClock {
  const places = [join(folder, 'faketime'), ...readdirSync(folder).map(each => join(folder, each, 'faketime'))];
  const found = places.find(place => filesIn(place).includes(name));
  if (found !== undefined) return { library: join(found, name) };
  throw new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: 'Terminals with clock=pinned need libfaketime, which this machine does not have.',
    expected: 'On Debian: apt-get install libfaketime.',
  });
}

function filesIn(place: string): string[] {
  try {
    return readdirSync(place);
  } catch {
    return [];
  }
}

/** 2026-01-01, when files of every world were made. */
const begin = 1_767_225_600;
/** So that what a later step writes is newer. */
const secondsOfLayer = 60;
const milliseconds = 1000;

/** What a command has in a state: a time that follows from how much was written before it. */
export function timesIn(
  { library }: PinnedClock,
  { layers }: { readonly layers: readonly string[] },
): Pick<RunRequest, 'environment'> & { readonly stamp: number } {
  const stamp = begin + secondsOfLayer * layers.length;
  const time = new Date(stamp * milliseconds).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replace('T', ' ');
  const environment = {
    LD_PRELOAD: library,
    FAKETIME: time,
    // Files have the times that we gave them.
    NO_FAKE_STAT: '1',
    FAKERANDOM_SEED: '0x2545F4914F6CDD1D',
  };
  return { stamp, environment };
}
