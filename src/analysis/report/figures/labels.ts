import { html, type Markup } from '../html.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Label extends Point {
  readonly text: string;
  /** The end of its line, where that is not beside it. */
  readonly end?: Point;
}

export interface LabelRoom {
  readonly top: number;
  readonly bottom: number;
  readonly right: number;
  /** Points of the lines that a label should not cover. */
  readonly lines: readonly Point[];
}

const gap = 16;
/** Width of a letter in a wide font: nearer than this labels may touch. */
const letter = 7.4;
const shifts = Array.from({ length: 61 }, (_, index) => (index - 30) * 4);

/** Names at the ends of lines. A name that would cover another name or a line is moved, and a thin line ties it to its end. */
export function placeLabels(labels: readonly Label[], room: LabelRoom): readonly Markup[] {
  const placed = spread(labels, room.bottom);
  // Each then finds its best place given the others; a few rounds settle it.
  for (let round = 0; round < 4; round++) {
    for (const [index, wanted] of labels.entries()) {
      const others = labels.flatMap((label, other) =>
        other === index ? [] : [{ wanted: label, place: placed[other] as Label }],
      );
      const inside = shifts.map(shift => ({ ...wanted, y: wanted.y + shift })).filter(({ y }) => isWithin(y, room));
      const places = [placed[index] as Label, ...inside];
      const costs = places.map(place => costOf({ wanted, place }, others, room.lines));
      placed[index] = places[costs.indexOf(Math.min(...costs))] as Label;
    }
  }
  return labels.map((label, index) => drawLabel(label, placed[index] as Label, room));
}

function isWithin(y: number, { top, bottom }: LabelRoom): boolean {
  return y >= top - gap / 2 && y <= bottom + 2;
}

/** A first arrangement: from the top down each below the one before, and those that fell out pushed up again. */
function spread(labels: readonly Label[], bottom: number): Label[] {
  const placed = [...labels];
  const order = labels.map((_, index) => index).toSorted((a, b) => (labels[a] as Label).y - (labels[b] as Label).y);
  const settle = (sequence: readonly number[], side: 1 | -1, limit: number): void => {
    let last = limit;
    for (const index of sequence) {
      const label = placed[index] as Label;
      const y = side > 0 ? Math.max(label.y, last) : Math.min(label.y, last);
      placed[index] = { ...label, y };
      last = y + side * gap;
    }
  };
  settle(order, 1, -Infinity);
  settle(order.toReversed(), -1, bottom);
  return placed;
}

interface Placement {
  readonly wanted: Label;
  readonly place: Label;
}

/** The cost of a position: covering a name is worst, then a wrong order, then covering a line, then distance. */
function costOf({ wanted, place }: Placement, others: readonly Placement[], lines: readonly Point[]): number {
  const right = place.x + widthOf(place);
  const beside = others.filter(({ place: other }) => place.x < other.x + widthOf(other) && other.x < right);
  const covered = beside.filter(other => Math.abs(other.place.y - place.y) < gap).length;
  const swapped = beside.filter(other => (other.wanted.y - wanted.y) * (other.place.y - place.y) < 0).length;
  const hidden = lines.filter(({ x, y }) => x > place.x - 4 && x < right && Math.abs(y - place.y) < gap / 2).length;
  return covered * 100_000 + swapped * 300 + hidden * 10 + Math.abs(place.y - wanted.y) / 4;
}

function drawLabel({ text, end, ...wanted }: Label, place: Label, { right }: LabelRoom): Markup {
  const moved = end !== undefined || Math.abs(place.y - wanted.y) > 5;
  const x = moved ? wanted.x + 8 : wanted.x;
  const from = end ?? { x: wanted.x - 6, y: wanted.y };
  return html`${moved ? html`<path class="tie" d="M${from.x} ${from.y}L${x - 3} ${place.y}"/>` : null}
<text class="name" x="${x}" y="${place.y + 4}">${shorten(text, right - x)}</text>`;
}

function widthOf({ text }: Label): number {
  return text.length * letter + 10;
}

function shorten(text: string, width: number): string {
  const most = Math.floor(width / letter);
  return text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1)).trimEnd()}…`;
}
