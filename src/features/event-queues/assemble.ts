import { type Piece, Place, piece } from '#kernel/gzip';
import { Assembled, type Part } from '#kernel/state';

/** Fields as JSON members without the braces, in pieces: shared ones as they are, and what stands between them. */
export async function assemble(fields: Readonly<Record<string, unknown>>): Promise<readonly Piece[]> {
  const assembly = new Assembly();
  let separator = '';
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    assembly.add(`${separator}${JSON.stringify(name)}:`);
    separator = ',';
    if (value instanceof Assembled) for (const part of value.parts) assembly.add(part);
    else assembly.add(JSON.stringify(value));
  }
  const pieces: Piece[] = [];
  for (const part of assembly.end()) pieces.push(typeof part === 'string' ? await piece(part) : part);
  return pieces;
}

/** Puts parts together: texts with texts, and neighbours of a strip with what stands between them. */
class Assembly {
  readonly #ended: (string | Piece)[] = [];
  #text = '';
  /** Neighbours that came last, but for the text above. */
  #run: { readonly first: Place; last: number } | undefined;

  add(part: Part): void {
    if (typeof part === 'string') this.#text += part;
    else if (part instanceof Place) this.#place(part);
    else {
      this.#close();
      this.#ended.push(part);
    }
  }

  end(): readonly (string | Piece)[] {
    this.#close();
    return this.#ended;
  }

  #place(place: Place): void {
    const run = this.#run;
    const { strip, index } = place;
    if (run && run.first.strip === strip && run.last + 1 === index && this.#text === strip.between) {
      run.last = index;
      this.#text = '';
      return;
    }
    this.#close();
    this.#run = { first: place, last: index };
  }

  #close(): void {
    const run = this.#run;
    if (run) this.#ended.push(run.first.strip.run(run.first.index, run.last));
    if (this.#text !== '') this.#ended.push(this.#text);
    this.#run = undefined;
    this.#text = '';
  }
}
