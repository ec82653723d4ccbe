import { truncate } from '#kernel/text';
import { Field } from './field.ts';

/** Longest value within a sentence, in code points. */
const MAX_INLINE = 300;
/** Longest quotation, in code points. */
const MAX_QUOTE = 4000;
/** Most entries of a list. */
const MAX_ENTRIES = 20;
/** Longest address of a link, in characters. */
const MAX_ADDRESS = 2000;

/**
 * Markup that is safe to send: everything from the payload in it is escaped. Only functions that escape may create it.
 */
export class Markdown {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get isEmpty(): boolean {
    return this.#text === '';
  }

  toString(): string {
    return this.#text;
  }
}

/** A value in a sentence. Texts are escaped, a field must not be empty, and undefined adds nothing. */
type Value = string | number | Field | Markdown | undefined;

/** Template tag: our markup with escaped values, which can neither mention, format nor link. */
export function md(strings: TemplateStringsArray, ...values: readonly Value[]): Markdown {
  return new Markdown(strings.map((part, index) => part + markup(values[index])).join(''));
}

function markup(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Markdown) return value.toString();
  return inline(value instanceof Field ? value.need : String(value));
}

/** A text of the payload on one line, escaped except for inline code. */
function inline(text: string, max = MAX_INLINE): string {
  const line = truncate(text.replaceAll(/\s+/g, ' '), max, '…');
  if (!line.includes('`')) return escape(line, true);
  // Odd parts are inline code, whose content needs no escaping.
  const parts = line.split(/(?<!\\)(`[^`]+`)(?!`)/);
  return parts.map((part, index) => (index % 2 === 1 ? part : escape(part, index === 0))).join('');
}

/** What Markdown would interpret; found at once, because a payload may have tens of thousands of short texts. */
const MARKS = /&(?=#?\w+;)|[*`<]|\]\(|~~|\$\$|\\+$/g;

function escape(text: string, isStart: boolean): string {
  const escaped = text.replaceAll(MARKS, (mark) => {
    if (mark === '&') return '&amp;';
    return mark === '](' ? ']&#40;' : entity(mark).repeat(mark.length);
  });
  return isStart ? escaped.replace(/^(?:[>|]|[#+-](?=#*\s|$)|~(?=~))|^\d+(?=[.)]\s)/, entityOfFirst) : escaped;
}

function entity(character: string): string {
  return `&#${character.codePointAt(0)};`;
}

function entityOfFirst(start: string): string {
  return entity(start) + start.slice(1);
}

/** A link with an escaped label; only the label if the address is not one of the web. */
export function link(words: string | Field | Markdown, address: string | Field): Markdown {
  const label =
    words instanceof Markdown ? words.toString() : inline((words instanceof Field ? words.need : words).trim());
  const to = webAddress(address instanceof Field ? address.text : address);
  if (label === '') return new Markdown(to);
  return new Markdown(to === '' ? label : `[${balanced(label)}](${to})`);
}

/** Returns a web address with the characters escaped that would end a link; empty if it is not one. */
function webAddress(text: string): string {
  const address = text.trim();
  if (address.length > MAX_ADDRESS || !/^https?:\/\/[^\s<>]+$/i.test(address)) return '';
  return address.replaceAll(/[()[\]`*"\\$]/g, (character) => encodeURIComponent(character).replace(/^[()*]$/, hex));
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Replaces brackets in a link's label that do not pair, because they would end it. */
function balanced(label: string): string {
  let depth = 0;
  for (const character of label) {
    if (character === '[') depth++;
    else if (character === ']' && --depth < 0) break;
  }
  return depth === 0 ? label : label.replaceAll(/[[\]]/g, entity);
}

/** Bold text. */
export function bold(words: string | Field): Markdown {
  return new Markdown(`**${inline((words instanceof Field ? words.need : words).trim())}**`);
}

/** Markdown that the author wrote for this server, with silent mentions instead of normal ones. */
export function written(text: Field): Markdown {
  return new Markdown(text.need.replaceAll(/@(?=\*)/g, '@_'));
}

/** A text as inline code whose fence is longer than any run of backticks in it. */
export function code(text: string | Field): Markdown {
  const line = truncate((text instanceof Field ? text.need : text).replaceAll(/\s+/g, ' ').trim(), MAX_INLINE, '…');
  if (line === '') return new Markdown('');
  const fence = '`'.repeat(longestRun(line, 0) + 1);
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return new Markdown(`${fence}${space}${line}${space}${fence}`);
}

/** A text of the payload as a quotation, with its formatting and silent mentions; nothing if it is empty. */
export function quote(text: string | Field): Markdown {
  return fenced('quote', text instanceof Field ? text.text : text);
}

/** A text as a code block; nothing if it is empty. */
export function block(text: string | Field, language = ''): Markdown {
  return fenced(language, text instanceof Field ? text.text : text);
}

function fenced(word: string, text: string): Markdown {
  const said = truncate(text.replace(/^\n+/, '').trimEnd(), MAX_QUOTE, '…');
  if (said === '') return new Markdown('');
  const fence = '`'.repeat(longestRun(said, 2) + 1);
  return new Markdown(`${fence}${word === 'quote' ? ' quote' : word}\n${said}\n${fence}`);
}

function longestRun(text: string, least: number): number {
  return Math.max(least, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
}

/** Joins parts that are not empty, by default with line ends. */
export function lines(parts: readonly (Markdown | undefined)[], between = '\n'): Markdown {
  const said = parts.flatMap((part) => (part === undefined || part.isEmpty ? [] : [part.toString()]));
  return new Markdown(said.join(between));
}

/** Joins parts that are not empty as paragraphs. */
export function paragraphs(...parts: readonly (Markdown | undefined)[]): Markdown {
  return lines(parts, '\n\n');
}

/** A bulleted list; `count` is the total if not all entries were given. */
export function bullets(entries: readonly Markdown[], count = entries.length): Markdown {
  const shown = entries.slice(0, MAX_ENTRIES);
  const rest = Math.max(count, entries.length) - shown.length;
  const all = [...shown.map((entry) => `* ${entry.toString()}`), ...(rest > 0 ? [`* and ${rest} more`] : [])];
  return new Markdown(all.join('\n'));
}

/** A list of named values, leaving out empty ones. */
export function facts(named: Readonly<Record<string, Value>>): Markdown {
  const known = Object.entries(named).flatMap(([name, value]) => {
    const said = markup(value instanceof Field ? value.text : value);
    return said === '' ? [] : [new Markdown(`**${inline(name)}**: ${said}`)];
  });
  return bullets(known);
}

/** A time in the reader's time zone, from seconds, milliseconds or a date; other texts stay as they are. */
export function time(field: Field): Markdown {
  const { number, text } = field;
  const at = new Date(number === undefined ? text : number * (number > 100_000_000_000 ? 1 : 1000));
  const year = at.getUTCFullYear();
  if (!(year > 1970 && year < 3000)) return new Markdown(inline(text));
  return new Markdown(`<time:${at.toISOString().replace(/\.\d+Z$/, 'Z')}>`);
}
