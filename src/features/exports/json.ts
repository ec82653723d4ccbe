/** Rows of a table of the format, as they come; a text is one or more that are JSON already, with commas between them. */
export type Records = AsyncIterable<readonly (object | string)[]> | readonly object[];

/** Characters that are gathered before they are written. */
const PIECE = 262_144;

/** A JSON object of lists, written as its rows come: never whole in memory. */
export async function* jsonDocument(tables: Iterable<readonly [string, Records | string]>): AsyncGenerator<Buffer> {
  let text = '{';
  let isFirst = true;
  for (const [name, records] of tables) {
    text += `${isFirst ? '' : ','}\n${JSON.stringify(name)}: `;
    isFirst = false;
    if (typeof records === 'string') text += JSON.stringify(records);
    else {
      text += '[';
      let rows = 0;
      for await (const page of pages(records)) {
        for (const row of page) {
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

/** A JSON list, written likewise. */
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

async function* pages(records: Records): AsyncGenerator<readonly (object | string)[]> {
  if (Symbol.asyncIterator in records) yield* records;
  else yield records;
}
