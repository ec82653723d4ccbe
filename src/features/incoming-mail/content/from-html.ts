import { Parser } from 'htmlparser2';
import { lookUp } from '#kernel/lists';

/** Elements that start a new line, those with an empty line around them, and those whose content is skipped. */
const BLOCKS = new Set(['div', 'tr', 'table', 'ul', 'ol', 'section', 'article', 'header', 'footer', 'dl', 'dt', 'dd']);
const PARAGRAPHS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'ul', 'ol', 'table']);
const UNREAD = new Set(['script', 'style', 'head', 'title', 'template', 'noscript', 'svg', 'math', 'iframe', 'object']);
const MARKS: Readonly<Record<string, string>> = { b: '**', strong: '**', i: '*', em: '*', code: '`' };

/** Classes and IDs of quoted mails in Gmail, Apple Mail, Thunderbird, Outlook, Yahoo and Proton. */
const QUOTE_CLASSES = /(^|\s)(gmail_quote|gmail_extra|moz-cite-prefix|yahoo_quoted|protonmail_quote|zmail_extra)(\s|$)/;
const QUOTE_IDS = /^(divRplyFwdMsg|appendonsend|reply-intro|x_divRplyFwdMsg|mail-editor-reference-message-container)$/;
const SIGNATURE_CLASSES = /(^|\s)(gmail_signature|moz-signature|protonmail_signature_block)(\s|$)/;

/** Longest HTML that is parsed, in UTF-16 units; the rest is ignored. */
const MAX_HTML = 1_000_000;
/** UTF-16 units that are parsed before yielding to other work: about five milliseconds at worst. */
const SLICE = 4_000;
const MAX_DEPTH = 200;
const MAX_QUOTES = 5;

const HIDDEN = /display\s*:\s*none/i;
/** Parts that are not followed by a space. */
const MARK_PARTS = new Set(['**', '*', '`', '[', '* ']);

export interface HtmlWishes {
  readonly keepsQuotes: boolean;
  readonly keepsFooter: boolean;
}

/** An element that is open, and what to write when it closes. */
interface Open {
  readonly name: string;
  /** The opening and closing mark of emphasis or code; empty if there is none. */
  readonly mark: string;
  readonly link: string;
  /** The line, and the index of the part in it, at which the mark is. */
  readonly line: number;
  readonly at: number;
  readonly isUnread: boolean;
  readonly isPre: boolean;
  readonly isQuote: boolean;
}

/**
 * Converts the HTML of a mail to Markdown: emphasis, links, lists, quotations, code. Yields to other work meanwhile.
 */
export async function textOfHtml(html: string, wishes: HtmlWishes): Promise<string> {
  const writer = new Writer(wishes);
  const parser = new Parser({
    onopentag: (name, attributes) => writer.open(name, attributes),
    onclosetag: (name) => writer.close(name),
    ontext: (text) => writer.text(text),
  });
  try {
    for (let at = 0; at < Math.min(html.length, MAX_HTML); at += SLICE) {
      parser.write(html.slice(at, Math.min(at + SLICE, MAX_HTML)));
      await new Promise(setImmediate);
    }
    parser.end();
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
  return writer.done();
}

/** Thrown when elements are nested too deeply; the text before is used. */
class TooDeep extends Error {}

/**
 * Writes lines part by part. The current line is a list of parts, because reading a long line again for each part would
 * take quadratic time.
 */
class Writer {
  readonly #wishes: HtmlWishes;
  readonly #stack: Open[] = [];
  readonly #lines: string[] = [];
  #parts: string[] = [];
  #wanted = 0;
  #unread = 0;
  #pre = 0;
  #quotes = 0;
  /** Quotation depth of the last line. */
  #quoted = 0;
  #depth = 0;
  /** Whether the quoted mail has begun, so that everything from here on is ignored. */
  #isOver = false;

  constructor(wishes: HtmlWishes) {
    this.#wishes = wishes;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (++this.#depth > MAX_DEPTH) throw new TooDeep();
    if (this.#isOver) return;
    if (name === 'br' || name === 'hr') return this.#line();
    if (name === 'img') return this.text(attributes['alt'] ?? '');
    if (!this.#wishes.keepsQuotes && QUOTE_IDS.test(attributes['id'] ?? '')) {
      this.#isOver = true;
      return;
    }
    const isUnread = UNREAD.has(name) || HIDDEN.test(attributes['style'] ?? '') || this.#isLeftOut(name, attributes);
    if (isUnread) this.#unread++;
    this.#begin(name);
    const link = name === 'a' ? linkOf(attributes['href'] ?? '') : '';
    const mark = this.#pre > 0 ? '' : link === '' ? (lookUp(MARKS, name) ?? '') : '[';
    const open = { name, mark, link, line: this.#lines.length, at: this.#parts.length };
    const isRead = this.#unread === 0;
    this.#stack.push({ ...open, isUnread, isPre: isRead && name === 'pre', isQuote: isRead && name === 'blockquote' });
    this.#put(mark);
    if (!isRead) return;
    if (name === 'blockquote') this.#quotes = Math.min(this.#quotes + 1, MAX_QUOTES);
    if (name === 'pre') this.#fence();
  }

  /** Writes the line ends and the mark before an element. */
  #begin(name: string): void {
    if (PARAGRAPHS.has(name)) this.#line(2);
    else if (BLOCKS.has(name) || name === 'li') this.#line();
    if (name === 'li') this.#put('* ');
    if (name === 'td' || name === 'th') this.#space();
  }

  close(name: string): void {
    this.#depth--;
    const at = this.#stack.findLastIndex((open) => open.name === name);
    if (at < 0) return;
    for (const open of this.#stack.splice(at).toReversed()) this.#end(open);
  }

  #end(open: Open): void {
    if (open.isPre) {
      this.#pre--;
      this.#line();
      this.#put('```');
    } else if (open.mark !== '') this.#closeMark(open);
    if (PARAGRAPHS.has(open.name)) this.#line(2);
    else if (BLOCKS.has(open.name) || open.name === 'li') this.#line();
    if (open.isQuote) this.#quotes = Math.max(0, this.#quotes - 1);
    if (open.isUnread) this.#unread--;
  }

  text(text: string): void {
    if (this.#unread > 0 || this.#isOver) return;
    if (this.#pre > 0) {
      const [first = '', ...rest] = text.split(/\r?\n/);
      this.#put(first);
      for (const line of rest) {
        if (this.#parts.length === 0) this.#begun();
        this.#flush();
        this.#put(line);
      }
      return;
    }
    const [words, ends] = [text.trim().replaceAll(/\s+/g, ' '), /\s$/.test(text)];
    if (/^\s/.test(text)) this.#space();
    this.#put(words);
    if (ends && words !== '') this.#space();
  }

  done(): string {
    for (const open of this.#stack.splice(0).toReversed()) this.#end(open);
    this.#flush();
    return this.#lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trim();
  }

  #isLeftOut(name: string, attributes: Readonly<Record<string, string>>): boolean {
    const { class: classes = '', type = '' } = attributes;
    const isQuote = QUOTE_CLASSES.test(classes) || (name === 'blockquote' && type === 'cite');
    return (isQuote && !this.#wishes.keepsQuotes) || (SIGNATURE_CLASSES.test(classes) && !this.#wishes.keepsFooter);
  }

  #put(text: string): void {
    if (this.#unread > 0 || this.#isOver || text === '') return;
    if (this.#parts.length === 0) this.#begun();
    this.#parts.push(text);
  }

  /** Writes one space between words; none at the beginning of a line or after an opening mark. */
  #space(): void {
    const last = this.#parts.at(-1) ?? '';
    if (this.#parts.length > 1 && !last.endsWith(' ') && !MARK_PARTS.has(last)) this.#put(' ');
  }

  /** Closes a mark: an empty element gets no marks, and a trailing space moves behind the closing mark. */
  #closeMark({ mark, link, line, at }: Open): void {
    if (this.#unread > 0 || this.#isOver) return;
    const isSpaced = this.#parts.at(-1) === ' ';
    if (isSpaced) this.#parts.pop();
    if (this.#parts.at(-1) === mark) this.#parts.splice(-1, 1, link);
    else if (link === '') this.#put(mark);
    else if (line === this.#lines.length && this.#labelFrom(at) === link)
      this.#parts.splice(this.#parts.lastIndexOf('['), 1);
    else this.#put(`](${link})`);
    if (isSpaced) this.#space();
  }

  /** Returns the label of a link so far; a link whose label is its address is written without brackets. */
  #labelFrom(at: number): string {
    const label = this.#parts.slice(Math.max(at, 1));
    return (label[0] === '[' ? label.slice(1) : label).join('');
  }

  /** Opens a fenced code block, whose content begins on the next line. */
  #fence(): void {
    this.#put('```');
    this.#flush();
    this.#pre++;
  }

  #flush(): void {
    this.#lines.push(this.#parts.join(''));
    this.#parts = [];
  }

  /** Ends the line; at least `count` line ends precede the next word. */
  #line(count = 1): void {
    if (this.#unread > 0 || this.#isOver) return;
    if (this.#parts.length > 0) this.#flush();
    this.#wanted = Math.max(this.#wanted, count);
  }

  /**
   * Begins a line, after the requested empty ones. An empty line ends a quotation, or the next line would belong to it.
   */
  #begun(): void {
    const isEnd = this.#quotes < this.#quoted;
    const empty = this.#lines.length === 0 ? 0 : Math.max(this.#wanted, isEnd ? 2 : 0) - 1;
    const common = Math.min(this.#quotes, this.#quoted);
    for (let count = 0; count < empty; count++) this.#lines.push('> '.repeat(common));
    this.#wanted = 0;
    this.#quoted = this.#quotes;
    this.#parts.push('> '.repeat(this.#quotes));
  }
}

/** Returns a link's address if it is a web or mail address, otherwise an empty string. */
function linkOf(href: string): string {
  const link = href.trim();
  return /^(https?:\/\/|mailto:)[^\s<>()]{1,2000}$/i.test(link) ? link : '';
}
