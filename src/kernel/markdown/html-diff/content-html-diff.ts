import { type Change, compareWords } from './compare.ts';
import { type DiffPart, readPieces } from './read.ts';

type Word = Exclude<DiffPart, { kind: 'markup' }>;

/**
 * Returns how rendered content changed (protocol/markdown#differences): the new markup in a `<div>`, with inserted and
 * deleted words in spans of the classes `highlight_text_inserted` and `highlight_text_deleted`.
 */
export type ContentHtmlDiff = (before: string, after: string) => string;

let loaded: Promise<ContentHtmlDiff> | undefined;

/** Loads the libraries for comparing on first use. */
export function loadContentHtmlDiff(): Promise<ContentHtmlDiff> {
  loaded ??= Promise.all([import('diff'), import('htmlparser2')]).then(([{ diffArrays }, { Parser }]) => {
    return (before, after) => {
      const old = readPieces(Parser, before).filter(isWord);
      const pieces = readPieces(Parser, after);
      const changes = compareWords(diffArrays, old.map(keyOf), pieces.filter(isWord).map(keyOf));
      return `<div>${new Writer(old).write(pieces, changes)}</div>`;
    };
  });
  return loaded;
}

function isWord(piece: DiffPart): piece is Word {
  return piece.kind !== 'markup';
}

function keyOf(word: Word): string {
  return word.html;
}

/** Writes the new pieces with highlights; a highlight never spans a tag, so the markup stays valid. */
class Writer {
  readonly #old: readonly Word[];
  #nextOld = 0;
  /** What is written so far; not joined before the end, because each look at a long text would take all of it. */
  readonly #parts: string[] = [];
  /** Words of the current highlight. */
  #run: Word[] = [];

  constructor(old: readonly Word[]) {
    this.#old = old;
  }

  write(pieces: readonly DiffPart[], changes: readonly Change[]): string {
    const queue = [...changes].reverse();
    let current = queue.pop();
    let left = current?.count ?? 0;
    let hasWord = false;
    const advance = () => {
      current = queue.pop();
      left = current?.count ?? 0;
    };
    for (const piece of pieces) {
      if (piece.kind === 'markup') {
        this.#endRun();
        this.#parts.push(piece.html);
        continue;
      }
      // Words deleted before the first word are shown inside the first word's markup.
      if (!hasWord && current?.kind === 'deleted') {
        this.#deleted(left);
        advance();
      }
      hasWord = true;
      if (current?.kind === 'inserted') this.#run.push(piece);
      else this.#equal(piece);
      left--;
      if (left > 0) continue;
      this.#endRun();
      advance();
      if (current?.kind !== 'deleted') continue;
      this.#deleted(left);
      advance();
    }
    this.#endRun();
    if (current?.kind === 'deleted') this.#deleted(left);
    return this.#parts.join('');
  }

  #equal(word: Word): void {
    this.#nextOld++;
    if (word.kind === 'word') this.#parts.push(word.html + word.space);
  }

  #endRun(): void {
    this.#highlight('inserted', this.#run);
    this.#run = [];
  }

  #deleted(count: number): void {
    const words = this.#old.slice(this.#nextOld, this.#nextOld + count);
    this.#nextOld += count;
    this.#highlight('deleted', words);
  }

  #highlight(change: 'inserted' | 'deleted', words: readonly Word[]): void {
    if (words.length === 0) return;
    const text = words.map((word) => word.html + (word.kind === 'word' ? word.space : ' ')).join('');
    const last = this.#parts.at(-1);
    const space = last === undefined || /[\s>]/.test(last.slice(-1)) ? '' : ' ';
    this.#parts.push(`${space}<span class="highlight_text_${change}">${text.trimEnd()}</span> `);
  }
}
