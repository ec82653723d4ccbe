import type { Parser } from 'htmlparser2';
import { escapeAttribute } from '../escape.ts';

/** A piece of HTML for the comparison. */
export type DiffPart =
  /** A tag, or white space by itself; not compared. */
  | { readonly kind: 'markup'; readonly html: string }
  /** A word and the white space after it. */
  | { readonly kind: 'word'; readonly html: string; readonly space: string }
  /** The address of the link that ends here; shown only if it changed. */
  | { readonly kind: 'link'; readonly html: string };

const words = /^\s+|\S+(\s*)/g;
const emptyTags: ReadonlySet<string> = new Set(['br', 'hr', 'img']);
/** Elements that count as one word, because a highlight cannot be inside. */
const wholeTags: ReadonlySet<string> = new Set(['img', 'audio', 'video', 'math']);
const wholeClasses = /(?:^| )(?:emoji|katex|katex-display)(?: |$)/;
/** Strikethrough would look like a deletion. */
const droppedTags: ReadonlySet<string> = new Set(['ins', 'del']);

/** Parses rendered HTML into pieces. Text stays escaped. */
export function readPieces(HtmlParser: typeof Parser, html: string): readonly DiffPart[] {
  const reader = new Reader();
  const parser = new HtmlParser(
    {
      onopentag: (tag, attributes) => reader.open(tag, attributes),
      ontext: (text) => reader.text(text),
      onclosetag: (tag) => reader.close(tag),
    },
    { decodeEntities: false },
  );
  parser.end(html);
  return reader.finish();
}

class Reader {
  readonly #pieces: DiffPart[] = [];
  readonly #links: (string | undefined)[] = [];
  #pending = '';
  /** HTML of an element that counts as one word, and how many of its tags are open. */
  #whole = '';
  #wholeDepth = 0;

  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    if (droppedTags.has(tag)) return;
    const html = `<${tag}${writeAttributes(attributes)}>`;
    const isWhole = wholeTags.has(tag) || wholeClasses.test(attributes['class'] ?? '');
    if (this.#wholeDepth > 0 || isWhole) {
      this.#flush();
      this.#whole += html;
      this.#wholeDepth++;
      return;
    }
    this.#markup(html);
    if (tag === 'a') this.#links.push(attributes['href']);
  }

  text(text: string): void {
    const safe = text.replaceAll('<', '&lt;');
    if (this.#wholeDepth > 0) this.#whole += safe;
    else this.#pending += safe;
  }

  close(tag: string): void {
    if (droppedTags.has(tag)) return;
    const html = emptyTags.has(tag) ? '' : `</${tag}>`;
    if (this.#wholeDepth > 0) {
      this.#whole += html;
      if (--this.#wholeDepth === 0) this.#endWhole();
      return;
    }
    this.#flush();
    const address = tag === 'a' ? this.#links.pop() : undefined;
    if (address !== undefined) this.#pieces.push({ kind: 'link', html: ` Link: ${escapeAttribute(address)}` });
    if (html !== '') this.#markup(html);
  }

  finish(): DiffPart[] {
    this.#flush();
    return this.#pieces;
  }

  #endWhole(): void {
    this.#pieces.push({ kind: 'word', html: this.#whole, space: '' });
    this.#whole = '';
  }

  #markup(html: string): void {
    this.#flush();
    this.#pieces.push({ kind: 'markup', html });
  }

  #flush(): void {
    for (const [whole, space] of this.#pending.matchAll(words)) {
      if (space === undefined) this.#pieces.push({ kind: 'markup', html: whole });
      else this.#pieces.push({ kind: 'word', html: whole.slice(0, whole.length - space.length), space });
    }
    this.#pending = '';
  }
}

function writeAttributes(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) =>
      value === '' || value === name ? ` ${name}` : ` ${name}="${value.replaceAll('"', '&quot;')}"`,
    )
    .join('');
}
