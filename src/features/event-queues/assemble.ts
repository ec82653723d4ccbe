import { type Segment, SegmentRef, segments } from '#kernel/gzip';
import { Assembled, type Part } from '#kernel/state';
import { type Fields, type StatePart, toMembers } from './state-parts.ts';

/** Parts of the state as JSON members, each after a comma, as a list of shared segments and the text between them. */
export async function assemble(parts: readonly StatePart[]): Promise<readonly Segment[]> {
  const assembly = new Assembly();
  for (const part of parts) {
    if ('members' in part) assembly.add(part.members);
    else addFields(assembly, part.fields);
  }
  return segments(assembly.end());
}

function addFields(assembly: Assembly, fields: Fields): void {
  const texts: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!(value instanceof Assembled)) texts[name] = value;
    else for (const part of [`,${JSON.stringify(name)}:`, ...value.parts]) assembly.add(part);
  }
  assembly.add(toMembers(texts));
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
    const { segmentList, index, last } = ref;
    if (
      range &&
      range.first.segmentList === segmentList &&
      range.last + 1 === index &&
      this.#text === segmentList.between
    ) {
      range.last = last;
      this.#text = '';
      return;
    }
    this.#close();
    this.#run = { first: ref, last };
  }

  #close(): void {
    const range = this.#run;
    if (range) {
      const { segmentList, index } = range.first;
      const isFollowed = this.#text.startsWith(segmentList.between);
      this.#ended.push(segmentList.range(index, range.last, isFollowed));
      if (isFollowed) this.#text = this.#text.slice(segmentList.between.length);
    }
    if (this.#text !== '') this.#ended.push(this.#text);
    this.#run = undefined;
    this.#text = '';
  }
}
