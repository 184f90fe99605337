import type { Action } from '../../core/action.ts';
import type { Session } from '../../core/contracts.ts';
import { readScreen, type ScreenLine } from '../../core/episode/screen-text.ts';
import { describeStep } from '../../core/episode/view.ts';
import type { FoundStep } from './explorer.ts';
import { createMissingValues } from './named-values.ts';
import { comparedWords, readPageWords, type PageElement } from './page-words.ts';
import type { FoundPath } from './solution-paths.ts';

/** Longest run of steps that is left out at once: a detour and the way back. */
const longestRun = 2;

/** Leaves out steps that the verifier passes without, unless a value that the instruction gives would be left out with them. */
export async function shortenPath(session: Session, path: FoundPath): Promise<FoundPath> {
  const missing = createMissingValues(session.task.instruction, (await session.judgedState?.()) ?? null);
  const most = missing(path).length;
  let best = path;
  for (let size = longestRun; size >= 1; size--) {
    for (let at = 0; at + size < best.steps.length; ) {
      const shorter = await replay(session, best.steps.toSpliced(at, size));
      if (shorter === null || missing(shorter).length > most) at++;
      else best = shorter;
    }
  }
  return best;
}

/** The same steps from here, with the numbers that their elements have now; null when they do not end in a pass. */
async function replay(session: Session, steps: readonly FoundStep[]): Promise<FoundPath | null> {
  const walker = await session.fork?.();
  if (walker === undefined) return null;
  try {
    const taken: FoundStep[] = [];
    for (const step of steps) {
      const screen = (await walker.observe()).text;
      const action = locate(step, screen);
      if (action === null || !(await walker.step(action)).applied) return null;
      taken.push({ action, text: describeStep(action, screen), screen });
    }
    if (!(await walker.verify()).pass) return null;
    return { steps: taken, state: (await walker.judgedState?.()) ?? null };
  } finally {
    await walker.close();
  }
}

/** The same action on another screen: numbers of elements change with what stands before them. */
export function locate({ action, screen }: Pick<FoundStep, 'action' | 'screen'>, now: string): Action | null {
  if (!('ref' in action) || screen === now) return action;
  const before = readPageWords(screen).elements;
  const wanted = before.find(({ ref }) => ref === action.ref);
  if (wanted === undefined) return null;
  const place = before.filter(({ key }) => key === wanted.key).indexOf(wanted);
  const same = readPageWords(now).elements.filter(({ key }) => key === wanted.key)[place];
  const ref = same?.ref ?? findAlike(wanted, screen, now);
  return ref === null ? null : { ...action, ref };
}

/** By role and name, where a text around it has changed; of several, the one whose row is most alike. */
function findAlike({ ref, role, name }: PageElement, screen: string, now: string): string | null {
  const before = rowsOf(readScreen(screen), { role, name });
  const wanted = before.find(row => row.ref === ref)?.words ?? new Set();
  const after = rowsOf(readScreen(now), { role, name }).map(row => ({ ...row, share: shared(wanted, row.words) }));
  const [best, second] = after.toSorted((left, right) => right.share - left.share);
  if (best === undefined) return null;
  // The only one of its name is meant, whatever stands around it; without a name it is known by its row alone.
  if (name !== '' && before.length === 1 && second === undefined) return best.ref;
  return best.share >= leastShared && best.share > (second?.share ?? 0) ? best.ref : null;
}

/** With less in common it is another row. */
const leastShared = 0.5;

interface Row {
  readonly ref: string;
  readonly words: ReadonlySet<string>;
}

/** All elements of a role and a name, each with the words of the largest part of the page that holds no other of them. */
function rowsOf(lines: readonly ScreenLine[], { role, name }: Pick<ScreenLine, 'role' | 'name'>): readonly Row[] {
  const isOne = (line: ScreenLine): boolean => line.ref !== null && line.role === role && line.name === name;
  const places = [...lines.keys()].filter(at => isOne(lines[at] as ScreenLine));
  return places.map((at, order) => {
    let first = at;
    let end = endOf(lines, at);
    for (let up = parentOf(lines, at); up >= 0; up = parentOf(lines, up)) {
      const endUp = endOf(lines, up);
      if (places.some(other => other !== at && other >= up && other < endUp)) {
        // Where rows are not grouped, the texts before an element belong to it.
        if (first === at) first = Math.max(up, places[order - 1] ?? -1) + 1;
        break;
      }
      [first, end] = [up, endUp];
    }
    const texts = lines.slice(first, end).map(line => `${line.name} ${line.value ?? ''}`);
    return { ref: (lines[at] as ScreenLine).ref ?? '', words: new Set(comparedWords(texts.join(' '))) };
  });
}

function parentOf(lines: readonly ScreenLine[], at: number): number {
  return (lines[at] as ScreenLine).parent;
}

/** The line after those that stand in one. */
function endOf(lines: readonly ScreenLine[], at: number): number {
  const { depth } = lines[at] as ScreenLine;
  let end = at + 1;
  while (end < lines.length && (lines[end] as ScreenLine).depth > depth) end++;
  return end;
}

/** Share of the words of two rows that both have. */
function shared(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const all = left.union(right).size;
  return all === 0 ? 0 : left.intersection(right).size / all;
}
