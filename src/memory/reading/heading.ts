import { readScreen } from '../../core/episode/screen-text.ts';

/** The first heading of a screen. */
export function headingOn(screen: string): string {
  return readScreen(screen).find(({ role }) => role === 'heading')?.name ?? '';
}
