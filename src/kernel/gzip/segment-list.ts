import { appending, combineCrc32, type Polynomial, product, undoing } from './combine-crc32.ts';
import { type Segment, segment } from './segment.ts';

/**
 * Texts that often follow each other, compressed one by one and stored in one buffer, with the same text between each
 * two. Any run of neighbours is one slice of that buffer.
 */
export class SegmentList {
  readonly texts: readonly string[];
  readonly between: string;
  /** The place of each text in this list. */
  readonly refs: readonly SegmentRef[];
  /** Approximate bytes of memory. */
  readonly size: number;
  readonly #bytes: Buffer;
  /** The borders of the texts: text n begins at border 2n and ends at border 2n + 1. */
  readonly #borders: readonly Border[];

  constructor(segments: readonly Segment[], between: Segment) {
    this.texts = segments.map(({ text }) => text);
    this.between = between.text;
    this.refs = segments.map((_, index) => new SegmentRef(this, index));
    const sequence = segments.flatMap((one) => [one, between]);
    this.#bytes = Buffer.concat(sequence.flatMap(({ packed }) => packed.deflated));
    this.#borders = bordersOf(sequence);
    this.size = this.#bytes.length + this.texts.reduce((sum, { length }) => sum + length, 0);
  }

  /** Returns the place of `text` when it is the text at `index`, otherwise the text itself. */
  refOf(text: string, index: number): string | SegmentRef {
    return (this.texts[index] === text ? this.refs[index] : undefined) ?? text;
  }

  /** Returns the place of the texts from one index until another, if there are any. */
  span(from: number, until: number): readonly SegmentRef[] {
    return from < until ? [new SegmentRef(this, from, until - 1)] : [];
  }

  /** Returns the texts from `first` to `last` with the text between them, and once more after them if `isFollowed`. */
  range(first: number, last: number, isFollowed = false): Segment {
    return new SegmentRange(this, first, last, isFollowed);
  }

  /** Returns the same, compressed. */
  cut(first: number, last: number, isFollowed: boolean) {
    const [begin, end] = [this.#borders[2 * first], this.#borders[2 * last + (isFollowed ? 2 : 1)]];
    if (!begin || !end) throw new RangeError(`there is nothing from ${first} to ${last}`);
    const length = end.length - begin.length;
    begin.undoing ??= undoing(begin.length);
    const factor = product(end.factor, begin.undoing);
    // Addition is XOR, so adding the checksum of what comes before removes it.
    const crc = combineCrc32(begin.crc, end.crc, factor);
    return { deflated: [this.#bytes.subarray(begin.offset, end.offset)], crc, factor, length };
  }
}

/** The place of one text in a segment list, or of several that follow each other. */
export class SegmentRef {
  readonly segmentList: SegmentList;
  readonly index: number;
  /** The index of the last text. */
  readonly last: number;

  constructor(of: SegmentList, index: number, last = index) {
    this.segmentList = of;
    this.index = index;
    this.last = last;
  }
}

class SegmentRange implements Segment {
  readonly cutFrom: SegmentList;
  readonly packed: Segment['packed'];
  readonly #first: number;
  readonly #last: number;
  readonly #isFollowed: boolean;

  constructor(of: SegmentList, first: number, last: number, isFollowed: boolean) {
    this.cutFrom = of;
    this.packed = of.cut(first, last, isFollowed);
    this.#first = first;
    this.#last = last;
    this.#isFollowed = isFollowed;
  }

  /** Joined on demand: hardly any client does without compression. */
  get text(): string {
    const { texts, between } = this.cutFrom;
    return texts.slice(this.#first, this.#last + 1).join(between) + (this.#isFollowed ? between : '');
  }
}

/**
 * A place in a segment list: the compressed bytes before it, and the CRC-32 and number of the uncompressed bytes before
 * it, with the factor of that number (`appending`) and, once it was needed, the one that undoes it.
 */
interface Border {
  readonly offset: number;
  readonly crc: number;
  readonly length: number;
  readonly factor: Polynomial;
  undoing?: Polynomial;
}

function bordersOf(segments: readonly Segment[]): readonly Border[] {
  let border: Border = { offset: 0, crc: 0, length: 0, factor: appending(0) };
  const borders = [border];
  for (const { packed } of segments) {
    border = {
      offset: packed.deflated.reduce((sum, { length }) => sum + length, border.offset),
      crc: combineCrc32(border.crc, packed.crc, packed.factor),
      length: border.length + packed.length,
      factor: product(border.factor, packed.factor),
    };
    borders.push(border);
  }
  return borders;
}

/** Makes a segment list of texts; a text that another list holds already is not compressed again. */
export async function segmentList(parts: readonly (string | SegmentRef)[], between: string): Promise<SegmentList> {
  const segments = parts.map((part) =>
    typeof part === 'string' ? segment(part) : Promise.resolve(part.segmentList.range(part.index, part.last)),
  );
  return new SegmentList(await Promise.all(segments), await segment(between));
}
