import type { Outcome } from '../../core/episode/events.ts';
import type { OutlineStep } from '../api/api.ts';
import type { LevelFigures } from '../api/api-live.ts';

export const outcomes: readonly Outcome[] = ['passed', 'failed', 'discarded', 'errored'];

/** 12,345. */
export function figure(number: number): string {
  return number.toLocaleString('en');
}

export function dollars(cost: number): string {
  return cost === 0 ? '–' : `$${cost.toFixed(cost < 1 ? 4 : 2)}`;
}

/** 12.3; whole where it is large. */
export function rate(perSecond: number): string {
  return perSecond >= 100 ? figure(Math.round(perSecond)) : String(Math.round(perSecond * 10) / 10);
}

/** 40 s, 12 min, 3 h 20 min. */
export function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Control characters and those that turn the direction of text, as signs that can be seen. */
export function visible(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  return text.replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F\u202A-\u202E\u2066-\u2069]/g, sign =>
    sign <= '\u001F' ? String.fromCharCode(0x2400 + sign.charCodeAt(0)) : '\uFFFD',
  );
}

const statuses: Readonly<Record<OutlineStep['status'], string>> = {
  kept: 'kept',
  correction: 'correction',
  'rolled-back': 'rolled back',
};

export function statusText({ status, rejection }: Pick<OutlineStep, 'status' | 'rejection'>): string {
  return rejection === null ? statuses[status] : 'rejected';
}

/** Levels of an evaluation, as the report calls them. */
export const levelNames: Readonly<Record<LevelFigures['level'], string>> = {
  'new-instances': 'New instances',
  'held-out': 'New templates',
  'held-out-2': 'Second set',
  'held-out-3': 'Third set',
  'unseen-app': 'Unseen apps',
};
