import { readScreen } from '../../core/episode/screen-text.ts';

const headingLine = /^\s*(?:\[e\d+\] )?heading ".*$/m;

/** The first heading of a screen. */
export function headingOn(screen: string): string {
  const line = headingLine.exec(screen)?.[0].trim();
  return line === undefined ? '' : (readScreen(line)[0]?.name ?? '');
}
