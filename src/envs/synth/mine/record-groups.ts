import { readScreen, type ScreenLine } from '../../../core/episode/screen-text.ts';

/** A record as a page shows it. */
export interface ShownRecord {
  readonly title: string;
  /** Other texts, in their order. */
  readonly texts: readonly string[];
  /** Labels of its buttons and links. */
  readonly actions: readonly string[];
  /** Elements that belong to it. */
  readonly refs: readonly string[];
}

/** A list of records of one kind. */
export interface RecordGroup {
  /** What the records are called, such as "Notes". */
  readonly label: string;
  readonly records: readonly ShownRecord[];
}

const itemRoles: ReadonlySet<string> = new Set(['listitem', 'row']);
const titleRoles: ReadonlySet<string> = new Set(['heading', 'link']);
const fewest = 2;

/** The lists of a screen: items of a list, rows of a table, or headings that repeat with the same things under them. */
export function findGroups(screen: string): RecordGroup[] {
  const lines = readScreen(screen);
  const children = Map.groupBy(
    lines.map((line, index) => ({ line, index })),
    ({ line }) => line.parent,
  );
  return [...children].flatMap(([parent, members]) => {
    const indexes = members.map(({ index }) => index);
    const items = indexes.filter(index => itemRoles.has(lines[index]?.role ?? ''));
    const starts = items.length >= fewest ? items : titlesAmong(lines, { parent, indexes });
    if (starts.length < fewest) return [];
    const end = lastOf(lines, indexes.at(-1) ?? 0);
    const records = starts.map((start, place) => readRecord(lines.slice(start, starts[place + 1] ?? end + 1)));
    const known = records.filter(record => record !== null);
    return known.length < fewest ? [] : [{ label: labelOf(lines, parent, starts[0] ?? 0), records: known }];
  });
}

interface Members {
  readonly parent: number;
  readonly indexes: readonly number[];
}

/** The links of a list, or headings or links that begin groups of several lines each. */
function titlesAmong(lines: readonly ScreenLine[], { parent, indexes }: Members): number[] {
  const links = indexes.filter(index => lines[index]?.role === 'link');
  if (lines[parent]?.role === 'list' && links.length >= fewest) return links;
  for (const role of titleRoles) {
    const starts = indexes.filter(index => lines[index]?.role === role);
    const isGroup = starts.length >= fewest && indexes.length >= 2 * starts.length;
    if (isGroup && starts.every((start, place) => (starts[place + 1] ?? indexes.length + start) - start > 1))
      return starts;
  }
  return [];
}

/** The last line that lies inside of one. */
function lastOf(lines: readonly ScreenLine[], index: number): number {
  const { depth } = lines[index] as ScreenLine;
  let last = index;
  while ((lines[last + 1]?.depth ?? -1) > depth) last++;
  return last;
}

function readRecord(lines: readonly ScreenLine[]): ShownRecord | null {
  const named = lines.filter(({ name }) => name.trim() !== '');
  const isAction = ({ ref, role }: ScreenLine): boolean => ref !== null && (role === 'button' || role === 'link');
  const title = named.find(line => titleRoles.has(line.role)) ?? named.find(line => !isAction(line));
  if (title === undefined) return null;
  const others = named.filter(line => line !== title && !itemRoles.has(line.role));
  return {
    title: title.name.trim(),
    texts: others.filter(line => line.ref === null).map(({ name }) => name.trim()),
    actions: others.filter(isAction).map(({ name }) => name),
    refs: lines.flatMap(({ ref }) => ref ?? []),
  };
}

/** The name of the list, or the heading before it. */
function labelOf(lines: readonly ScreenLine[], parent: number, start: number): string {
  // A container without a name is written as its role alone, which reads as a text.
  const { role: container = 'page', name: own = '' } = lines[parent] ?? {};
  if (own !== '' && container !== 'page' && container !== 'text') return own;
  const headings = lines.slice(0, start).filter(({ role, name }) => role === 'heading' && name !== '');
  return headings.at(-1)?.name ?? 'Records';
}

/** What a list is about, whatever it counts: "41 messages" and "1 message" are lists of messages. */
export function nounOf(label: string): string {
  const plain = label
    .toLowerCase()
    .replaceAll(/\d+|\(.*?\)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain.replace(/ies$/, 'y').replace(/([^s])s$/, '$1') || 'record';
}
