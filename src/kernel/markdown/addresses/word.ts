import { codeAt, isWord } from '../characters.ts';
import type { FoundAddress } from './scan-addresses.ts';
import { isTopLevelDomain } from './top-level-domains.ts';

const schemes = ['http://', 'https://', 'hansoft://', 'obsidian://', 'zotero://', 'asanadesktop://'];
const trailing = '!:;?),.\'">';
const bitcoin = /^bitcoin:[13][a-km-zA-HJ-NP-Z1-9]{25,34}$/;
const mailDomain = /^[\p{L}\p{N}_.-]+\.[\p{L}\p{N}_]+$/u;

/** Deepest nesting of round brackets in a path (protocol/markdown#automatic-links). */
const MAX_BRACKETS = 6;

/**
 * Text without white space, in which addresses may begin at several places. An address must extend at least to the
 * punctuation at the end of the word; the shortest possible end counts. Results of failed attempts are reused by later
 * ones, so that a word takes linear time.
 */
export class Word {
  readonly #text: string;
  readonly #end: number;
  /** Start of the punctuation at the end of the word. */
  readonly #tail: number;
  #domain: Domain | undefined;
  #mailAt = -1;
  #isMail = false;
  /** The first index at which an address may still begin. */
  nextStart = 0;

  constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.#end = end;
    let tail = end;
    while (tail > start && trailing.includes(text.charAt(tail - 1))) tail--;
    this.#tail = tail;
  }

  /** Returns the address that begins at `start`, or undefined. */
  addressAt(start: number): FoundAddress | undefined {
    const scheme = schemes.find((name) => this.#text.startsWith(name, start));
    if (scheme) {
      const end = this.#afterScheme(start + scheme.length);
      return end === undefined ? undefined : { start, end, kind: 'full' };
    }
    if (this.#text.startsWith('bitcoin:', start)) return this.#bitcoin(start);
    return this.#bare(start);
  }

  #bitcoin(start: number): FoundAddress | undefined {
    const end = this.#tail;
    return end - start < 50 && bitcoin.test(this.#text.slice(start, end)) ? { start, end, kind: 'full' } : undefined;
  }

  /** Reads a host: one or more letters, digits and `_ . : @ -`; then an optional path. */
  #afterScheme(start: number): number | undefined {
    let index = start;
    while (index < this.#end && this.#isHost(index)) index++;
    if (index === start) return undefined;
    return this.#cut(start + 1, index) ?? this.#path(index);
  }

  #isHost(index: number): boolean {
    const unit = this.#text.charCodeAt(index);
    return unit === 58 || unit === 64 || this.#isLabel(index);
  }

  #isLabel(index: number): boolean {
    const unit = this.#text.charCodeAt(index);
    if (unit === 45 || unit === 46) return true;
    // A low surrogate belongs to whatever its high surrogate belongs to.
    if (unit >= 0xdc00 && unit <= 0xdfff) return true;
    return isWord(codeAt(this.#text, index) ?? 0);
  }

  /** Returns the shortest end between two indexes after which the word has only punctuation. */
  #cut(least: number, most: number): number | undefined {
    const end = Math.max(least, this.#tail);
    return end <= most ? end : undefined;
  }

  /** Returns the end of an address whose path would begin at `start`. */
  #path(start: number): number | undefined {
    const first = this.#text.charAt(start);
    if (first !== '/' && !(first === '?' && this.#mayQuery(start + 1))) return undefined;
    let depth = 0;
    let outermost = start;
    let index = start + 1;
    for (; index <= this.#end; index++) {
      if (depth === 0 && index >= this.#tail) return index;
      const unit = this.#text.charCodeAt(index);
      if (unit === 34 || index === this.#end || (unit === 41 && depth === 0)) break;
      if (unit === 40 && depth++ === 0) outermost = index;
      if (unit === 41) depth--;
      if (depth > MAX_BRACKETS) break;
    }
    // What ended this path ends every path that begins before it, too.
    this.nextStart = depth === 0 || this.#text.charCodeAt(index) === 34 ? index : outermost;
    return undefined;
  }

  #mayQuery(index: number): boolean {
    return index < this.#end && !')"'.includes(this.#text.charAt(index));
  }

  #bare(start: number): FoundAddress | undefined {
    if (!this.#isLabel(start)) return undefined;
    if (!this.#domain || this.#domain.end <= start) this.#domain = this.#readDomain(start);
    const { end, emptyLabel } = this.#domain;
    if (this.#text.charAt(end) === '@') return this.#mail(start, end);
    if (this.#text.charCodeAt(start) === 46) return undefined;
    const shortest = this.#cut(start + 1, end);
    if (shortest !== undefined) {
      return emptyLabel < start && this.#isDomain(start, shortest) ? { start, end: shortest, kind: 'bare' } : undefined;
    }
    if (emptyLabel >= start || !this.#isDomain(start, end)) return undefined;
    const path = this.#path(end);
    return path === undefined ? undefined : { start, end: path, kind: 'bare' };
  }

  /** Reads labels up to `end`, which is the same for each start within the domain. */
  #readDomain(start: number): Domain {
    let end = start;
    let emptyLabel = -1;
    let last = -1;
    for (; end < this.#end && this.#isLabel(end); end++) {
      if (this.#text.charCodeAt(end) !== 46 || end >= this.#tail) continue;
      last = end;
      if (this.#text.charCodeAt(end + 1) === 46) emptyLabel = end;
    }
    const known = last !== -1 && isTopLevelDomain(this.#text.slice(last + 1, Math.min(end, this.#tail)));
    return { end, emptyLabel, known, last };
  }

  #isDomain(start: number, end: number): boolean {
    if (!this.#domain || end !== Math.min(this.#domain.end, this.#tail)) return false;
    return this.#domain.known && this.#domain.last > start;
  }

  #mail(start: number, at: number): FoundAddress | undefined {
    if (this.#mailAt !== at) {
      this.#mailAt = at;
      this.#isMail = this.#tail > at + 1 && mailDomain.test(this.#text.slice(at + 1, this.#tail));
    }
    return this.#isMail ? { start, end: this.#tail, kind: 'mail' } : undefined;
  }
}

interface Domain {
  readonly end: number;
  /** Index of the last pair of consecutive dots; -1 if there is none. */
  readonly emptyLabel: number;
  /** Index of the last dot, and whether a known top-level domain follows it. */
  readonly last: number;
  readonly known: boolean;
}
