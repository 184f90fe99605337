import type { Row } from './columns.ts';

/** What a written file is known by. */
interface Written {
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** Takes the rows of one file, holding only a few at a time. */
export interface RowWriter {
  write(row: Row): void;
  finish(): Written;
  /** Gives the file up; it stays as far as it is. */
  abandon(): void;
}
