/**
 * Paths into a state are JSON pointers in which a member of a table (an array of objects with an `id`) is named by
 * its id: `/messages/m17/folder`. In a pattern `*` stands for any one segment and a last `+` for a member that was
 * not there before; a pattern covers what lies below it.
 */
export type Segments = readonly string[];

export function parsePath(path: string): Segments {
  if (path === '') return [];
  const segments = path.slice(1).split('/');
  // Most paths have nothing that is escaped.
  if (!path.includes('~')) return segments;
  return segments.map(segment => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function formatPath(segments: Segments): string {
  let path = '';
  for (const segment of segments) path += `/${escaped(segment)}`;
  return path;
}

function escaped(segment: string): string {
  if (!segment.includes('~') && !segment.includes('/')) return segment;
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function covers(pattern: Segments, segments: Segments, isNew = false): boolean {
  if (segments.length < pattern.length) return false;
  return pattern.every((wanted, index) => {
    if (wanted === '+') return isNew && index === segments.length - 1;
    return wanted === '*' || wanted === segments[index];
  });
}

/** Whether a path lies on the screen side of a state: under `ui`. */
export function isOnScreen(path: string): boolean {
  return path === '/ui' || path.startsWith('/ui/');
}
