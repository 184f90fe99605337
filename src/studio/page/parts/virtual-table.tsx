import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useEffect, useReducer, useRef } from 'preact/hooks';
import { rowTop, scrollScale } from './scroll-scale.ts';

export interface VirtualTableProps {
  readonly label: string;
  readonly heads: readonly string[];
  readonly count: number;
  readonly rowHeight: number;
  /** Told which rows are on the screen. */
  onRange(first: number, last: number): void;
  /** The cells of a row; null while they are not there. */
  cells(index: number): readonly ComponentChildren[] | null;
  /** Where a row leads. */
  open(index: number): void;
}

type Table = Virtualizer<HTMLDivElement, HTMLElement>;

/** A table of any length: only the rows on the screen are in the page. */
export function VirtualTable(props: VirtualTableProps) {
  const { label, heads, count, rowHeight, onRange, cells, open } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer<number, null>(number => number + 1, 0);
  const table = useRef<Table | null>(null);
  const scale = scrollScale(count * rowHeight, scroller.current?.clientHeight ?? 0);
  const scaled = useRef(scale);
  scaled.current = scale;
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset: (own: Table, tell: (offset: number, isScrolling: boolean) => void) =>
      observeElementOffset(own, (offset, isScrolling) => tell(offset * scaled.current.factor, isScrolling)),
    onChange: () => redraw(null),
  };
  table.current ??= new Virtualizer<HTMLDivElement, HTMLElement>(options);
  table.current.setOptions(options);
  // oxlint-disable no-underscore-dangle -- what adapters of the library have to call
  useEffect(() => table.current?._didMount(), []);
  useEffect(() => table.current?._willUpdate());
  // oxlint-enable no-underscore-dangle
  const items = table.current.getVirtualItems();
  const offset = table.current.scrollOffset ?? 0;
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => onRange(first, last), [first, last, count]);
  return (
    <div class="table" role="table" aria-label={label} aria-rowcount={count + 1}>
      <Head heads={heads} />
      <div class="scroller" ref={scroller} role="rowgroup" tabIndex={0} aria-label={label}>
        <div role="presentation" style={{ height: `${scale.height}px`, position: 'relative' }}>
          {items.map(({ index, start }) => (
            <div
              role="row"
              aria-rowindex={index + 2}
              class="row"
              key={index}
              style={{ height: `${rowHeight}px`, transform: `translateY(${rowTop(start, offset, scale)}px)` }}
              onClick={() => open(index)}
            >
              {(cells(index) ?? heads.map(() => '…')).map((cell, place) => (
                <span role="cell" key={place}>
                  {cell}
                </span>
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

function Head({ heads }: Pick<VirtualTableProps, 'heads'>) {
  return (
    <div role="rowgroup">
      <div role="row" class="row head" aria-rowindex={1}>
        {heads.map(head => (
          <span role="columnheader" key={head}>
            {head}
          </span>
        ))}
      </div>
    </div>
  );
}
