/** A defence, how to remove it, and the test that must then fail. */
export interface Defence {
  /** Rows of docs/security.md, "Holes", that it closes. */
  readonly holes?: readonly number[];
  /** What it prevents. */
  readonly keeps: string;
  readonly file: string;
  /** A text that the file contains once, and its replacement. */
  readonly from: string;
  readonly to: string;
  readonly test: string;
  /** A part of the names of the tests of that file. */
  readonly named: string;
}
