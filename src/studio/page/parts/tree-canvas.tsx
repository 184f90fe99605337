import { useEffect, useMemo, useRef } from 'preact/hooks';
import { layLanes } from '../../../analysis/report/figures/lanes.ts';
import type { OutlineStep } from '../../api/api.ts';
import type { StepTexts } from '../large-tree.ts';
import { statusText, visible } from '../words.ts';

export interface TreeProps {
  readonly steps: readonly OutlineStep[];
  readonly texts: StepTexts;
  readonly selected: number;
  /** A second step, to compare with; null for none. */
  readonly other: number | null;
  select(id: number): void;
}

const rowHeight = 26;
const laneWidth = 16;
const mostLanes = 24;
const margin = 14;

/** The tree with its place on the page: a row for each step, what was left behind in lanes beside the kept path. */
interface Layout {
  readonly steps: readonly OutlineStep[];
  readonly lanes: Int32Array;
  /** The row of the parent; -1 for the start. */
  readonly parents: Int32Array;
  /** By the id of a step. */
  readonly rowOf: readonly number[];
  readonly width: number;
}

function layOut(steps: readonly OutlineStep[]): Layout {
  const spots = layLanes({ nodes: steps });
  const rowOf: number[] = [];
  for (const [row, { id }] of steps.entries()) rowOf[id] = row;
  const lanes = Int32Array.from(spots, ({ lane }) => Math.min(lane, mostLanes));
  const parents = Int32Array.from(steps, ({ parent }) => rowOf[parent] ?? -1);
  const width = lanes.reduce((most, lane) => Math.max(most, lane), 0);
  return { steps, lanes, parents, rowOf, width };
}

/** The steps of an episode as a tree on a canvas: 100,000 of them stay smooth, as only the visible rows are drawn. */
export function TreeCanvas({ steps, texts, selected, other, select }: TreeProps) {
  const layout = useMemo(() => layOut(steps), [steps]);
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useDrawing({ scroller, canvas, drawing: { layout, texts, selected, other } });
  const onKey = (event: KeyboardEvent): void => {
    const next = nextStep(layout, selected, event.key);
    if (next === null) return;
    event.preventDefault();
    select(next);
  };
  const onClick = (event: MouseEvent): void => {
    const frame = scroller.current;
    if (frame === null) return;
    const y = event.clientY - frame.getBoundingClientRect().top + frame.scrollTop;
    const step = steps[Math.floor(y / rowHeight)];
    if (step !== undefined) select(step.id);
  };
  const shown = steps[layout.rowOf[selected] ?? -1];
  return (
    <div
      class="tree"
      ref={scroller}
      role="application"
      aria-roledescription="tree of steps"
      aria-label="Steps of the episode. Arrow up and down: previous and next step. Left: the step before on this path. Right: the step after. Square brackets: another branch from the same state. R: the next rejected step."
      tabIndex={0}
      onKeyDown={onKey}
      onClick={onClick}
      data-steps={steps.length}
    >
      <canvas ref={canvas} aria-hidden="true" />
      <div style={{ height: `${steps.length * rowHeight}px` }} />
      <p class="unseen" role="status">
        {shown === undefined ? '' : `Step ${shown.id}, ${statusText(shown)}: ${visible(texts.textOf(shown))}`}
      </p>
    </div>
  );
}

interface DrawingPlace {
  readonly scroller: { readonly current: HTMLDivElement | null };
  readonly canvas: { readonly current: HTMLCanvasElement | null };
  readonly drawing: Drawing;
}

/** Draws again when the tree is scrolled, when its place or the colours change, and when another step is chosen. */
function useDrawing({ scroller, canvas, drawing }: DrawingPlace): void {
  const { layout, texts, selected, other } = drawing;
  useEffect(() => {
    const [frame, sheet] = [scroller.current, canvas.current];
    if (frame === null || sheet === null) return;
    let asked = 0;
    const draw = (): void => {
      asked = 0;
      drawTree(frame, sheet, drawing);
    };
    const ask = (): void => {
      asked ||= requestAnimationFrame(draw);
    };
    draw();
    frame.addEventListener('scroll', ask, { passive: true });
    const sizes = new ResizeObserver(ask);
    sizes.observe(frame);
    const themes = new MutationObserver(ask);
    themes.observe(document.documentElement, { attributes: true });
    return () => {
      frame.removeEventListener('scroll', ask);
      sizes.disconnect();
      themes.disconnect();
      cancelAnimationFrame(asked);
    };
  }, [layout, texts.version, selected, other]);
  useEffect(() => {
    const [frame, row] = [scroller.current, layout.rowOf[selected]];
    if (frame === null || row === undefined) return;
    const top = row * rowHeight;
    if (top < frame.scrollTop || top + rowHeight > frame.scrollTop + frame.clientHeight)
      frame.scrollTop = top - frame.clientHeight / 2;
  }, [layout, selected]);
}

/** The step that a key leads to; null when the key means nothing here. */
function nextStep({ steps, rowOf }: Layout, selected: number, key: string): number | null {
  const row = rowOf[selected] ?? -1;
  const parent = steps[row]?.parent ?? 0;
  const children = (of: number): number[] => steps.filter(step => step.parent === of).map(({ id }) => id);
  const siblings = key === '[' || key === ']' ? children(parent) : [];
  const place = siblings.indexOf(selected);
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return steps[row + 1]?.id ?? null;
    case 'ArrowUp':
    case 'k':
      return steps[row - 1]?.id ?? null;
    case 'ArrowLeft':
      return parent === 0 ? null : parent;
    case 'ArrowRight':
      return children(selected).at(-1) ?? null;
    case '[':
      return siblings[place - 1] ?? null;
    case ']':
      return siblings[place + 1] ?? null;
    case 'Home':
      return steps[0]?.id ?? null;
    case 'End':
      return steps.at(-1)?.id ?? null;
    case 'r':
      return (
        (
          steps.slice(row + 1).find(({ rejection }) => rejection !== null) ??
          steps.find(({ rejection }) => rejection !== null)
        )?.id ?? null
      );
    default:
      return null;
  }
}

interface Drawing {
  readonly layout: Layout;
  readonly texts: StepTexts;
  readonly selected: number;
  readonly other: number | null;
}

function drawTree(frame: HTMLDivElement, sheet: HTMLCanvasElement, drawing: Drawing): void {
  const { clientWidth: width, clientHeight: height, scrollTop } = frame;
  const scale = devicePixelRatio;
  if (sheet.width !== Math.round(width * scale) || sheet.height !== Math.round(height * scale)) {
    sheet.width = Math.round(width * scale);
    sheet.height = Math.round(height * scale);
    sheet.style.width = `${width}px`;
    sheet.style.height = `${height}px`;
  }
  const context = sheet.getContext('2d');
  if (context === null) return;
  const style = getComputedStyle(frame);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = `13px ${style.fontFamily}`;
  context.textBaseline = 'middle';
  const first = Math.max(0, Math.floor(scrollTop / rowHeight));
  const last = Math.min(drawing.layout.steps.length - 1, Math.ceil((scrollTop + height) / rowHeight));
  const place: Place = { first, last, scrollTop, width, colour };
  drawing.texts.want(first, last);
  drawEdges(context, drawing.layout, place);
  for (let row = first; row <= last; row++) drawRow(context, drawing, { ...place, row });
}

interface Place {
  readonly first: number;
  readonly last: number;
  readonly scrollTop: number;
  readonly width: number;
  colour(name: string): string;
}

function laneX(lane: number): number {
  return margin + lane * laneWidth;
}

function drawEdges(context: CanvasRenderingContext2D, layout: Layout, { first, last, scrollTop, colour }: Place): void {
  const { lanes, parents } = layout;
  const y = (row: number): number => row * rowHeight - scrollTop + rowHeight / 2;
  context.strokeStyle = colour('faint');
  context.lineWidth = 1.5;
  context.beginPath();
  for (let row = first; row < lanes.length; row++) {
    const parent = parents[row] as number;
    // Rows after the visible ones matter only when their line begins before them.
    if (row > last && parent >= last) continue;
    const [x, above] = [laneX(lanes[row] as number), laneX(parent < 0 ? 0 : (lanes[parent] as number))];
    const start = Math.max(y(parent), -rowHeight);
    context.moveTo(above, start);
    if (above !== x) context.lineTo(x, Math.min(start + rowHeight, y(row)));
    context.lineTo(x, Math.min(y(row), y(last + 2)));
  }
  context.stroke();
}

function drawRow(context: CanvasRenderingContext2D, drawing: Drawing, place: Place & { readonly row: number }): void {
  const { layout, texts, selected, other } = drawing;
  const { row, scrollTop, width, colour } = place;
  const step = layout.steps[row] as OutlineStep;
  const top = row * rowHeight - scrollTop;
  const middle = top + rowHeight / 2;
  if (step.id === selected || step.id === other) {
    context.fillStyle = colour(step.id === selected ? 'chosen' : 'hair');
    context.fillRect(0, top, width, rowHeight);
  }
  const x = laneX(layout.lanes[row] as number);
  const kind = step.rejection === null ? step.status : 'rejected';
  const ink = { kept: 'good', correction: 'correct', 'rolled-back': 'soft', rejected: 'bad' }[kind];
  context.fillStyle = colour(ink);
  context.strokeStyle = colour(ink);
  context.lineWidth = 2;
  context.beginPath();
  if (kind === 'rejected') {
    context.moveTo(x - 4, middle - 4);
    context.lineTo(x + 4, middle + 4);
    context.moveTo(x + 4, middle - 4);
    context.lineTo(x - 4, middle + 4);
    context.stroke();
  } else if (kind === 'correction') {
    context.rect(x - 5, middle - 5, 10, 10);
    context.fill();
  } else {
    context.arc(x, middle, kind === 'kept' ? 5 : 4, 0, 2 * Math.PI);
    if (kind === 'kept') context.fill();
    else context.stroke();
  }
  context.fillStyle = colour(kind === 'rolled-back' ? 'soft' : 'ink');
  const mark = step.verdict === null ? '' : step.verdict ? '✓ ' : '✗ ';
  const who = step.role === 'student' ? '' : `${step.role}: `;
  context.fillText(
    `${mark}${step.id}  ${who}${visible(texts.textOf(step)).slice(0, 160)}`,
    laneX(layout.width) + 16,
    middle,
  );
}
