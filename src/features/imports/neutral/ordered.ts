import type { Post } from './community.ts';
import type { Scratch } from '../source.ts';

/** Parses what `add` has written. */
const postIn: (text: string) => Post = JSON.parse;

/** All messages of an archive in the order of their times. Only numbers are in memory. */
export class OrderedPosts {
  readonly #scratch: Scratch;
  readonly #times: number[] = [];
  readonly #starts: number[] = [];
  readonly #sizes: number[] = [];
  #order = new Uint32Array();

  constructor(scratch: Scratch) {
    this.#scratch = scratch;
  }

  get count(): number {
    return this.#times.length;
  }

  /** Stores a message; returns its number in the order of arrival. */
  async add(post: Post): Promise<number> {
    const bytes = Buffer.from(JSON.stringify(post));
    this.#starts.push(await this.#scratch.append(bytes));
    this.#sizes.push(bytes.length);
    return this.#times.push(post.at) - 1;
  }

  /** Puts them in order; the place in it of each by the number it came as. */
  sort(): Uint32Array {
    const times = this.#times;
    this.#order = Uint32Array.from(times, (_time, index) => index).sort(
      (a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b,
    );
    const places = new Uint32Array(this.count);
    for (const [place, index] of this.#order.entries()) places[index] = place;
    return places;
  }

  /** Messages by their places in the order. */
  async slice(from: number, to: number): Promise<readonly Post[]> {
    const posts: Post[] = [];
    for (const index of this.#order.subarray(from, to)) {
      const bytes = await this.#scratch.read(this.#starts[index] ?? 0, this.#sizes[index] ?? 0);
      posts.push(postIn(Buffer.from(bytes).toString('utf8')));
    }
    return posts;
  }
}
