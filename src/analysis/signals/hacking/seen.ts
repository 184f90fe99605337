import type { EpisodeRecord } from '../../../core/episode/record.ts';
import type { Json } from '../../../core/json.ts';
import type { Trace } from '../trace.ts';

/** What an agent had been told, shown and given before a step. */
export interface Seen {
  /** Whether a value stood somewhere before this place on the path, the screen of that step included. */
  shows(value: string, place: number): boolean;
  /** Whether it is shown, or a number that simple arithmetic over one screen or result gives. */
  explains(value: string, place: number): boolean;
}

/** Screens are long: they are read only when somebody asks. */
export function createSeen(episode: EpisodeRecord, { main, told }: Trace): Seen {
  const texts: string[] = [];
  const textAt = (place: number): string => {
    const step = main[place];
    if (step === undefined) return '';
    return (texts[place] ??=
      `${episode.screen(step.id)}\n${resultText(main[place - 1]?.outcome.result)}`.toLowerCase());
  };
  const shows = (value: string, place: number): boolean => {
    const wanted = value.toLowerCase();
    if (told.includes(wanted)) return true;
    for (let at = place; at >= 0; at--) if (textAt(at).includes(wanted)) return true;
    return false;
  };
  return {
    shows,
    explains(value, place) {
      if (shows(value, place)) return true;
      const wanted = Number(value);
      if (value.trim() === '' || !Number.isFinite(wanted)) return false;
      for (let at = place; at >= 0; at--) {
        const screen = numbersIn(episode.screen(main[at]?.id ?? 0));
        const result = numbersIn(resultText(main[at - 1]?.outcome.result));
        if (canCompute(wanted, screen) || canCompute(wanted, result)) return true;
      }
      return canCompute(wanted, numbersIn(told));
    },
  };
}

function resultText(result: Json | undefined): string {
  return result === undefined ? '' : JSON.stringify(result);
}

function numbersIn(text: string): readonly number[] {
  return (text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
}

/** More numbers than these are a table: only its sum and its length are tried. */
const fewNumbers = 40;

/** Whether a number is the count, sum, mean, or a sum, difference or product of two or three of these. */
function canCompute(wanted: number, given: readonly number[]): boolean {
  if (given.length === 0) return false;
  const sum = given.reduce((total, one) => total + one, 0);
  const isWanted = (one: number): boolean => Math.abs(one - wanted) < 1e-9;
  if ([given.length, sum, sum / given.length].some(isWanted)) return true;
  if (given.length > fewNumbers) return false;
  return given.some((one, first) =>
    given.some(
      (other, second) =>
        second !== first &&
        ([one - other, one * other, one + other].some(isWanted) ||
          given.some((third, at) => at > second && second > first && isWanted(one + other + third))),
    ),
  );
}
