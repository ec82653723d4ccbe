/**
 * Rows of a table of the format, in the order they are read. A text is one or more rows as JSON, separated by commas;
 * bytes are rows with a comma before each, and are valid until the next ones are requested.
 */
export type Records = AsyncIterable<Some> | IterableIterator<Some> | readonly object[];
type Some = readonly (object | string | Uint8Array)[];

/** Characters that are buffered before they are written. */
const PIECE = 262_144;

/**
 * Yields a JSON object of lists while its rows are read: it is never whole in memory. What is yielded is valid until
 * the next is requested.
 */
export async function* jsonDocument(tables: Iterable<readonly [string, Records | string]>): AsyncGenerator<Uint8Array> {
  let text = '{';
  let isFirst = true;
  for (const [name, records] of tables) {
    text += `${isFirst ? '' : ','}\n${JSON.stringify(name)}: `;
    isFirst = false;
    if (typeof records === 'string') text += JSON.stringify(records);
    else {
      text += '[';
      let rows = 0;
      for await (const some of inPieces(records)) {
        for (const row of some) {
          if (row instanceof Uint8Array) {
            if (row.length === 0) continue;
            if (text !== '') yield Buffer.from(text);
            text = '';
            yield rows++ === 0 ? row.subarray(1) : row;
            continue;
          }
          text += `${rows++ === 0 ? '' : ','}\n${typeof row === 'string' ? row : JSON.stringify(row)}`;
          if (text.length < PIECE) continue;
          yield Buffer.from(text);
          text = '';
        }
      }
      text += ']';
    }
  }
  yield Buffer.from(`${text}\n}\n`);
}

/** Yields a JSON list in the same way. */
export async function* jsonList(records: AsyncIterable<object>): AsyncGenerator<Buffer> {
  let text = '[';
  let rows = 0;
  for await (const row of records) {
    text += `${rows++ === 0 ? '' : ','}\n${JSON.stringify(row)}`;
    if (text.length < PIECE) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}]\n`);
}

function inPieces(records: Records): AsyncIterable<Some> | Iterable<Some> {
  return isList(records) ? [records] : records;
}

/** Whether the rows are an array, whole in memory. */
export function isList(records: Records): records is readonly object[] {
  return Array.isArray(records);
}
