/** Returns the value below which this share (0 to 1) of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Formats the median and the 99th percentile of milliseconds. */
export function spread(values: readonly number[]): string {
  return `p50 ${quantile(values, 0.5).toFixed(2)} ms, p99 ${quantile(values, 0.99).toFixed(2)} ms`;
}

/** Prints one measured figure of a row. */
export function report(row: string, what: string, figure: string): void {
  console.log(`${row.padEnd(4)} ${what.padEnd(58)} ${figure}`);
}
