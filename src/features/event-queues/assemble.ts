import { type Segment, SegmentRef, segment } from '#kernel/gzip';
import { Assembled, type Part } from '#kernel/state';

/** Fields as JSON members without the braces, as a list of shared segments and the text between them. */
export async function assemble(fields: Readonly<Record<string, unknown>>): Promise<readonly Segment[]> {
  const assembly = new Assembly();
  let separator = '';
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    assembly.add(`${separator}${JSON.stringify(name)}:`);
    separator = ',';
    if (value instanceof Assembled) for (const part of value.parts) assembly.add(part);
    else assembly.add(JSON.stringify(value));
  }
  const segments: Segment[] = [];
  for (const part of assembly.end()) segments.push(typeof part === 'string' ? await segment(part) : part);
  return segments;
}

/**
 * Joins parts: texts are concatenated, and consecutive segments of a list stay one range, including what is between
 * them.
 */
class Assembly {
  readonly #ended: (string | Segment)[] = [];
  #text = '';
  /** The last consecutive segments, before the text above. */
  #run: { readonly first: SegmentRef; last: number } | undefined;

  add(part: Part): void {
    if (typeof part === 'string') this.#text += part;
    else if (part instanceof SegmentRef) this.#ref(part);
    else {
      this.#close();
      this.#ended.push(part);
    }
  }

  end(): readonly (string | Segment)[] {
    this.#close();
    return this.#ended;
  }

  #ref(ref: SegmentRef): void {
    const range = this.#run;
    const { segmentList, index } = ref;
    if (
      range &&
      range.first.segmentList === segmentList &&
      range.last + 1 === index &&
      this.#text === segmentList.between
    ) {
      range.last = index;
      this.#text = '';
      return;
    }
    this.#close();
    this.#run = { first: ref, last: index };
  }

  #close(): void {
    const range = this.#run;
    if (range) this.#ended.push(range.first.segmentList.range(range.first.index, range.last));
    if (this.#text !== '') this.#ended.push(this.#text);
    this.#run = undefined;
    this.#text = '';
  }
}
