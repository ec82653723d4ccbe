/**
 * A statement that gives the rows of another as one JSON text: lists of values, in order. A driver that fetches value
 * by value takes longer than one text and its parser.
 */
export function packing(statement: string, columns: readonly string[]): string {
  const values = columns.map((column) => `"${column}"`).join();
  return `select json_group_array(json_array(${values})) as packed from (${statement})`;
}

/** The lists of values in a text that such a statement gave. */
export function unpacked(text: string): readonly unknown[][] {
  return JSON.parse(text) as unknown[][];
}
